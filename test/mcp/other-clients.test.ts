/** Clients by other authors, over stdio and over HTTP with a token: each lists the tools and calls one. */
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as AiSdkStdio } from '@ai-sdk/mcp/mcp-stdio';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { createRuntime } from 'mcporter';
import { expect, onTestFinished, test } from 'vitest';
import { served, tokenFor } from '../support/http-mcp.js';
import { mainFile, scratchEnv, scratchFolder } from '../support/scratch.js';

type Stdio = { command: string; args: string[]; env: Record<string, string> };
type Http = { url: string; headers: Record<string, string> };

/** What each client is asked to do: show the names of the tools, and answer what a call gave. */
type OtherClient = { names: string[]; call(name: string, input: Record<string, unknown>): Promise<unknown> };

function stdioServer(): Stdio {
  const env = Object.entries(scratchEnv(scratchFolder())).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { command: process.execPath, args: [mainFile, 'mcp'], env: Object.fromEntries(env) };
}

async function httpServer(): Promise<Http> {
  const server = await served({ requireToken: true, selection: {} });
  return { url: server.url, headers: { Authorization: `Bearer ${await tokenFor(server, { agent: 'ada' })}` } };
}

const isHttp = (server: Stdio | Http): server is Http => 'url' in server;

const clients: Record<string, (server: Stdio | Http) => Promise<OtherClient>> = {
  mcporter: async (server) => {
    const command = isHttp(server)
      ? { kind: 'http' as const, url: new URL(server.url), headers: server.headers }
      : { kind: 'stdio' as const, command: server.command, args: server.args, cwd: scratchFolder() };
    const definition = { name: 'library', command, ...(!isHttp(server) && { env: server.env }) };
    const runtime = await createRuntime({ servers: [definition] });
    onTestFinished(() => runtime.close());
    return {
      names: (await runtime.listTools('library', { includeSchema: true })).map(({ name }) => name),
      call: async (name, args) =>
        ((await runtime.callTool('library', name, { args })) as { structuredContent: unknown }).structuredContent,
    };
  },
  'the AI SDK': async (server) => {
    const transport = isHttp(server) ? { type: 'http' as const, ...server } : new AiSdkStdio(server);
    const client = await createMCPClient({ transport });
    onTestFinished(() => client.close());
    const tools = await client.tools();
    return {
      names: Object.keys(tools),
      call: async (name, input) => {
        const result = await tools[name]?.execute(input, { messages: [], toolCallId: '1' });
        return (result as { structuredContent: unknown }).structuredContent;
      },
    };
  },
  LangChain: async (server) => {
    const connection = isHttp(server)
      ? { transport: 'http' as const, ...server }
      : { transport: 'stdio' as const, ...server };
    const client = new MultiServerMCPClient({ mcpServers: { library: connection } });
    onTestFinished(() => client.close());
    const tools = await client.getTools();
    return {
      names: tools.map(({ name }) => name),
      call: async (name, input) => {
        const answer: unknown = await tools.find((tool) => tool.name === name)?.invoke(input);
        return (answer as { structuredContent: unknown }).structuredContent;
      },
    };
  },
};

const over: Record<string, () => Stdio | Promise<Http>> = { stdio: stdioServer, HTTP: httpServer };
const pairs = Object.keys(clients).flatMap((client) => Object.keys(over).map((way) => [client, way] as const));

test.each(pairs)('M42 %s lists and calls tools over %s', async (name, way) => {
  const server = await (over[way] as () => Stdio | Promise<Http>)();
  const client = await (clients[name] as (typeof clients)[string])(server);
  expect(client.names).toEqual(expect.arrayContaining(['add_folder', 'list_folders', 'get_view']));
  const added = await client.call('add_folder', { name: 'Work' });
  expect(added).toMatchObject({ success: true, name: 'Work' });
  expect(await client.call('list_folders', {})).toMatchObject({ success: true, folders: [{ name: 'Work' }] });
});
