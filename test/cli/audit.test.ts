/** `ai-assist audit`: the log from the command line. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { chooseDriver } from '../../src/storage/drivers/choose.js';
import { cli, scratchEnv, scratchFolder, scratchWorkspace } from '../support/scratch.js';

type Entry = { seq: number; agent: string; role: string; door: string; tool: string; outcome: string; hash: string };

/** A library with two changes, one failure and one read in its log. */
async function loggedLibrary() {
  const folder = scratchFolder();
  const env = scratchEnv(folder, { AI_ASSIST_AGENT: 'ada', AI_ASSIST_DATABASE: path.join(folder, 'library.db') });
  await cli(['tool', 'add_folder', '--name', 'Work'], env);
  await cli(['tool', 'edit_folder', '--name', 'Work', '--new-name', 'Office'], env);
  await cli(['tool', 'remove_folder', '--id', 'none'], { ...env, AI_ASSIST_AGENT: 'ben' });
  await cli(['tool', 'list_folders'], env);
  return env;
}

const logged = [
  { seq: 1, agent: 'ada', tool: 'add_folder', outcome: 'succeeded', door: 'cli', role: 'owner' },
  { seq: 2, agent: 'ada', tool: 'edit_folder', outcome: 'succeeded', door: 'cli', role: 'owner' },
  { seq: 3, agent: 'ben', tool: 'remove_folder', outcome: 'failed', door: 'cli', role: 'owner' },
  { seq: 4, agent: 'ada', tool: 'list_folders', outcome: 'succeeded', door: 'cli', role: 'owner' },
];

test('G36 audit list shows who called what and with what outcome, oldest first', async () => {
  const env = await loggedLibrary();
  const { code, stdout } = await cli(['audit', 'list'], env);
  expect(code).toBe(0);
  const rows = stdout.split('\n').map((line) => line.split(/ {2,}/));
  for (const [index, { seq, agent, door, tool, outcome }] of logged.entries()) {
    expect(rows[index]?.slice(0, 6)).toEqual([String(seq), expect.stringMatching(/Z$/), agent, door, tool, outcome]);
  }
});

test('G36 audit list takes filters, a limit and a place to go on from', async () => {
  const env = await loggedLibrary();
  const numbers = async (...options: string[]) => {
    const { stdout } = await cli(['audit', 'list', ...options, '--json'], env);
    const { entries } = JSON.parse(stdout) as { entries: Entry[] };
    return entries.map((entry) => entry.seq).filter((seq) => seq <= logged.length);
  };
  expect(await numbers('--agent', 'ben')).toEqual([3]);
  expect(await numbers('--tool', 'edit_folder')).toEqual([2]);
  expect(await numbers('--outcome', 'failed')).toEqual([3]);
  expect(await numbers('--after', '1', '--limit', '2')).toEqual([2, 3]);
  expect((await cli(['audit', 'list', '--limit', '1'], env)).stdout).toContain('More: --after 1');
});

test('G36 audit verify says that the log is intact', async () => {
  const env = await loggedLibrary();
  expect(await cli(['audit', 'verify'], env)).toMatchObject({
    code: 0,
    stdout: 'The audit log is intact: 4 entries.\n',
  });
  const { stdout } = await cli(['audit', 'verify', '--json'], env);
  expect(JSON.parse(stdout)).toMatchObject({ success: true, intact: true });
});

/** Changes an entry as someone would who has the file, past the triggers. */
function tamper(env: NodeJS.ProcessEnv): void {
  const database = chooseDriver('auto').connect(env.AI_ASSIST_DATABASE as string);
  database.exec('DROP TRIGGER audit_keeps_content');
  database.exec("UPDATE audit SET agent = 'eve' WHERE seq = 2");
  database.close();
}

test('G36 audit verify ends with 1 and names the entry that was changed', async () => {
  const env = await loggedLibrary();
  tamper(env);
  const told = await cli(['audit', 'verify'], env);
  expect(told).toMatchObject({ code: 1, stdout: '' });
  expect(told.stderr).toContain('broken at entry 2');
  const json = await cli(['audit', 'verify', '--json'], env);
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({ intact: false, entries: 1, brokenAt: 2 });
});

const exported = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);

test('G36 audit export writes every entry as a line of JSON', async () => {
  const { code, stdout } = await cli(['audit', 'export'], await loggedLibrary());
  expect(code).toBe(0);
  expect(exported(stdout)).toMatchObject(logged);
});

test('G36 audit export writes a log that is longer than one page', async () => {
  const folder = scratchFolder();
  const workspace = await scratchWorkspace({ folder });
  const session = workspace.session();
  for (let call = 0; call < 2001; call++) await session.call('list_folders', {});
  await session.close();
  const { stdout } = await cli(['audit', 'export'], scratchEnv(folder));
  const numbers = exported(stdout).map((entry) => entry.seq);
  expect(numbers.slice(0, 2001)).toEqual(Array.from({ length: 2001 }, (_, index) => index + 1));
});

const verbs = ['list', 'verify', 'export'];

test.each(verbs)('G36 audit %s needs the role owner', async (verb) => {
  const env = await loggedLibrary();
  for (const role of ['reader', 'editor']) {
    const refused = await cli(['audit', verb], { ...env, AI_ASSIST_ROLE: role });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('needs the role owner');
  }
});

test('G36 audit_list needs the role owner as a tool too', async () => {
  const env = { ...(await loggedLibrary()), AI_ASSIST_ROLE: 'editor' };
  const { stdout } = await cli(['tool', 'audit_list', '--json'], env);
  expect(JSON.parse(stdout)).toMatchObject({ success: false, error_type: 'forbidden' });
});

test('G36 an empty log is listed, verified and exported', async () => {
  const env = scratchEnv(scratchFolder(), { AI_ASSIST_AUDIT_READS: 'false' });
  expect(await cli(['audit', 'list'], env)).toMatchObject({ code: 0, stdout: 'No entries.\n' });
  expect(await cli(['audit', 'verify'], env)).toMatchObject({
    code: 0,
    stdout: 'The audit log is intact: 0 entries.\n',
  });
  expect(await cli(['audit', 'export'], env)).toMatchObject({ code: 0, stdout: '' });
});
