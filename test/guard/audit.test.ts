import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/open.js';
import type { Session } from '../../src/workspace.js';
import { scratchFolder, scratchWorkspace } from '../support/scratch.js';
import { appendLine, withMadeUp } from './made-up-tools.js';

async function entriesOf(session: Session) {
  await session.close();
  const listed = await session.call('audit_list', { limit: 1000 });
  if (!listed.success) throw new Error(listed.error);
  return listed.entries;
}

test('G30 every call leaves an entry; a success is in the commit of its change', async () => {
  const workspace = await scratchWorkspace({ now: () => 1_700_000_000_000 });
  const ada = workspace.session({ agent: 'ada', role: 'editor' });
  const made = await ada.call('add_folder', { name: 'Work' });
  const [entry] = await entriesOf(workspace.session());
  expect(entry).toMatchObject({
    seq: 1,
    at: '2023-11-14T22:13:20.000Z',
    agent: 'ada',
    role: 'editor',
    door: 'library',
    tool: 'add_folder',
    effect: 'write',
    outcome: 'succeeded',
    targets: [made.success && made.id],
    revision: 1,
  });
});

test('G31 values are not logged, their hashes are', async () => {
  const session = (await scratchWorkspace()).session();
  await session.call('add_folder', { name: 'a secret plan' });
  await session.call('remove_folder', { name: 'another secret' });
  await session.callUntyped('add_folder', { 'third secret': 1 });
  await session.callUntyped('list_folders', { status: 'fourth secret' });
  const entries = await entriesOf(session);
  expect(JSON.stringify(entries)).not.toContain('secret');
  expect(entries[0]?.inputHash).toMatch(/^[0-9a-f]{64}$/);
  expect(entries[1]?.error).toMatch(/^Invalid name '#[0-9a-f]{12}': folder not found$/);
});

test('G31 nothing of a payload is logged, whatever it is called', async () => {
  const workspace = await scratchWorkspace({ tools: withMadeUp() });
  const session = workspace.session();
  await session.callUntyped('keep_record', { record: { patientId: 'a secret', id: 'a secret' } });
  await session.callUntyped('keep_record', { record: { parse: 'a secret' } });
  await session.callUntyped('keep_record', { record: { 'a secret': 7 } });
  await session.callUntyped('edit_folder', { id: 'a secret', newName: 'x' });
  await workspace.close();
  const database = await openDatabase({ location: workspace.location });
  const rows = await database.read((sql) => sql.all('SELECT * FROM audit'));
  await database.close();
  expect(rows).toHaveLength(4);
  expect(JSON.stringify(rows)).not.toContain('secret');
});

test('G33 no name that a caller makes up breaks the chain', async () => {
  const workspace = await scratchWorkspace();
  const session = workspace.session();
  await session.callUntyped(`${'x'.repeat(99)}😀`, {});
  await session.callUntyped('nul\u0000 and \ud800', {});
  await session.close();
  expect(await session.call('audit_verify', {})).toEqual({ success: true, intact: true, entries: 2 });
  for (const agent of ['', ' ', 'a\ud800', 'a\u0000b'])
    expect(() => workspace.session({ agent })).toThrow('Invalid agent');
});

test('G34 close waits until all calls are recorded, also those of a batch under way', async () => {
  const folder = scratchFolder();
  const workspace = await scratchWorkspace({ folder });
  const session = workspace.session();
  await Promise.all(Array.from({ length: 1000 }, () => session.call('list_folders', {})));
  await session.close();
  const database = await openDatabase({ location: workspace.location });
  const row = await database.read((sql) => sql.get<{ count: number }>('SELECT count(*) AS count FROM audit'));
  await database.close();
  expect(row?.count).toBe(1000);
});

test('G34 a refused read is recorded even when reads are not', async () => {
  const workspace = await scratchWorkspace({ settings: { 'audit.reads': false } });
  await workspace.session({ agent: 'eve', role: 'editor' }).call('audit_list', {});
  const entries = await entriesOf(workspace.session());
  expect(entries).toMatchObject([{ agent: 'eve', tool: 'audit_list', errorType: 'forbidden' }]);
});

