import fc from 'fast-check';
import { expect, test } from 'vitest';
import { factor } from '../support/effort.js';
import { scratchFolder } from '../support/scratch.js';
import { attempt, expectPast, onScene, stepsOf } from './calls.js';
import { firstSteps, nodeAttempt, nodeKinds } from './node-operations.js';

test('T22 random calls of several agents with old and new versions agree with a naive model, now and as of every revision', async () => {
  const folder = scratchFolder();
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(stepsOf(nodeKinds), (steps) =>
      onScene(folder, async (scene) => {
        for (const step of [...firstSteps, ...steps]) {
          const planned = nodeAttempt(scene, step);
          if (planned && !(await attempt(scene, step, planned))) refused++;
        }
        await expectPast(scene);
      }),
    ),
    { numRuns: 15 * factor },
  );
  expect(refused).toBeGreaterThan(0);
});
