/** One MCP server for the tests of a file, and a project file that each of them writes for itself. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect } from 'vitest';
import { addFiles } from '../support/files.js';
import { callOver, connectMcp } from '../support/mcp.js';
import { scratchEnv } from '../support/scratch.js';
import type { Answer } from './context-client.js';

export type Catalog = {
  readonly folder: string;
  readonly file: string;
  client(): Client;
  call(tool: string, input?: Record<string, unknown>): Promise<Answer>;
  /** Writes the project file: an object, or the text as it is. */
  write(content: object | string): void;
  text(): string;
  /** What the project file says. */
  read(): { collections: Record<string, unknown>; categories: Record<string, unknown> };
  add(files: Record<string, string>): void;
};

/** For the top of a test file. Everything is gone after its last test. */
export function catalogOfFile(): Catalog {
  const home = mkdtempSync(path.join(os.tmpdir(), 'ai-assist-test-'));
  const folder = path.join(home, 'project');
  const file = path.join(folder, 'context.json');
  addFiles(folder, { 'context.json': '{}' });
  let client: Client;
  beforeAll(async () => {
    const env = scratchEnv(home, { AI_ASSIST_CALLS_PER_MINUTE: '0' });
    client = await connectMcp({ args: ['--project', folder], env });
  });
  afterAll(async () => {
    await client.close();
    rmSync(home, { recursive: true, force: true });
  });
  const text = () => readFileSync(file, 'utf8');
  return {
    folder,
    file,
    client: () => client,
    call: async (tool, input = {}) => (await callOver(client, tool, input)) as Answer,
    write: (content) =>
      writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`),
    text,
    read: () => JSON.parse(text()),
    add: (files) => addFiles(folder, files),
  };
}

/** What a failed call answers: its type, a text for people with these words, and a next move. */
export const failure = (error_type: string, words = '') => ({
  success: false,
  error_type,
  error: expect.stringContaining(words),
  instruction: expect.stringMatching(/\w/),
});
