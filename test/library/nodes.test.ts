import fc from 'fast-check';
import { expect, test } from 'vitest';
import { saveType } from '../../src/library/tree/types.js';
import { currentRevision } from '../../src/library/tree/version.js';
import { openDatabase } from '../../src/storage/open.js';
import { factor } from '../support/effort.js';
import { type Dump, NodeModel } from './node-model.js';
import { dumpAt, runStep, steps } from './node-operations.js';

test('T22 random changes by writers with old and new versions agree with a naive model, now and as of every revision', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const database = await openDatabase({ location: ':memory:' });
      const model = new NodeModel();
      const past = new Map<number, Dump[]>();
      try {
        await database.write((sql) =>
          saveType(sql, { name: 'note', schema: null, protectedPaths: [], allowedParents: null }),
        );
        for (const step of sequence) {
          await runStep(database, model, step);
          past.set(await database.read(currentRevision), structuredClone(model.dump()));
        }
        for (const [revision, dump] of past) expect(await dumpAt(database, revision)).toEqual(dump);
      } finally {
        await database.close();
      }
    }),
    { numRuns: 100 * factor },
  );
});
