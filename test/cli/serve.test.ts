/** The real server process: where it listens, how it ends, and what it says when it cannot. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { callOf, httpClient, initialize, messageOf, post, rpc } from '../support/http-mcp.js';
import { callOver, toolNames } from '../support/mcp.js';
import { cli, mainFile, scratchEnv, scratchFolder } from '../support/scratch.js';

type Running = { child: ChildProcess; url: string; stderr: () => string; ended: Promise<number | null> };

/** Starts `ai-assist serve` on a free port. */
async function serve(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Running> {
  const child = spawn(process.execPath, [mainFile, 'serve', '--port', '0', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => (said += text));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', () => {
      const [found] = /http:\S+/.exec(said) ?? [];
      if (found) resolve(found);
    });
    void ended.then(() => reject(new Error(said)));
  });
  return { child, url, stderr: () => said, ended };
}

test('M1 M12 serve says where it listens, answers, and ends when it is asked to', async () => {
  const env = scratchEnv(scratchFolder());
  const { child, url, stderr, ended } = await serve(env);
  expect(stderr()).toContain('no token needed');
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const client = await httpClient(url, { era: 'legacy' });
  expect((await toolNames(client)).length).toBeLessThanOrEqual(30);
  expect(await callOver(client, 'add_folder', { name: 'Work' })).toMatchObject({ success: true });
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  const { stdout } = await cli(['audit', 'verify'], env);
  expect(stdout).toContain('intact');
});

test('M12 a call that runs when the server is asked to end is finished', async () => {
  const env = scratchEnv(scratchFolder());
  const { child, url, ended } = await serve(env);
  const calls = Array.from({ length: 50 }, (_, index) => post(url, callOf('add_folder', { name: `f${index}` }, index)));
  const first = await Promise.race(calls);
  expect(first.status).toBe(200);
  child.kill('SIGTERM');
  const answers = await Promise.allSettled(calls.map(async (call) => messageOf(await call)));
  expect(await ended).toBe(0);
  const made = answers.filter((answer) => answer.status === 'fulfilled' && answer.value.result?.isError === false);
  const { stdout } = await cli(['tool', 'list_folders', '--json'], env);
  const { folders } = JSON.parse(stdout) as { folders: unknown[] };
  // Whatever was answered was done, and nothing was done that was cut off half-way.
  expect(made.length).toBeGreaterThan(0);
  expect(folders.length).toBe(made.length);
});

test('M3 a configured reader stays a reader, and an owner is an editor', async () => {
  for (const [role, adds] of [
    ['reader', false],
    ['owner', true],
  ] as const) {
    const { url } = await serve(scratchEnv(scratchFolder(), { AI_ASSIST_ROLE: role, AI_ASSIST_TOOLSETS: 'all' }));
    const names = (await messageOf(await post(url, rpc('tools/list')))).result?.tools as { name: string }[];
    expect(names.some(({ name }) => name === 'add_folder')).toBe(adds);
    expect(names.some(({ name }) => name === 'audit_list')).toBe(false);
  }
});

test('M6 a token of the command line opens a server of another process, until it is revoked', async () => {
  const env = scratchEnv(scratchFolder());
  const { url } = await serve(env, '--require-token');
  const { stdout } = await cli(['tokens', 'create', '--agent', 'ada', '--json'], env);
  const { token, id } = JSON.parse(stdout) as { token: string; id: string };
  const status = async () => (await post(url, initialize, { authorization: `Bearer ${token}` })).status;
  expect(await status()).toBe(200);
  await cli(['tokens', 'revoke', id], env);
  expect(await status()).toBe(401);
});

test('M13 a port that is taken and options that make no sense get a clear error', async () => {
  const env = scratchEnv(scratchFolder());
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as { port: number };
  const problems: [string[], number, string][] = [
    [['--port', String(port)], 1, 'is taken by another program'],
    [['--host', '203.0.113.7', '--port', '0'], 1, 'Cannot listen on 203.0.113.7'],
    [['--port', 'ten'], 2, "--port 'ten' is not a port"],
    [['--port', '70000'], 2, 'from 0 to 65535'],
    [['--allow-origins', 'app.example', '--port', '0'], 1, "'app.example' is not an origin"],
    [['--nonsense'], 2, '--help'],
  ];
  for (const [args, code, text] of problems) {
    const finished = await cli(['serve', ...args], env);
    expect([finished.code, finished.stderr], args.join(' ')).toEqual([code, expect.stringContaining(text)]);
  }
});
