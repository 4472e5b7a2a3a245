import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openWorkspace, type Session } from '../../src/workspace.js';
import { cli, scratchEnv, scratchFolder } from '../support/scratch.js';
import { runHere } from './here.js';

const note = { name: 'Tone', tags: ['a', 'b'] };

/** A library with one note, and the command line on it. */
async function library() {
  const folder = scratchFolder();
  const env = scratchEnv(folder, { AI_ASSIST_AGENT: 'ada', TMPDIR: folder });
  /** What is done in process is done by the time the next command starts. */
  const within = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const workspace = await openWorkspace({ env });
    const result = await work(workspace.session({ agent: 'ada', role: 'owner' }));
    await workspace.close();
    return result;
  };
  const id = await within(async (session) => {
    await session.call('define_document_type', { documentType: 'note' });
    const made = await session.call('create_document', { documentType: 'note', data: note });
    return made.success ? made.documentId : '';
  });
  const dataOf = (documentId = id) =>
    within(async (session) => {
      const read = await session.call('get_document', { documentId });
      return read.success ? read.document.data : undefined;
    });
  const run = (args: string[], more: NodeJS.ProcessEnv = {}) => runHere(['documents', ...args], { ...env, ...more });
  /** A process of its own, which reads this input. */
  const piped = (args: string[], input: string) => cli(['documents', ...args], env, input);
  return { folder, id, dataOf, run, piped };
}

test('D90 list, get, types and delete', async () => {
  const { id, run } = await library();
  const listed = await run(['list', '--type', 'note', '--filter', '{"path":"name","op":"eq","value":"Tone"}']);
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining(`│ ${id} │ note │ Tone │`) });
  expect(JSON.parse((await run(['get', id])).stdout)).toEqual(note);
  expect(JSON.parse((await run(['get', id, '--path', 'tags.1', '--json'])).stdout)).toMatchObject({
    success: true,
    document: { data: { 'tags.1': 'b' } },
  });
  const types = await run(['types']);
  expect(types.stdout).toContain('│ note │ 1');
  expect(types.stdout).not.toContain('folder');
  expect(await run(['delete', id, '--dry-run'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Dry run') });
  expect(await run(['delete', id])).toMatchObject({ code: 0, stdout: 'Deleted the note Tone.\n' });
  expect(await run(['get', id])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('document not found'),
  });
});

test('D91 create and update read JSON from files and standard input', async () => {
  const { folder, id, dataOf, run, piped } = await library();
  const file = path.join(folder, 'new.json');
  writeFileSync(file, '{"name":"From a file"}');
  const made = JSON.parse((await run(['create', 'note', file, '--json'])).stdout) as { documentId: string };
  expect(await dataOf(made.documentId)).toEqual({ name: 'From a file' });
  expect(await piped(['create', 'note'], '{"name":"From input"}')).toMatchObject({ code: 0 });

  writeFileSync(
    file,
    JSON.stringify({ updates: { stars: 1 }, operations: [{ path: 'tags', action: 'delete', index: 0 }] }),
  );
  expect(await run(['update', id, file])).toMatchObject({ code: 0, stdout: `Updated note ${id}: tags, stars.\n` });
  await piped(['update', id, '-'], '[{"op":"add","path":"/x","value":1}]');
  await piped(['update', id], '{"system.hp":3}');
  await run(['update', id, '--type', 'note', '--operations', '[{"path":"tags","action":"insert","value":"c"}]']);
  expect(await dataOf()).toEqual({ name: 'Tone', tags: ['b', 'c'], stars: 1, x: 1, system: { hp: 3 } });
  const failed = await run(['update', id, '--operations', '[{"path":"name","action":"insert","value":"c"}]']);
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Operation 1: name: not an array: it is text'),
  });
});

describe('documents edit', () => {
  test('D92 what the editor saves is written; unchanged text changes nothing', async () => {
    const { folder, id, dataOf, run } = await library();
    expect(await run(['edit', id], { EDITOR: 'sed -i s/Tone/Mood/' })).toMatchObject({
      code: 0,
      stdout: `Updated note ${id}: name.\n`,
    });
    expect(await dataOf()).toEqual({ ...note, name: 'Mood' });
    const same = await run(['edit', id], { EDITOR: 'false', VISUAL: 'true' });
    expect(same).toMatchObject({ code: 0, stdout: 'Nothing was changed.\n' });
    expect(readdirSync(folder).filter((name) => name.startsWith('ai-assist-edit'))).toEqual([]);
  });

  test('D93 what changed meanwhile is not overwritten, and the text is kept', async () => {
    const { folder, id, dataOf, run } = await library();
    // The editor is a program that changes the document behind the back of the command.
    const editor = path.join(folder, 'editor.mjs');
    const main = path.resolve('dist/cli/main.cjs');
    writeFileSync(
      editor,
      `import { execFileSync } from 'node:child_process';
       import { readFileSync, writeFileSync } from 'node:fs';
       const input = JSON.stringify({ stars: 9 });
       execFileSync(process.execPath, [${JSON.stringify(main)}, 'documents', 'update', ${JSON.stringify(id)}], { input });
       writeFileSync(process.argv[2], readFileSync(process.argv[2], 'utf8').replace('Tone', 'Mood'));`,
    );
    const edited = await run(['edit', id], { EDITOR: `"${process.execPath}" "${editor}"` });
    expect(edited).toMatchObject({ code: 1, stderr: expect.stringContaining('is out of date') });
    expect(await dataOf()).toEqual({ ...note, stars: 9 });
    const kept = /Your text is kept in (.*)/.exec(edited.stderr)?.[1] as string;
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual({ ...note, name: 'Mood' });
  });

  test('D93 text that is no JSON is kept, and so is that of an editor that failed', async () => {
    const { id, dataOf, run } = await library();
    const broken = await run(['edit', id], { EDITOR: 'sed -i s/Tone/\\"/' });
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('The text is not JSON') });
    expect(existsSync(/kept in (.*)/.exec(broken.stderr)?.[1] as string)).toBe(true);
    const failed = await run(['edit', id], { EDITOR: 'false' });
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("The editor 'false' ended with 1") });
    expect(await dataOf()).toEqual(note);
  });
});

test.each([
  [[], 'The documents command is missing'],
  [['shuffle'], "Unknown documents command 'shuffle'"],
  [['get'], 'The id of the document is missing'],
  [['create'], 'The type of the document is missing'],
  [['create', 'note', '/nowhere.json'], "Cannot read '/nowhere.json'"],
  [['update', 'x', '--patch', '['], '--patch is not JSON'],
  [['update', 'x', '/nowhere.json', '--patch', '[]'], 'The changes are given twice'],
  [['get', 'a', 'b'], "Unexpected word 'b'"],
  [['list', '--limit', 'many'], "--limit 'many' is not a number"],
  [['edit', 'x'], 'No editor is set'],
])('D94 documents %j', async (args, error) => {
  const folder = scratchFolder();
  const { code, stderr } = await runHere(['documents', ...args], scratchEnv(folder));
  expect(code).toBe(2);
  expect(stderr).toContain(error);
});
