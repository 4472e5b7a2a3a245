/** One MCP server for the tests of a file, and a project file that each of them writes for itself. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll } from 'vitest';
import type { Envelope } from '../../src/workspace.js';
import { addFiles } from '../support/files.js';
import { mainFile, scratchEnv } from '../support/scratch.js';

/** Fields as the tests look at them. */
export type Answer = Envelope & Record<string, unknown>;

export type Catalog = {
  readonly folder: string;
  readonly file: string;
  readonly client: Client;
  call(tool: string, input?: Record<string, unknown>): Promise<Answer>;
  /** Writes the project file: an object, or the text as it is. */
  write(content: object | string): void;
  text(): string;
  /** What the project file says. */
  read(): { collections: Record<string, unknown>; categories: Record<string, unknown> };
  add(files: Record<string, string>): void;
};

/** For the top of a test file. Everything is gone after its last test. */
export function catalogOfFile(more: Record<string, string> = {}): Catalog {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ai-assist-test-'));
  const file = path.join(folder, 'project', 'context.json');
  addFiles(folder, { 'project/context.json': '{}' });
  const client = new Client({ name: 'test', version: '1.0.0' });
  beforeAll(async () => {
    const env = scratchEnv(folder, { AI_ASSIST_CALLS_PER_MINUTE: '0', ...more });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [mainFile, 'mcp', '--project', path.dirname(file)],
      env: Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)),
      stderr: 'ignore',
    });
    await client.connect(transport);
  });
  afterAll(async () => {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const text = () => readFileSync(file, 'utf8');
  return {
    folder: path.dirname(file),
    file,
    client,
    call: async (name, input = {}) => (await client.callTool({ name, arguments: input })).structuredContent as Answer,
    write: (content) =>
      writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`),
    text,
    read: () => JSON.parse(text()),
    add: (files) => addFiles(path.dirname(file), files),
  };
}

/** What a failed call answers: its type, a text for people, and a next move. */
export const failure = (error_type: string, text = '') => ({
  success: false,
  error_type,
  error: expectText(text),
  instruction: expectText(''),
});

const expectText = (text: string) => ({
  asymmetricMatch: (value: unknown) => typeof value === 'string' && value !== '' && value.includes(text),
  toString: () => `text with '${text}'`,
});
