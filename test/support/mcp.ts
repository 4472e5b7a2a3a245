/** A real MCP client on a real server process. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import type { Envelope } from '../../src/workspace.js';
import { mainFile, scratchEnv, scratchFolder } from './scratch.js';

export type McpOptions = { args?: string[]; env?: NodeJS.ProcessEnv };

export async function mcpClient({ args = [], env = scratchEnv(scratchFolder()) }: McpOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [mainFile, 'mcp', ...args],
    env: Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    stderr: 'ignore',
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** Calls a tool and answers its envelope. */
export async function callOver(client: Client, name: string, input: Record<string, unknown>): Promise<Envelope> {
  const result = await client.callTool({ name, arguments: input });
  return result.structuredContent as Envelope;
}
