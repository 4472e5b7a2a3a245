// @ts-check
// Records what a real OmniFocus answers to the cases of the folder contract, beside what the emulator of the
// tests answers. Run it on a Mac, by hand: npm run build && node scripts/omnifocus-capture.mjs [--output FILE]
// It works inside one new folder at the end of your library, and removes that again.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openOmniFocus } from '../dist/providers/omnifocus/application.js';
import { omnifocusFolders } from '../dist/providers/omnifocus/folders.js';
import { evaluate } from '../test/fakes/omnifocus/osascript.mjs';

/** @typedef {import('../dist/library/folders/folder.js').FolderPort} FolderPort */
/** @typedef {import('../dist/providers/omnifocus/application.js').OmniFocus} OmniFocus */
/** @typedef {{ what: string, answer: unknown }} Recorded */
/** @typedef {[what: string, run: (port: FolderPort, ids: Record<string, string>, omnifocus: OmniFocus) => Promise<unknown>]} Case */

const hostile = [
  `'"\`); ("`,
  '${' + '1 + 1}',
  'back\\slash \\u0041',
  'two\nlines\tand a tab',
  'bell\u0007 escape\u001b[31m',
  'lines\u2028and\u2029paragraphs',
  '📚 Bücher é',
  'x'.repeat(100_000),
];

/** Names are looked up in the whole library, so these must be nobody else's. */
const SINGLE = 'ai-assist capture: single';
const TWIN = 'ai-assist capture: twin';

/** Places inside the scratch folder, or beside what is in it. @param {string | undefined} id */
const into = (id) => ({ placement: /** @type {const} */ ('ending'), relativeTo: id });

/** @param {string} key @param {string} name @param {Parameters<FolderPort['add']>[1]} [position] @returns {Case} */
const adding = (key, name, position) => [
  `add ${key}`,
  async (port, ids) => {
    const made = await port.add(name, position ?? into(ids.scratch));
    ids[key] = made.id;
    return made;
  },
];

/** @param {string} what @param {(ids: Record<string, string>) => string | undefined} parent @returns {Case} */
const listing = (what, parent) => [what, (port, ids) => port.list({ parentId: parent(ids), includeChildren: true })];

/** @type {Case[]} */
const cases = [
  adding('work', 'Work'),
  adding('play', 'Play'),
  ['add inside', async (port, ids) => (ids.guides = (await port.add('Guides', into(ids.work))).id)],
  ['add deeper', async (port, ids) => (ids.style = (await port.add('Style', into(ids.guides))).id)],
  ['add at the beginning', (port, ids) => port.add('First', { placement: 'beginning', relativeTo: ids.scratch })],
  ['add before', (port, ids) => port.add('Before', { placement: 'before', relativeTo: ids.play })],
  ['add after', (port, ids) => port.add('After', { placement: 'after', relativeTo: ids.play })],
  listing('list everything below', (ids) => ids.scratch),
  ['list the children', (port, ids) => port.list({ parentId: ids.scratch, includeChildren: false })],
  ['drop', (port, ids) => port.edit({ id: ids.work }, { newStatus: 'dropped' })],
  ['list the dropped', (port, ids) => port.list({ parentId: ids.scratch, includeChildren: true, status: 'dropped' })],
  ['activate and rename', (port, ids) => port.edit({ id: ids.work }, { newName: 'Job', newStatus: 'active' })],
  ['an unknown id', (port) => port.edit({ id: 'no-such-folder' }, { newName: 'x' })],
  ['an empty reference', (port) => port.add('x', into(''))],
  ['an unknown reference', (port) => port.add('x', into('no-such-folder'))],
  ['an unknown parent', (port) => port.list({ parentId: 'no-such-folder', includeChildren: true })],
  ['a move into its own inside', (port, ids) => port.move({ id: ids.work }, into(ids.style))],
  ['a move beside itself', (port, ids) => port.move({ id: ids.work }, { placement: 'after', relativeTo: ids.work })],
  ['a move to where it is', (port, ids) => port.move({ id: ids.work }, { placement: 'before', relativeTo: ids.play })],
  ['a move to another parent', (port, ids) => port.move({ id: ids.guides }, into(ids.play))],
  ['a move before', (port, ids) => port.move({ id: ids.play }, { placement: 'before', relativeTo: ids.work })],
  listing('list after the moves', (ids) => ids.scratch),
  adding('single', SINGLE),
  adding('twin', TWIN),
  ['add a second twin', async (port, ids) => (ids.second = (await port.add(TWIN, into(ids.play))).id)],
  ['edit by name', (port) => port.edit({ name: SINGLE }, { newStatus: 'dropped' })],
  ['an unknown name', (port) => port.edit({ name: `${SINGLE} ` }, { newName: 'x' })],
  ['an ambiguous name', (port) => port.move({ name: TWIN }, { placement: 'ending' })],
  ['the id wins over the name', (port, ids) => port.edit({ id: ids.single, name: TWIN }, { newStatus: 'active' })],
  ...hostile.map((name, index) => adding(`hostile ${index}`, name)),
  listing('list the hostile names', (ids) => ids.scratch),
  ['facts', (_port, ids, omnifocus) => facts(omnifocus, factsProgram(String(ids.scratch)))],
  ['facts of changes', (_port, ids, omnifocus) => facts(omnifocus, changesProgram(String(ids.scratch)))],
  ['throw midway', (_port, ids, omnifocus) => throwMidway(omnifocus, String(ids.scratch))],
  listing('list what was made before it threw', (ids) => ids.scratch),
  ['remove with all inside', (port, ids) => port.remove({ id: ids.play })],
  ['edit what was removed', (port, ids) => port.edit({ id: ids.style }, { newName: 'x' })],
  listing('list at the end', (ids) => ids.scratch),
];

