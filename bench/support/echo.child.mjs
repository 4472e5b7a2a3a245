// @ts-check
/** The least that the SDK can do: a server with one tool that answers what it was given, over HTTP or stdio. */
import { createServer } from 'node:http';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { readBody, webRequest, writeResponse } from '../../dist/mcp/http/bridge.js';

function echo() {
  const server = new Server({ name: 'echo', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }));
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: JSON.stringify(params.arguments) }],
    structuredContent: params.arguments ?? {},
  }));
  return server;
}

if (process.argv[2] === 'stdio') serveStdio(echo);
else {
  const handler = createMcpHandler(echo);
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await readBody(request, 1e6)) ?? '');
    const answer = await handler.fetch(webRequest(request, new AbortController().signal), { parsedBody: body });
    await writeResponse(answer, response, {});
  });
  server.listen(0, '127.0.0.1', () => {
    const address = /** @type {import('node:net').AddressInfo} */ (server.address());
    process.stderr.write(`http://127.0.0.1:${address.port}/mcp\n`);
  });
}
