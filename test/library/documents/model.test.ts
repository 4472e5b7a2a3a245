/** Random operations against the same splices on plain arrays. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyOperations } from '../../../src/library/documents/apply-operations.js';
import { differencesOf } from '../../../src/library/documents/differences.js';
import type { Data } from '../../../src/library/documents/document.js';
import { parseOperations } from '../../../src/library/documents/operations.js';
import { updateDocument } from '../../../src/library/documents/update.js';
import { factor } from '../../support/effort.js';
import { memoryPort } from './memory-port.js';

const runs = { numRuns: 300 * factor };
const limits = { maxDepth: 50, maxInputBytes: 1e6 };

type Step = { path: 'a' | 'b.c' | 'd.0.e'; action: 'insert' | 'replace' | 'delete'; index: number; value: number };

const step = fc.record<Step>({
  path: fc.constantFrom('a', 'b.c', 'd.0.e'),
  action: fc.constantFrom('insert', 'replace', 'delete'),
  index: fc.nat({ max: 6 }),
  value: fc.integer(),
});
const numbers = fc.array(fc.integer(), { maxLength: 5 });
const lists = fc.record({ a: numbers, 'b.c': numbers, 'd.0.e': numbers });

const documentOf = (of: Record<Step['path'], number[]>): Data => ({
  name: 'kept',
  a: of.a,
  b: { c: of['b.c'], kept: true },
  d: [{ e: of['d.0.e'] }, 'kept'],
});

const asOperation = ({ value, ...rest }: Step): object => (rest.action === 'delete' ? rest : { ...rest, value });

/** The same step as a splice; false where the index is outside. */
function splice(of: Record<Step['path'], number[]>, { path, action, index, value }: Step): boolean {
  const list = of[path];
  if (index > list.length - (action === 'insert' ? 0 : 1)) return false;
  if (action === 'insert') list.splice(index, 0, value);
  else if (action === 'replace') list.splice(index, 1, value);
  else list.splice(index, 1);
  return true;
}

test('D4 operations in order equal the same splices on plain arrays', () => {
  fc.assert(
    fc.property(lists, fc.array(step, { maxLength: 12 }), (start, steps) => {
      const model = structuredClone(start);
      const valid = steps.filter((one) => splice(model, one));
      const before = documentOf(start);
      const frozen = structuredClone(before);
      const { data } = applyOperations(before, parseOperations(valid.map(asOperation)));
      expect(data).toEqual(documentOf(model));
      expect(before).toEqual(frozen);
    }),
    runs,
  );
});

test('D5 a failing operation anywhere leaves the document untouched', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.array(step, { maxLength: 8 }), fc.nat(), async (start, steps, at) => {
      const model = structuredClone(start);
      const valid = steps.filter((one) => splice(model, one)).map(asOperation);
      const failing = { path: 'a', action: 'delete', index: 1000 };
      const operations = valid.toSpliced(at % (valid.length + 1), 0, failing);
      const port = memoryPort({ one: documentOf(start) });
      const request = { documentType: 'Actor', documentId: 'one', updates: { name: 'new' }, operations };
      await expect(updateDocument(port, request, limits)).rejects.toThrow(
        `Operation ${operations.indexOf(failing) + 1}: a: index 1000 is out of bounds`,
      );
      expect(port.stored('one')).toEqual(documentOf(start));
      expect(port.calls).toEqual({ get: 1, update: 0 });
    }),
    runs,
  );
});

const json = fc
  .dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Data);

test('D71 the differences of two documents turn one into the other', () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const result = structuredClone(before);
      for (const difference of differencesOf(before, after)) {
        const path = [...difference.path];
        const last = path.pop() as string;
        const parent = path.reduce((at, key) => at[key] as Data, result);
        if ('isRemoved' in difference) delete parent[last];
        else
          Object.defineProperty(parent, last, {
            value: difference.value,
            enumerable: true,
            configurable: true,
            writable: true,
          });
      }
      expect(result).toEqual(after);
      expect(differencesOf(before, structuredClone(before))).toEqual([]);
    }),
    runs,
  );
});
