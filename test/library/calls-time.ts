/** Random undo and redo, snapshots and restores. What they make of the tree is judged by facts, then taken over. */
import { expect } from 'vitest';
import {
  type Attempt,
  attempt,
  basisOf,
  type Done,
  type Look,
  rowsOf,
  type Scene,
  type Snapshot,
  type Step,
} from './calls.js';
import { expectMarks, expectSame, type Facts, factsOf, listsOf, withoutUnheld } from './facts.js';

export const timeKinds: readonly string[] = [
  ...['undo', 'undo', 'undo', 'redo', 'there and back', 'snapshot', 'snapshot', 'restore', 'restore', 'forget'],
];

/** Takes a step of these kinds, and answers whether anything was called with success. */
export async function timeStep(scene: Scene, step: Step): Promise<boolean> {
  if (step.kind === 'undo' || step.kind === 'redo') return attempt(scene, step, reverting(scene, step, step.kind));
  if (step.kind === 'there and back') return thereAndBack(scene, step);
  if (step.kind === 'snapshot') return attempt(scene, step, noting(scene, step));
  const { snapshots } = scene;
  const snapshot = snapshots[step.pick % (snapshots.length || 1)];
  if (!snapshot) return false;
  return attempt(scene, step, (step.kind === 'restore' ? restoring : forgetting)(scene, step, snapshot));
}

/** Undo then redo is as if nothing had been done. */
async function thereAndBack(scene: Scene, step: Step): Promise<boolean> {
  const before = scene.now;
  if (!(await attempt(scene, step, reverting(scene, step, 'undo')))) return false;
  const now = { ...step, lag: 0 };
  expect(await attempt(scene, now, { ...reverting(scene, now, 'redo'), outcomes: [undefined] })).toBe(true);
  expectSame(scene.now, before);
  return true;
}

function reverting(scene: Scene, step: Step, tool: 'undo' | 'redo'): Attempt {
  const { agent, lag } = step;
  const { undoable, redoable, past, now } = scene;
  const [from, to] = tool === 'undo' ? [undoable, redoable] : [redoable, undoable];
  const stack = from.get(agent) ?? [];
  const revision = stack.at(-1);
  // Where nothing has changed since, nothing is in the way.
  const isSure = revision !== undefined && lag === 0 && rowsOf(past.get(revision) as Look) === rowsOf(now);
  const isBlocked = revision !== undefined && isChangedAgain(past, revision, now);
  const outcomes = isBlocked ? ['conflict'] : isSure ? [undefined] : [undefined, 'conflict'];
  const apply = (done: Done) => {
    const reverted = revision as number;
    expect(done.answer.reverted).toMatchObject({ version: `r${reverted}` });
    expect(done.after.revision).toBe(done.before.revision + 1);
    expectReverted(past.get(reverted - 1) as Look, past.get(reverted) as Look, done);
    from.set(agent, stack.slice(0, -1));
    to.set(agent, [...(to.get(agent) ?? []), done.after.revision]);
    takeOver(scene, done);
  };
  return { tool, input: {}, outcomes: revision === undefined ? ['invalid_argument'] : outcomes, apply };
}

/** Whether anything that a revision did has become something else since. */
function isChangedAgain(past: ReadonlyMap<number, Look>, revision: number, now: Look): boolean {
  const then = factsOf(past.get(revision - 1) as Look);
  const [made, current] = [factsOf(past.get(revision) as Look), factsOf(now)];
  const isOther = (key: string) => isWritten(key, then.get(key), made.get(key)) && current.get(key) !== made.get(key);
  return [...then.keys(), ...made.keys()].some(isOther);
}

/** Whether a change set a fact. A payload comes and goes with those who hold it: only a new value was written. */
const isWritten = (key: string, old: string | undefined, made: string | undefined): boolean =>
  old !== made && (!key.startsWith('payload ') || (old !== undefined && made !== undefined));

/** What the change did is as before it; all else is as it was. */
function expectReverted(then: Look, changed: Look, { before, after }: Done): void {
  expect(factsOf(after)).toEqual(reverted(factsOf(then), factsOf(changed), factsOf(before)));
  const [oldLists, doneLists, lists] = [listsOf(then), listsOf(changed), listsOf(before)];
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  for (const [id, children] of listsOf(after)) {
    // Where nobody has worked in the list since, it is exactly as it was.
    if (oldLists.has(id) && same(lists.get(id), doneLists.get(id))) expect(children).toEqual(oldLists.get(id));
    // Where the change did nothing, undoing it does nothing.
    if (same(oldLists.get(id), doneLists.get(id))) expect(children, id).toEqual(lists.get(id));
  }
}

function reverted(then: Facts, changed: Facts, now: Facts): Facts {
  const facts: Facts = new Map();
  for (const key of new Set([...then.keys(), ...changed.keys(), ...now.keys()])) {
    const [old, made, current] = [then.get(key), changed.get(key), now.get(key)];
    const value = isWritten(key, old, made) ? old : key.startsWith('payload ') ? (current ?? old) : current;
    if (value !== undefined) facts.set(key, value);
  }
  return withoutUnheld(facts);
}

function takeOver({ model }: Scene, { before, after }: Done): void {
  expectMarks(before, after);
  model.load(after);
}

/** A snapshot may be taken with any version: it touches nothing. */
function noting({ snapshots }: Scene, { name }: Step): Attempt {
  const apply = ({ answer, before, after }: Done) => {
    expect(after).toEqual({ ...before, beside: after.beside });
    snapshots.push({ id: answer.snapshotId as string, look: before });
  };
  return { tool: 'snapshot_create', input: { label: name }, outcomes: [undefined], apply };
}

/** The label goes, and the tree stays. */
function forgetting(scene: Scene, _: Step, snapshot: Snapshot): Attempt {
  const apply = ({ before, after }: Done) => {
    expect(after).toEqual({ ...before, beside: after.beside });
    scene.snapshots = scene.snapshots.filter((other) => other !== snapshot);
  };
  return { tool: 'snapshot_remove', input: { snapshotId: snapshot.id }, outcomes: [undefined], apply };
}

function restoring(scene: Scene, step: Step, snapshot: Snapshot): Attempt {
  const { snapshots, now } = scene;
  const isSure = basisOf(scene, step) === now.revision;
  const apply = (done: Done) => {
    expectSame(done.after, snapshot.look);
    snapshots.push({ id: done.answer.safetySnapshotId as string, look: done.before });
    takeOver(scene, done);
  };
  const outcomes = isSure ? [undefined] : [undefined, 'conflict'];
  return { tool: 'snapshot_restore', input: { snapshotId: snapshot.id }, outcomes, apply };
}
