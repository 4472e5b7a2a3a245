/** Random calls: OmniFocus and the embedded library are two routes to one answer. */
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Failure } from '../../src/errors.js';
import { type FolderPort, folderStatuses, type Position, placements } from '../../src/library/folders/folder.js';
import type { OmniFocus } from '../../src/providers/omnifocus/application.js';
import { omnifocusFolders } from '../../src/providers/omnifocus/folders.js';
import { evaluate } from '../fakes/omnifocus/osascript.mjs';
import { factor } from '../support/effort.js';
import { portOn, scratchDatabase } from '../support/library-port.js';
import { scratchFolder } from '../support/scratch.js';

/** The real scripts, evaluated here instead of in a process each. */
function fakeApplication(): OmniFocus {
  const stateFile = path.join(scratchFolder(), 'state.json');
  return { ask: async ({ script }) => String(evaluate(script, stateFile)), probe: async () => {} };
}

/** A folder is named by its number in the order of making; some numbers stand for none. */
const reference = fc.oneof(
  { weight: 8, arbitrary: fc.nat(6) },
  { weight: 1, arbitrary: fc.constantFrom('library', 'xyz', '') },
);
const position = fc.record({
  placement: fc.constantFrom(...placements),
  relativeTo: fc.option(reference, { nil: undefined }),
});
const name = fc.constantFrom('a', 'b', 'c', "it's", '📚');
const which = fc.oneof(
  { weight: 3, arbitrary: fc.record({ id: reference }) },
  { weight: 1, arbitrary: fc.record({ name }) },
);

const call = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), name, position }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), which, position }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      which,
      newName: fc.option(name, { nil: undefined }),
      newStatus: fc.option(fc.constantFrom(...folderStatuses), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('list' as const),
      parentId: fc.option(reference, { nil: undefined }),
      includeChildren: fc.boolean(),
      status: fc.option(fc.constantFrom(...folderStatuses), { nil: undefined }),
    }),
  },
);
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;
type Reference = number | string | undefined;

/** Makes the calls and answers everything that came back, with ids as numbers and without versions. */
async function played(port: FolderPort, calls: readonly Call[]): Promise<unknown[]> {
  const ids: string[] = [];
  const idOf = (given: Reference) => (typeof given === 'number' ? (ids[given] ?? 'xyz') : given);
  const placed = ({
    placement,
    relativeTo,
  }: {
    placement: Position['placement'];
    relativeTo: Reference;
  }): Position => ({
    placement,
    // What the tools refuse before they ask anyone.
    relativeTo: idOf(placement === 'before' || placement === 'after' ? relativeTo || 'xyz' : relativeTo),
  });
  const found = (given: { id: Reference } | { name: string }) =>
    'id' in given ? { id: idOf(given.id) || 'xyz' } : given;

  const make = async (one: Call): Promise<unknown> => {
    if (one.kind === 'list') return port.list({ ...one, parentId: idOf(one.parentId) });
    if (one.kind === 'edit') return port.edit(found(one.which), one);
    if (one.kind === 'remove') return port.remove(found(one.which));
    if (one.kind === 'move') return port.move(found(one.which), placed(one.position));
    const made = await port.add(one.name, placed(one.position));
    ids.push(made.id);
    return made;
  };
  const answers: unknown[] = [];
  for (const one of [
    ...calls,
    { kind: 'list', parentId: undefined, includeChildren: true, status: undefined } as const,
  ]) {
    const answer = await make(one).catch((thrown: Failure) => {
      if (!(thrown instanceof Failure)) throw thrown;
      return thrown.toEnvelope();
    });
    const text = ids.reduce((all, id, index) => all.replaceAll(id, `#${index}`), JSON.stringify(answer));
    answers.push(JSON.parse(text, (key, value) => (key === 'version' ? undefined : value)));
  }
  return answers;
}

test('O10 random calls get the same answers from OmniFocus as from the library', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 10, maxLength: 40 }), async (calls) => {
      const library = portOn(await scratchDatabase());
      const omnifocus = omnifocusFolders(fakeApplication(), { dryRun: false });
      expect(await played(omnifocus, calls)).toEqual(await played(library, calls));
    }),
    { numRuns: 25 * factor },
  );
});
