/** The folder tools with OmniFocus behind them, beside the same tools with the embedded library. */
import { expect, test } from 'vitest';
import type { Envelope, Session } from '../../src/workspace.js';
import { fakeOmniFocus } from '../support/fake-omnifocus.js';
import { cli, scratchWorkspace } from '../support/scratch.js';

const settings = { 'providers.folders': 'omnifocus' } as const;

async function omnifocusSession() {
  const mac = fakeOmniFocus();
  return { mac, session: (await scratchWorkspace({ env: mac.env, settings })).session() };
}

type Step = [tool: string, input: Record<string, unknown>];

/** `#1` stands for the id of the first folder that was made, and so on. */
const steps: Step[] = [
  ['list_folders', {}],
  ['add_folder', { name: ' Work ' }],
  ['add_folder', { name: 'Guides', position: { placement: 'ending', relativeTo: '#1' } }],
  ['add_folder', { name: 'Guides', position: { placement: 'before', relativeTo: '#1' } }],
  ['add_folder', { name: '  ' }],
  ['add_folder', { name: 'x', position: { placement: 'before' } }],
  ['add_folder', { name: 'x', position: { placement: 'after', relativeTo: 'library' } }],
  ['add_folder', { name: 'x', position: { placement: 'ending', relativeTo: '' } }],
  ['add_folder', { name: 'x', position: { placement: 'ending', relativeTo: null } }],
  ['list_folders', { parentId: 'library', includeChildren: false }],
  ['list_folders', { parentId: '' }],
  ['list_folders', { parentId: null, status: 'active' }],
  ['edit_folder', { name: 'Guides', newName: 'x' }],
  ['edit_folder', { id: '#2', newName: ' Books ', newStatus: 'dropped' }],
  ['edit_folder', { id: 'library', newName: 'x' }],
  ['edit_folder', { id: '#2' }],
  ['edit_folder', { newName: 'x' }],
  ['list_folders', { status: 'dropped' }],
  ['move_folder', { id: '#1', position: { placement: 'ending', relativeTo: '#2' } }],
  ['move_folder', { id: '#1', position: { placement: 'before', relativeTo: '#1' } }],
  ['move_folder', { id: 'library', position: { placement: 'ending' } }],
  ['move_folder', { name: 'Books', position: { placement: 'beginning' } }],
  ['move_folder', { id: '#1' }],
  ['remove_folder', { id: 'library' }],
  ['remove_folder', { name: 'work' }],
  ['remove_folder', { name: 'Work' }],
  ['list_folders', {}],
];

/** Runs the steps and answers the envelopes, with the ids replaced by their marks and without versions. */
async function played(session: Session): Promise<Envelope[]> {
  const ids: string[] = [];
  const swap = (value: unknown, from: string[], to: string[]): unknown =>
    from.reduce((text, one, index) => text.replaceAll(one, to[index] as string), JSON.stringify(value));
  const marks = () => ids.map((_, index) => `#${index + 1}`);
  const envelopes: Envelope[] = [];
  for (const [tool, input] of steps) {
    const envelope = await session.callUntyped(tool, JSON.parse(swap(input, marks(), ids) as string));
    if (tool === 'add_folder' && envelope.success) ids.push(envelope.id as string);
    const { version: _, ...rest } = JSON.parse(swap(envelope, ids, marks()) as string);
    envelopes.push(rest);
  }
  return envelopes;
}

test('O10 the folder tools answer from OmniFocus as they do from the library, without a version', async () => {
  const { mac, session } = await omnifocusSession();
  const ours = (await scratchWorkspace()).session();
  expect(await played(session)).toEqual(await played(ours));
  expect(await session.call('list_folders', {})).not.toHaveProperty('version');
  expect(await session.call('add_folder', { name: 'x', version: 'r1' })).toMatchObject({
    error: "Invalid version 'r1': omnifocus keeps no versions",
  });
  expect(mac.sections().map(({ name }) => name)).toEqual(['Books', 'Guides']);
});

const hostile = [
  `'"\`); deleteObject(folders[0]); ("`,
  '${' + 'deleteObject(folders[0])}',
  'back\\slash \\u0041 \\',
  'two\nlines\r\nand\ttab',
  'bell\u0007 escape\u001b[31m delete\u007f next\u0085',
  'lines\u2028and\u2029paragraphs',
  '</script><!-- */ //',
  '__proto__',
  '📚'.repeat(25_000),
];

test('O13 any name comes back unchanged and executes nothing', async () => {
  const { mac, session } = await omnifocusSession();
  await session.call('add_folder', { name: 'first' });
  for (const name of hostile) {
    expect(await session.call('add_folder', { name })).toMatchObject({ success: true, name });
  }
  expect(mac.sections().map(({ name }) => name)).toEqual(['first', ...hostile]);
  for (const name of hostile.slice(0, 3)) {
    expect(await session.call('edit_folder', { name, newStatus: 'dropped' })).toMatchObject({ success: true, name });
  }
  const listed = await session.call('list_folders', {});
  expect(listed.success && listed.folders.map(({ name }) => name)).toEqual(['first', ...hostile]);
});

test.each(['nul\u0000', 'half \ud83d', '\udc00 half'])('O14 %j is refused before any script runs', async (name) => {
  const { mac, session } = await omnifocusSession();
  for (const [tool, input] of [
    ['add_folder', { name }],
    ['edit_folder', { id: name, newName: 'x' }],
    ['remove_folder', { name }],
    ['list_folders', { parentId: name }],
    ['move_folder', { id: 'x', position: { placement: 'ending', relativeTo: name } }],
  ] as Step[]) {
    expect(await session.callUntyped(tool, input)).toMatchObject({ success: false, error_type: 'invalid_argument' });
  }
  expect(mac.runs()).toEqual([]);
});

test('O1 O10 the built command line reaches OmniFocus by the environment variable', async () => {
  const mac = fakeOmniFocus();
  const env = { ...mac.env, AI_ASSIST_FOLDERS_PROVIDER: 'omnifocus' };
  const made = await cli(['tool', 'add_folder', '--name', 'Work', '--json'], env);
  expect(JSON.parse(made.stdout)).toEqual({ success: true, id: expect.any(String), name: 'Work' });
  expect(mac.sections()).toMatchObject([{ name: 'Work' }]);
  mac.faults('error -1743');
  const refused = await cli(['tool', 'list_folders'], env);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Privacy & Security, Automation') });
});

test('O22 the circuit is known to other processes, until a probe is answered', async () => {
  const { mac, session } = await omnifocusSession();
  mac.faults('signal after', 'error -1712');
  await session.call('add_folder', { name: 'Work' });
  const refused = await cli(['tool', 'list_folders'], { ...mac.env, AI_ASSIST_FOLDERS_PROVIDER: 'omnifocus' });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing more was sent to it') });
  const later = (await scratchWorkspace({ env: mac.env, settings })).session();
  expect(await later.call('list_folders', {})).toMatchObject({ success: true });
  await later.call('list_folders', {});
  expect(mac.runs().map(({ kind }) => kind)).toEqual(['script', 'probe', 'probe', 'script', 'script']);
});
