/** Small tools that the real table does not have, to prove what the guard does with their kinds. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { defineTool, type Tool } from '../../src/tools/define.js';
import { addFolder } from '../../src/tools/folders/add.js';
import { listFolders } from '../../src/tools/folders/list.js';

const shared = { toolset: 'folders', example: { input: {} }, errors: [] } as const;

/** Takes many items. */
const countItems = defineTool({
  ...shared,
  name: 'count_items',
  summary: 'Count items.',
  effect: 'read',
  input: { items: z.array(z.string()) },
  output: { count: z.number() },
  batch: ({ items }) => items.length,
  run: async ({ items }) => ({ count: items.length }),
});

/** Must be told the version it is based on. */
const addVersioned = defineTool({
  ...shared,
  name: 'add_versioned',
  summary: 'Add a folder, with a version.',
  effect: 'write',
  versionRule: 'required',
  input: { name: z.string() },
  output: { id: z.string(), version: z.string().optional() },
  run: ({ name }, { folders }) => folders.add(name, { placement: 'ending' }),
});

/** Changes something, and then breaks. */
const addAndBreak = defineTool({
  ...shared,
  name: 'add_and_break',
  summary: 'Add a folder and break.',
  effect: 'write',
  input: {},
  output: {},
  run: async (_input, { folders }) => {
    await folders.add('half', { placement: 'ending' });
    throw new TypeError('the programmer slipped');
  },
});

/** Takes payload that looks like ids, and keys that the caller chooses. */
const keepRecord = defineTool({
  ...shared,
  name: 'keep_record',
  summary: 'Keep a record.',
  effect: 'write',
  input: { record: z.record(z.string(), z.union([z.string(), z.array(z.string())])) },
  output: {},
  run: async ({ record }) => {
    if (record.parse) JSON.parse(String(record.parse));
    return {};
  },
});

/** Answers what its schema does not allow. */
const answerWrong = defineTool({
  ...shared,
  name: 'answer_wrong',
  summary: 'Answer wrong.',
  effect: 'read',
  input: {},
  output: { count: z.number() },
  run: async () => ({ count: 'many' as unknown as number }),
});

/** Its effect is a line in a real file; `waitFor` holds it up until the test lets it go. */
export function appendLine(file: string, waitFor: () => Promise<void> = async () => {}) {
  return defineTool({
    ...shared,
    name: 'append_line',
    summary: 'Append a line to a file.',
    effect: 'write',
    outside: true,
    input: { line: z.string() },
    output: { lines: z.number() },
    run: async ({ line }, { dryRun }) => {
      const linesNow = existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
      if (line === 'refuse') throw new Error('the file said no');
      if (!dryRun) {
        await waitFor();
        appendFileSync(file, `${line}\n`);
      }
      return { lines: linesNow + 1 };
    },
  });
}

export const withMadeUp = (...more: Tool[]): Tool[] => [
  listFolders,
  addFolder,
  countItems,
  addVersioned,
  addAndBreak,
  keepRecord,
  answerWrong,
  ...more,
];
