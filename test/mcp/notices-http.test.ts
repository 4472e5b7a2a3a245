/** Notices of changed resources over HTTP, for both eras. */
import { spawn } from 'node:child_process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { httpClient } from '../support/http-mcp.js';
import { callOver, modernVersion } from '../support/mcp.js';
import { mainFile, scratchEnv, scratchFolder, scratchWorkspace } from '../support/scratch.js';

async function serve(env: NodeJS.ProcessEnv): Promise<URL> {
  const child = spawn(process.execPath, [mainFile, 'serve', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        child.once('close', () => resolve());
        child.kill();
      }),
  );
  let said = '';
  const hear = (text: Buffer) => (said += text);
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const url = await vi.waitFor(() => /http:\/\/[^\s'"]+\/mcp/.exec(said)?.[0] ?? expect.fail(said), {
    timeout: 20_000,
  });
  return new URL(url);
}

test('M105 M106 over HTTP too, a client hears of changes that another process makes', async () => {
  const env = scratchEnv(scratchFolder());
  const url = await serve(env);
  const older = new Client({ name: 'older', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
  const newer = new Client(
    { name: 'newer', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: modernVersion } } },
  );
  const heard: string[] = [];
  for (const client of [older, newer]) {
    await client.connect(new StreamableHTTPClientTransport(url));
    onTestFinished(() => client.close());
  }
  older.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void heard.push(`older ${params.uri}`),
  );
  newer.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void heard.push(`newer ${params.uri}`),
  );
  const { id } = await callOver(older, 'add_folder', { name: 'Work' });
  const uri = `tree://node/${id}`;
  await older.subscribeResource({ uri });
  await newer.listen({ resourceSubscriptions: [uri] });
  // Another client of the same credential, which wants no tools of the tree, does not silence the others.
  const narrow = await httpClient(url.href, { headers: { 'x-mcp-tools': 'add_folder' } });
  await callOver(narrow, 'add_folder', { name: 'Other' });
  const here = (await scratchWorkspace({ env })).session();
  await vi.waitFor(
    async () => {
      await here.call('edit_folder', { id: String(id), newName: `Job ${Date.now()}` });
      expect([...new Set(heard)].sort()).toEqual([`newer ${uri}`, `older ${uri}`]);
    },
    { timeout: 20_000, interval: 600 },
  );
});
