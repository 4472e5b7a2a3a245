/** A real MCP client on a real server process, and the same process fed by hand. */
import { Client, type ClientOptions, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { mcpServer } from '../../src/mcp/server.js';
import type { Envelope, SessionOptions } from '../../src/workspace.js';
import { cli, type Finished, mainFile, scratchEnv, scratchFolder, scratchWorkspace } from './scratch.js';

/** The two eras of the protocol: one begins with a handshake, in the other every request says who asks. */
export type Era = 'legacy' | 'modern';

export type McpOptions = { args?: string[]; env?: NodeJS.ProcessEnv; era?: Era };

/** Most tests are about a tool and not about which are shown: a server has all, unless its test says otherwise. */
const withAllTools = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ AI_ASSIST_TOOLSETS: 'all', ...env });

export const modernVersion = '2026-07-28';

export const negotiation = {
  legacy: { mode: 'legacy' },
  modern: { mode: { pin: modernVersion } },
} satisfies Record<Era, ClientOptions['versionNegotiation']>;

export async function mcpClient(options: McpOptions = {}): Promise<Client> {
  const client = await connectMcp(options);
  onTestFinished(() => client.close());
  return client;
}

/** A client that the caller closes: for files whose tests share one server. */
export async function connectMcp({
  args = [],
  env = scratchEnv(scratchFolder()),
  era = 'legacy',
}: McpOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: negotiation[era] });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [mainFile, 'mcp', ...args],
    env: Object.fromEntries(
      Object.entries(withAllTools(env)).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    stderr: 'ignore',
  });
  await client.connect(transport);
  return client;
}

/** A client of the older era on a server in this process: quicker, where a process of its own proves nothing more. */
export async function nearClient(options: SessionOptions = {}): Promise<Client> {
  const workspace = await scratchWorkspace();
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: negotiation.legacy });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcpServer(workspace.session({ role: 'editor', ...options })).connect(far);
  await client.connect(near);
  onTestFinished(() => client.close());
  return client;
}

/** Calls a tool and answers its envelope. */
export async function callOver(client: Client, name: string, input: Record<string, unknown>): Promise<Envelope> {
  const result = await client.callTool({ name, arguments: input });
  return result.structuredContent as Envelope;
}

/** The names of the tools that a client is shown. */
export async function toolNames(client: Client): Promise<string[]> {
  const { tools } = await client.listTools();
  return tools.map((tool) => tool.name);
}

/** A message as it stands on the server's standard output. */
export type Message = {
  jsonrpc: string;
  id?: number;
  method?: string;
  result?: {
    content?: { type: string; text: string }[];
    structuredContent?: Envelope;
    isError?: boolean;
    [field: string]: unknown;
  };
  error?: { code: number; message: string };
};

export type Piped = Finished & { messages: Message[]; answerTo(id: number): Message };

/** Writes lines to a server's standard input, closes it at once, and waits for the server's end. */
export async function pipeToServer(
  lines: readonly string[],
  { args = [], env = scratchEnv(scratchFolder()) }: McpOptions = {},
): Promise<Piped> {
  const finished = await cli(['mcp', ...args], withAllTools(env), lines.map((line) => `${line}\n`).join(''));
  const messages = finished.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Message);
  return { ...finished, messages, answerTo: (id) => answerTo(messages, id) };
}

function answerTo(messages: readonly Message[], id: number): Message {
  const answer = messages.find((message) => message.id === id);
  if (!answer) throw new Error(`The server gave no answer to request ${id}`);
  return answer;
}

/** A request as one line. `params` is JSON text, so that a test can send what JSON.stringify would not write. */
export const request = (id: number, method: string, params = '{}'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;

export const callRequest = (id: number, tool: string, input: string): string =>
  request(id, 'tools/call', `{"name":${JSON.stringify(tool)},"arguments":${input}}`);

/** The handshake that begins a connection of the older era. It takes the id 0. */
export const handshake = (protocolVersion = '2025-06-18'): string[] => [
  request(
    0,
    'initialize',
    JSON.stringify({ protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } }),
  ),
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
];
