import { text } from 'node:stream/consumers';
import type { ExitCode } from '../command.js';
import { explainTool } from '../explain-tool.js';
import { findTool } from '../find-tool.js';
import { readFlags, readJson } from '../flags.js';
import { answer } from '../render.js';
import { withSession } from '../session.js';
import { print } from '../terminal.js';

export async function run([name, ...args]: string[]): Promise<ExitCode> {
  const tool = findTool(name);
  const { input, json, help, flags } = readFlags(tool, args);
  if (help) {
    print(explainTool(tool));
    return 0;
  }
  const call = withFlags(await readInput(input), flags);
  // Answered before the session closes: the entry in the audit log may have to wait for other writers.
  return withSession(async (session) => answer(await session.callUntyped(tool.name, call), json));
}

async function readInput(input: string | undefined): Promise<unknown> {
  if (input === undefined) return {};
  if (input === '-') return readJson('Standard input', await text(process.stdin));
  return readJson('--input', input);
}

/** Input that is no object goes to the tool as it is, which says what is wrong with it. */
function withFlags(input: unknown, flags: Record<string, unknown>): unknown {
  if (Object.keys(flags).length === 0 || typeof input !== 'object' || Array.isArray(input)) return input;
  return { ...input, ...flags };
}