/** Things that the emulator takes for granted, asked inside OmniFocus. @param {string} id @returns {string} */
const factsProgram = (id) => `(() => {
  const attempt = (ask) => { try { return String(ask()) } catch (thrown) { return 'throws' } };
  const folder = () => Folder.byIdentifier(${JSON.stringify(id)});
  return JSON.stringify({
    'there is no database object': attempt(() => typeof database),
    'byIdentifier of nothing': attempt(() => Folder.byIdentifier('')),
    'byIdentifier twice is one object': attempt(() => folder() === folder()),
    'flattenedFolders twice is one array': attempt(() => flattenedFolders === flattenedFolders),
    'a status is no string': attempt(() => typeof folder().status),
    'a status is one object': attempt(() => folder().status === Folder.Status.Active),
    'the statuses of types differ': attempt(() => Folder.Status.Active === Project.Status.Active),
    'order of flattenedFolders': attempt(() => folder().flattenedFolders.map((one) => one.name.slice(0, 20)).join(' | ')),
    'a word as a status': attempt(() => { folder().status = 'active' }),
  });
})()`;

/** The same for things that show only in a change. @param {string} id @returns {string} */
const changesProgram = (id) => `(() => {
  const attempt = (ask) => { try { return String(ask()) } catch (thrown) { return 'throws' } };
  const inside = (parent, name) => new Folder(name, parent.ending);
  const room = inside(Folder.byIdentifier(${JSON.stringify(id)}), 'Room');
  const [first, second, third] = ['1', '2', '3'].map((name) => inside(room, name));
  const beforeFirst = first.before;
  moveSections([first], third.before);
  new Folder('new', beforeFirst);
  const order = room.folders.map((one) => one.name).join(' ');
  const child = inside(second, 'child');
  const [secondId, childId] = [second.id.primaryKey, child.id.primaryKey];
  deleteObject(second);
  return JSON.stringify({
    'a position is resolved when it is used': order,
    'the name of a deleted folder': attempt(() => second.name),
    'the name of a folder that was in it': attempt(() => child.name),
    'byIdentifier of a deleted folder': attempt(() => Folder.byIdentifier(secondId)),
    'byIdentifier of a folder that was in it': attempt(() => Folder.byIdentifier(childId)),
    'a move to a deleted place': attempt(() => moveSections([third], second.after)),
    'a move into itself': attempt(() => moveSections([room], third.before)),
  });
})()`;

