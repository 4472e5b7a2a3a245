/** Agents on a library in memory, with the tools of views, and a type of document for random trees. */
import { expect } from 'vitest';
import { z } from 'zod';
import type { Role } from '../../../src/config/settings.js';
import { saveType } from '../../../src/library/tree/types.js';
import { defineTool, type Tool } from '../../../src/tools/define.js';
import { addChild } from '../../../src/tools/tree/add-child.js';
import * as expansion from '../../../src/tools/tree/expansion.js';
import { exportSubtree } from '../../../src/tools/tree/export-subtree.js';
import { exportView } from '../../../src/tools/tree/export-view.js';
import { getPath } from '../../../src/tools/tree/get-path.js';
import { getSubtree } from '../../../src/tools/tree/get-subtree.js';
import { getView } from '../../../src/tools/tree/get-view.js';
import { importMerge } from '../../../src/tools/tree/import-merge.js';
import { importView } from '../../../src/tools/tree/import-view.js';
import { listChildren } from '../../../src/tools/tree/list-children.js';
import { setFilters } from '../../../src/tools/tree/set-filters.js';
import { openWorkspace, type Workspace } from '../../../src/workspace.js';

/** Defines a type of document, as a set-up of tests. */
const setUpType = defineTool({
  name: 'set_up_type',
  toolset: 'tree',
  summary: 'Define a type of document for a test.',
  effect: 'write',
  input: {
    name: z.string(),
    schema: z.record(z.string(), z.unknown()).nullable(),
    protectedPaths: z.array(z.string()),
    allowedParents: z.array(z.string()).nullable(),
  },
  output: {},
  example: { input: {} },
  errors: [],
  run: async (type, { sql }) => {
    await saveType(sql, type);
    return {};
  },
});

/** Runs a statement, for trees that would take the tools too long to build. */
const setUpRows = defineTool({
  name: 'set_up_rows',
  toolset: 'tree',
  summary: 'Run statements for a test.',
  effect: 'write',
  input: { statements: z.array(z.string()) },
  output: {},
  example: { input: {} },
  errors: [],
  run: async ({ statements }, { sql }) => {
    for (const statement of statements) await sql.run(statement);
    return {};
  },
});

/** How many rows get_view reads for a page. */
const countRows = defineTool({
  name: 'count_rows',
  toolset: 'tree',
  summary: 'Count the rows that a view reads, for a test.',
  effect: 'read',
  input: { rootNodeId: z.string(), pageSize: z.number() },
  output: { rows: z.number() },
  example: { input: {} },
  errors: [],
  run: async (input, call) => {
    let rows = 0;
    const all: typeof call.sql.all = async (...query) => {
      const found = await call.sql.all(...query);
      rows += found.length;
      return found as never;
    };
    await getView.invoke(input, { ...call, sql: { ...call.sql, all } });
    return { rows };
  },
});

export const viewTools: readonly Tool[] = [
  getPath,
  listChildren,
  getView,
  getSubtree,
  exportView,
  exportSubtree,
  ...Object.values(expansion),
  setFilters,
  importView,
  importMerge,
];

export type Answer = Record<string, unknown> & { version: string };

/** A node as answers have it. */
export type Shown = {
  nodeId: string;
  continues?: string;
  payloadType: string;
  payload: Record<string, unknown>;
  isExpanded?: boolean;
  childrenCount: number;
  children?: Shown[];
  depthLimited?: true;
};

export type Agent = {
  /** The envelope of a call, success or failure. */
  call(name: string, input: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The answer of a call that must succeed. Changes are based on the latest version. */
  run(name: string, input: Record<string, unknown>): Promise<Answer>;
  /** The failure of a call that must fail. */
  fail(name: string, input: Record<string, unknown>): Promise<{ error: string; error_type: string }>;
  add(parentNodeId: string, payloadType: string, payloadProps: Record<string, unknown>): Promise<string>;
};

export type Library = { agent(name?: string, role?: Role): Agent; close(): Promise<void> };

const noteSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, stars: { type: 'number' } },
  required: ['name'],
};

/** A fresh library that knows the types note (a name and stars) and free (anything). Close it at the end. */
async function openLibrary(more: readonly Tool[] = []): Promise<Library> {
  const workspace = await openWorkspace({
    env: {},
    settings: { database: ':memory:', 'limits.callsPerMinute': 0, 'audit.reads': false },
    tools: [...viewTools, addChild, setUpType, setUpRows, countRows, ...more],
  });
  const set = agentOn(workspace, 'set-up', 'owner');
  const type = { protectedPaths: [], allowedParents: null };
  await set.run('set_up_type', { ...type, name: 'note', schema: noteSchema });
  await set.run('set_up_type', { ...type, name: 'free', schema: null });
  return {
    agent: (name = 'ann', role = 'editor') => agentOn(workspace, name, role),
    close: () => workspace.close(),
  };
}

/** Runs a test on a fresh library, and closes it whatever happens. */
export async function onLibrary<T>(work: (library: Library) => Promise<T>): Promise<T> {
  const library = await openLibrary();
  try {
    return await work(library);
  } finally {
    await library.close();
  }
}

function agentOn(workspace: Workspace, agent: string, role: Role): Agent {
  const session = workspace.session({ agent, role });
  const required = new Set(
    session
      .tools()
      .filter(({ versionRule }) => versionRule === 'required')
      .map(({ name }) => name),
  );
  const latest = async () => (await session.callUntyped('get_path', { nodeId: 'library' })).version;
  const call: Agent['call'] = async (name, input) => {
    const isComplete = !required.has(name) || 'version' in input;
    return session.callUntyped(name, isComplete ? input : { ...input, version: await latest() });
  };
  const run: Agent['run'] = async (name, input) => {
    const answer = await call(name, input);
    expect(answer, JSON.stringify(answer).slice(0, 500)).toMatchObject({ success: true });
    const { success: _, ...fields } = answer;
    return fields as Answer;
  };
  return {
    call,
    run,
    fail: async (name, input) => {
      const answer = await call(name, input);
      expect(answer.success, JSON.stringify(answer).slice(0, 500)).toBe(false);
      return answer as { error: string; error_type: string };
    },
    add: async (parentNodeId, payloadType, payloadProps) =>
      (await run('add_child', { parentNodeId, payloadType, payloadProps })).nodeId as string,
  };
}
