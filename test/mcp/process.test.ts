/** The server as a process: what it touches, when it ends, and what it writes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { callRequest, handshake, mcpClient, pipeToServer, request, toolNames } from '../support/mcp.js';
import { mainFile, scratchEnv, scratchFolder } from '../support/scratch.js';

const filesIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' });

/** Temporary files would be in the scratch folder too. */
const envIn = (folder: string) => scratchEnv(folder, { TMPDIR: folder });

test('G73 starting the server and listing its tools touches no file', async () => {
  const folder = scratchFolder();
  const server = await pipeToServer([...handshake(), request(1, 'tools/list')], { env: envIn(folder) });
  expect(server.answerTo(1).result?.tools).not.toHaveLength(0);
  expect(server.code).toBe(0);
  expect(filesIn(folder)).toEqual([]);
});

test('G73 a client that connects, lists the tools and leaves touches no file', async () => {
  const folder = scratchFolder();
  const client = await mcpClient({ env: envIn(folder), era: 'modern' });
  await toolNames(client);
  await client.close();
  expect(filesIn(folder)).toEqual([]);
});

test('G73 a server without any input ends with 0', async () => {
  const folder = scratchFolder();
  expect(await pipeToServer([], { env: envIn(folder) })).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(filesIn(folder)).toEqual([]);
});

test('G73 a call is answered although the input ended right after it', async () => {
  const env = envIn(scratchFolder());
  const server = await pipeToServer([...handshake(), callRequest(1, 'add_folder', '{"name":"Work"}')], { env });
  expect(server.answerTo(1).result?.structuredContent).toMatchObject({ success: true, name: 'Work' });
  expect(server.code).toBe(0);
  const later = await pipeToServer([...handshake(), callRequest(1, 'list_folders', '{}')], { env });
  expect(later.answerTo(1).result?.structuredContent).toMatchObject({ folders: [{ name: 'Work' }] });
});

test('G73 a hundred calls at once are all answered before the server ends', async () => {
  const ids = Array.from({ length: 100 }, (_, index) => index + 1);
  const calls = ids.map((id) => callRequest(id, 'add_folder', `{"name":"Folder ${id}"}`));
  const server = await pipeToServer([...handshake(), ...calls]);
  const added = ids.map((id) => server.answerTo(id).result?.structuredContent);
  expect(added).toEqual(ids.map((id) => expect.objectContaining({ success: true, name: `Folder ${id}` })));
  expect(server.code).toBe(0);
});

test('G73 when nobody reads its answers any more, the server ends quietly, though its input is open', async () => {
  const env = envIn(scratchFolder());
  const server = spawn(process.execPath, [mainFile, 'mcp'], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void server.kill());
  let stderr = '';
  server.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  server.stdin.on('error', () => {});
  server.stdin.write(`${handshake().join('\n')}\n`);
  await once(server.stdout, 'data');
  server.stdout.destroy();
  for (let id = 1; id <= 30; id++) server.stdin.write(`${request(id, 'tools/list')}\n`);
  expect(await once(server, 'exit')).toEqual([0, null]);
  expect(stderr).toBe('');
});

test('G73 a cancelled call does not keep the server from ending', async () => {
  const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
  const server = await pipeToServer([...handshake(), callRequest(1, 'list_folders', '{}'), cancel]);
  expect(server.code).toBe(0);
});

const signals: NodeJS.Signals[] = ['SIGTERM', 'SIGINT'];

test.each(signals)(
  'G73 a server that gets %s ends, although its input is still open',
  { timeout: 20_000 },
  async (signal) => {
    const env = envIn(scratchFolder());
    const child = spawn(process.execPath, [mainFile, 'mcp'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stdin.write(`${handshake().join('\n')}\n`);
    await once(child.stdout, 'data');
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([0, null]);
  },
);

/** Calls that fail in every way, and lines that are no requests. */
const trouble = [
  ...handshake(),
  callRequest(1, 'add_folder', '{"name":5}'),
  callRequest(2, 'remove_folder', '{"id":"none"}'),
  callRequest(3, 'audit_list', '{}'),
  callRequest(4, 'nothing_such', '{}'),
  request(5, 'no/such/method'),
  'this is not JSON',
  '',
  '[]',
  '{"jsonrpc":"1.0"}',
  callRequest(6, 'list_folders', '{}'),
];

test('G74 every line on standard output is a JSON-RPC message, whatever fails', async () => {
  const { messages } = await pipeToServer(trouble);
  expect(messages.map((message) => message.id).sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  for (const message of messages) expect(message.jsonrpc).toBe('2.0');
});

/** What may stand where the database should be. */
const brokenDatabases: Record<string, (file: string) => void> = {
  'no database': (file) => writeFileSync(file, 'This is no database, but a text that is long enough.'.repeat(100)),
  'a folder': (file) => mkdirSync(file),
};

test.each(Object.keys(brokenDatabases))('G74 every line is protocol although the database is %s', async (kind) => {
  const folder = scratchFolder();
  const file = path.join(folder, 'library.db');
  brokenDatabases[kind]?.(file);
  const env = scratchEnv(folder, { AI_ASSIST_DATABASE: file, AI_ASSIST_DEBUG: '1' });
  const { messages, answerTo } = await pipeToServer(trouble, { env });
  for (const message of messages) expect(message.jsonrpc).toBe('2.0');
  expect(answerTo(6).result).toMatchObject({ isError: true, structuredContent: { error_type: 'internal' } });
});

test('G74 a server that cannot start says so on standard error only', async () => {
  const env = scratchEnv(scratchFolder(), { AI_ASSIST_CALLS_PER_MINUTE: 'many' });
  const server = await pipeToServer(handshake(), { env });
  expect(server).toMatchObject({ code: 1, stdout: '' });
  expect(server.stderr).toContain('limits.callsPerMinute');
});