/** @param {OmniFocus} omnifocus @param {string} program */
const evaluated = (omnifocus, program) =>
  omnifocus.ask({
    script: `Application('OmniFocus').evaluateJavascript(${JSON.stringify(program)})`,
    // None of them is sent twice.
    isChange: true,
  });

/** @param {OmniFocus} omnifocus @param {string} program */
const facts = async (omnifocus, program) => JSON.parse(await evaluated(omnifocus, program));

/** @param {OmniFocus} omnifocus @param {string} id */
const throwMidway = (omnifocus, id) =>
  evaluated(
    omnifocus,
    `new Folder('made before', Folder.byIdentifier(${JSON.stringify(id)}).ending); throw new Error('midway')`,
  ).then(
    (answer) => ({ answers: answer }),
    () => ({ answers: 'an error' }),
  );

/** The answer of one case, or the failure, with ids replaced by what they stand for. */
async function record(/** @type {OmniFocus} */ omnifocus) {
  const port = omnifocusFolders(omnifocus, { dryRun: false });
  const name = `ai-assist capture ${new Date().toISOString()}`;
  const scratch = await port.add(name, { placement: 'ending' });
  /** @type {Record<string, string>} */
  const ids = { scratch: scratch.id };
  /** @type {Recorded[]} */
  const recorded = [];
  try {
    for (const [what, run] of cases) {
      const answer = await run(port, ids, omnifocus).catch(
        (/** @type {Error & { type?: string, details?: object }} */ thrown) => {
          // Without permission no case has an answer.
          if (thrown.type === 'forbidden') throw thrown;
          return { failure: thrown.message, ...thrown.details };
        },
      );
      recorded.push({ what, answer });
    }
  } finally {
    await port.remove({ id: scratch.id }).catch((thrown) => {
      throw new Error(`${thrown.message}\nThe folder '${name}' may still be there: remove it by hand.`);
    });
  }
  return anonymous(recorded, ids);
}

/** @param {Recorded[]} recorded @param {Record<string, string>} ids @returns {Recorded[]} */
function anonymous(recorded, ids) {
  const named = new Map(Object.entries(ids).map(([key, id]) => [id, `<${key}>`]));
  let others = 0;
  /** @param {string} id */
  const nameOf = (id) => {
    if (!named.has(id)) named.set(id, `<other ${++others}>`);
    return named.get(id);
  };
  return JSON.parse(JSON.stringify(recorded), (key, value) => {
    if ((key === 'id' || key === 'parentId') && typeof value === 'string') return nameOf(value);
    if (key === 'failure') return [...named].reduce((text, [id, mark]) => text.replaceAll(id, mark), value);
    if (key === 'matchingIds') return value.map(nameOf);
    if (key === 'answer' && typeof value === 'string') return nameOf(value);
    return value;
  });
}

/** The emulator of the tests. @param {string} stateFile @returns {OmniFocus} */
const emulated = (stateFile) => ({
  ask: async ({ script }) => String(evaluate(script, stateFile)),
  probe: async () => {},
});

const { values } = parseArgs({ options: { output: { type: 'string', default: 'omnifocus-capture.json' } } });
const folder = mkdtempSync(path.join(os.tmpdir(), 'ai-assist-capture-'));
try {
  const real = await record(openOmniFocus({ env: process.env, timeoutMs: 150_000 }));
  const emulator = await record(emulated(path.join(folder, 'state.json')));
  const differences = real.filter(
    ({ answer }, index) => JSON.stringify(answer) !== JSON.stringify(emulator[index]?.answer),
  );
  writeFileSync(
    values.output,
    `${JSON.stringify({ real, emulator, differences: differences.map(({ what }) => what) }, null, 2)}\n`,
  );
  for (const { what } of differences) console.log(`differs: ${what}`);
  console.log(`${real.length} cases, ${differences.length} differences. See ${values.output}`);
} catch (thrown) {
  const { message, instruction } = /** @type {Error & { instruction?: string }} */ (thrown);
  console.error(instruction ? `${message}\n${instruction}` : message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
