/** A project and an MCP client in it. */
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { Envelope } from '../../src/workspace.js';
import { folderWith } from '../support/files.js';
import { callOver, mcpClient } from '../support/mcp.js';
import { scratchEnv, scratchFolder } from '../support/scratch.js';

export type InClient = {
  readonly folder: string;
  readonly client: Client;
  call(tool: string, input?: Record<string, unknown>): Promise<Answer>;
};

/** Fields as the tests look at them. */
export type Answer = Envelope & Record<string, unknown>;

export type Setup = {
  files?: Record<string, string | Uint8Array>;
  args?: string[];
  /** Two projects with one home share their database. */
  home?: string;
  env?: Record<string, string>;
};

export async function clientIn(collections: Record<string, object>, setup: Setup = {}): Promise<InClient> {
  const { files = {}, args = [], home = scratchFolder(), env = {} } = setup;
  const folder = folderWith({ ...files, 'context.json': JSON.stringify({ collections }, null, 2) });
  return { folder, ...(await clientOf(folder, { args, home, env })) };
}

/** One more client in the folder of a project. */
export async function clientOf(
  folder: string,
  { args = [], home = scratchFolder(), env = {} }: Omit<Setup, 'files'>,
): Promise<Omit<InClient, 'folder'>> {
  const client = await mcpClient({ args: ['--project', path.join(folder), ...args], env: scratchEnv(home, env) });
  return { client, call: async (tool, input = {}) => (await callOver(client, tool, input)) as Answer };
}

export const docs = { type: 'file', path: './docs', glob: '**/*.md' };
