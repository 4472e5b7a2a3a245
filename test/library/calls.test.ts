import fc from 'fast-check';
import { expect, test } from 'vitest';
import { factor } from '../support/effort.js';
import { scratchFolder } from '../support/scratch.js';
import { attempt, expectPast, onScene, replay, type Scene, type Step, stepsOf } from './calls.js';
import { importKinds, importStep } from './calls-import.js';
import { timeKinds, timeStep } from './calls-time.js';
import { firstSteps, nodeAttempt, nodeKinds } from './node-operations.js';

const everyKind = [...nodeKinds, 'bulk', ...timeKinds, ...importKinds];

/** Takes a step, and answers whether anything was called with success. */
async function take(scene: Scene, step: Step): Promise<boolean> {
  if (step.kind === 'replay') return replay(scene, step);
  if (timeKinds.includes(step.kind)) return timeStep(scene, step);
  if (importKinds.includes(step.kind)) return importStep(scene, step);
  const planned = nodeAttempt(scene, step);
  return planned !== undefined && attempt(scene, step, planned);
}

/** Runs random sequences of these kinds. Answers how often a step of each kind was called with success. */
async function runCalls(kinds: readonly string[], numRuns: number): Promise<Map<string, number>> {
  const folder = scratchFolder();
  const succeeded = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(stepsOf(kinds), (steps) =>
      onScene(folder, async (scene) => {
        for (const step of [...firstSteps, ...steps]) {
          if (await take(scene, step)) succeeded.set(step.kind, (succeeded.get(step.kind) ?? 0) + 1);
        }
        await expectPast(scene);
      }),
    ),
    { numRuns: numRuns * factor },
  );
  return succeeded;
}

test('T24 a call that is repeated with its key answers the first result and changes nothing, whatever others did since', async () => {
  const succeeded = await runCalls([...everyKind, ...Array<string>(everyKind.length).fill('replay')], 12);
  expect(succeeded.get('replay')).toBeGreaterThan(0);
});

test('T25 undo, redo and restores between the changes of other agents do exactly what they say, or nothing', async () => {
  const succeeded = await runCalls([...nodeKinds, ...timeKinds, ...timeKinds], 12);
  for (const kind of ['undo', 'snapshot']) expect(succeeded.get(kind)).toBeGreaterThan(0);
});

test('T26 bulk updates and imports between the changes of other agents do exactly what they say, or nothing', async () => {
  const succeeded = await runCalls([...nodeKinds, 'bulk', 'bulk', 'bulk', ...importKinds, ...importKinds, 'undo'], 12);
  for (const kind of ['bulk', 'upsert']) expect(succeeded.get(kind)).toBeGreaterThan(0);
});
