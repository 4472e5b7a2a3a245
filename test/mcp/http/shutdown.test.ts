import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../src/tools/define.js';
import { callOf, messageOf, post, served } from '../../support/http-mcp.js';
import { scratchWorkspace } from '../../support/scratch.js';

/** A tool that waits until the test lets it go. */
function waitingTool() {
  let release = () => {};
  let begin = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const tool = defineTool({
    name: 'wait',
    toolset: 'folders',
    summary: 'Wait.',
    effect: 'read',
    input: {},
    output: { waited: z.boolean() },
    example: { input: {} },
    errors: [],
    run: async () => {
      begin();
      await released;
      return { waited: true };
    },
  });
  return { tool, begun, release };
}

test('M12 a server that ends finishes running calls and takes no new ones', async () => {
  const { tool, begun, release } = waitingTool();
  const server = await served({ workspace: await scratchWorkspace({ tools: [tool] }), graceMs: 60_000 });
  const running = post(server.url, callOf('wait'));
  await begun;
  const ending = server.close();
  await expect(post(server.url, callOf('wait'))).rejects.toThrow();
  release();
  expect((await messageOf(await running)).result).toMatchObject({ structuredContent: { success: true, waited: true } });
  await ending;
});

test('M12 a call that does not end in time does not keep the server', async () => {
  const { tool, begun, release } = waitingTool();
  const server = await served({ workspace: await scratchWorkspace({ tools: [tool] }), graceMs: 10 });
  const running = post(server.url, callOf('wait')).then((response) => response.text());
  const cut = running.then(
    (text) => text,
    () => 'cut',
  );
  await begun;
  await server.close();
  release();
  expect(['cut', '']).toContain(await cut);
});