test('G34 failed, refused, replayed, rehearsed and reading calls are recorded', async () => {
  const workspace = await scratchWorkspace({ settings: { 'limits.callsPerMinute': 5 }, now: () => 1_000_000 });
  const ada = workspace.session({ agent: 'ada', role: 'editor' });
  const reader = workspace.session({ agent: 'rita', role: 'reader' });
  await ada.call('add_folder', { name: 'Work', idempotencyKey: 'k' });
  await ada.call('add_folder', { name: 'Work', idempotencyKey: 'k' });
  await ada.call('add_folder', { name: 'Play', dryRun: true });
  await ada.call('add_folder', { name: '' });
  await ada.call('list_folders', {});
  await ada.call('list_folders', {});
  await ada.callUntyped('fly', {});
  await reader.call('add_folder', { name: 'x' });
  const entries = await entriesOf(workspace.session({ agent: 'olga' }));
  const lines = entries.map(({ agent, tool, outcome, errorType }) =>
    `${agent} ${tool} ${outcome} ${errorType ?? ''}`.trim(),
  );
  expect(lines.sort()).toEqual([
    'ada add_folder failed invalid_argument',
    'ada add_folder rehearsed',
    'ada add_folder replayed',
    'ada add_folder succeeded',
    'ada fly failed not_found',
    'ada list_folders failed rate_limited',
    'ada list_folders succeeded',
    'rita add_folder failed forbidden',
  ]);
});

test('G34 reads are not recorded when the setting says so', async () => {
  const session = (await scratchWorkspace({ settings: { 'audit.reads': false } })).session();
  await session.call('list_folders', {});
  await session.callUntyped('list_folders', { status: 'x' });
  await session.call('add_folder', { name: 'Work' });
  expect((await entriesOf(session)).map((entry) => entry.tool)).toEqual(['add_folder']);
});

test('G35 a change outside the database is recorded before and after', async () => {
  const file = path.join(scratchFolder(), 'lines.txt');
  const workspace = await scratchWorkspace({ tools: withMadeUp(appendLine(file)) });
  const session = workspace.session();
  await session.callUntyped('append_line', { line: 'one' });
  await session.callUntyped('append_line', { line: 'refuse' });
  await workspace.close();
  expect(readFileSync(file, 'utf8')).toBe('one\n');
  const database = await openDatabase({ location: workspace.location });
  const rows = await database.read((sql) => sql.all<{ outcome: string }>('SELECT outcome FROM audit ORDER BY seq'));
  await database.close();
  expect(rows.map((row) => row.outcome)).toEqual(['started', 'succeeded', 'started', 'failed']);
});

test('G32 the log can only be appended to', async () => {
  const workspace = await scratchWorkspace();
  await workspace.session().call('add_folder', { name: 'Work' });
  await workspace.close();
  const database = await openDatabase({ location: workspace.location });
  const change = (text: string) => database.write((sql) => sql.run(text));
  await expect(change("UPDATE audit SET agent = 'mallory'")).rejects.toThrow('append-only');
  await expect(change('DELETE FROM audit')).rejects.toThrow('append-only');
  await database.close();
});

const tampering: [what: string, statement: string, verdict: object][] = [
  [
    'changed',
    "UPDATE audit SET agent = 'mallory' WHERE seq = 3",
    { brokenAt: 3, reason: 'the entry was changed after it was written' },
  ],
  ['changed in its targets', `UPDATE audit SET targets = '["x"]' WHERE seq = 2`, { brokenAt: 2 }],
  ['removed in the middle', 'DELETE FROM audit WHERE seq = 2', { brokenAt: 2, reason: 'the entry is missing' }],
  ['removed at the end', 'DELETE FROM audit WHERE seq = 5', { brokenAt: 5, reason: 'the entry is missing' }],
  ['removed at the beginning', 'DELETE FROM audit WHERE seq = 1', { brokenAt: 1, reason: 'the entry is missing' }],
  [
    'put in',
    `INSERT INTO audit SELECT 7, at, agent, role, door, tool, effect, outcome, error_type, error, targets,
     input_hash, revision, previous, hash FROM audit WHERE seq = 5`,
    { brokenAt: 7, reason: 'the entry is not chained to the one before it' },
  ],
];

test.each(tampering)('G33 verify finds an entry that was %s', async (_what, statement, verdict) => {
  const folder = scratchFolder();
  const workspace = await scratchWorkspace({ folder });
  for (let count = 0; count < 5; count++) await workspace.session().call('add_folder', { name: `Folder ${count}` });
  expect(await workspace.session().call('audit_verify', {})).toEqual({ success: true, intact: true, entries: 5 });
  await workspace.close();

  const database = await openDatabase({ location: workspace.location });
  await database.write(async (sql) => {
    await sql.run('DROP TRIGGER audit_keeps_rows');
    await sql.run('DROP TRIGGER audit_keeps_content');
    await sql.run(statement);
  });
  await database.close();
  const reopened = await scratchWorkspace({ folder });
  expect(await reopened.session().call('audit_verify', {})).toMatchObject({ success: true, intact: false, ...verdict });
});
