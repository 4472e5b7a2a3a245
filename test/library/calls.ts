/** Random calls of several agents on one library, through the guard, and looks at what they did. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { nodeColumns, type StoredNode } from '../../src/library/tree/node.js';
import { childrenAt } from '../../src/library/tree/nodes.js';
import { bookmarksOf, tagsOf } from '../../src/library/tree/tags.js';
import { type Tree, treeAt } from '../../src/library/tree/tree.js';
import type { Sql } from '../../src/storage/sql.js';
import { defineTool } from '../../src/tools/define.js';
import { tools } from '../../src/tools/index.js';
import { openWorkspace, type Session } from '../../src/workspace.js';
import { scratchEnv } from '../support/scratch.js';
import { type Dump, NodeModel } from './node-model.js';

const AGENTS = ['ada', 'bob', 'eve'] as const;

/** All that there is to see: the tree as tools read it, and the rows that only the library sees. */
export type Look = {
  revision: number;
  tree: Dump[];
  bookmarks: Record<string, string>;
  rows: StoredNode[];
  /** When each label was last set or removed. */
  labelled: Record<string, number>;
  /** Snapshots, and what agents see. */
  beside: unknown[];
};

/** Looks at everything, as of a version. Rows are always those of now. */
const look = defineTool({
  name: 'look',
  toolset: 'tree',
  summary: 'Look at everything, for a test.',
  effect: 'read',
  input: { atVersion: z.string().optional() },
  output: { look: z.unknown() },
  example: { input: {} },
  errors: [],
  run: async ({ atVersion }, { sql }) => {
    const tree = await treeAt(sql, atVersion);
    const bookmarks = (await bookmarksOf(tree)).map(({ label, nodeId }) => [label, nodeId]);
    const rows = await sql.all<StoredNode>(`SELECT ${nodeColumns} FROM nodes ORDER BY id`);
    const seen = { revision: tree.revision, tree: await dumpBelow(tree, 'library'), rows };
    const [labelled, beside] = [await labelledIn(sql), await besideIn(sql)];
    return { look: { ...seen, bookmarks: Object.fromEntries(bookmarks), labelled, beside } satisfies Look };
  },
});

async function dumpBelow(tree: Tree, parentId: string): Promise<Dump[]> {
  const dumps: Dump[] = [];
  for (const { id, type, payload, childCount } of await childrenAt(tree, parentId, 1000)) {
    const children = await dumpBelow(tree, id);
    expect(childCount).toBe(children.length);
    dumps.push({ id, type, payload, tags: await tagsOf(tree, id), children });
  }
  return dumps;
}

async function labelledIn(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql.all<{ label: string; at: number }>(
    `SELECT label, max(at) AS at FROM (
       SELECT label, since AS at FROM bookmarks UNION ALL SELECT label, until FROM bookmark_history
     ) GROUP BY label`,
  );
  return Object.fromEntries(rows.map(({ label, at }) => [label, at]));
}

async function besideIn(sql: Sql): Promise<unknown[]> {
  const tables = ['snapshots', 'view_filters', 'view_defaults', 'view_expansion'];
  return Promise.all(tables.map((table) => sql.all(`SELECT * FROM ${table} ORDER BY 1, 2, 3`)));
}

export type Step = {
  kind: string;
  agent: (typeof AGENTS)[number];
  pick: number;
  other: number;
  type: 'folder' | 'note';
  name: string;
  /** How many revisions ago the agent last looked. */
  lag: number;
};

/** Sequences of steps; a kind that is listed twice comes twice as often. Long ones are as likely as short ones. */
export const stepsOf = (kinds: readonly string[]): fc.Arbitrary<Step[]> => fc.noBias(sequencesOf(kinds));

const sequencesOf = (kinds: readonly string[]) =>
  fc.array(
    fc.record<Step>({
      kind: fc.constantFrom(...kinds),
      agent: fc.constantFrom(...AGENTS),
      // Agents get in each other's way where they often pick the same.
      pick: fc.oneof(fc.nat(2), fc.nat(1000)),
      other: fc.nat(1000),
      type: fc.constantFrom('folder', 'note'),
      name: fc.constantFrom('a', 'b', 'c'),
      lag: fc.constantFrom(0, 0, 0, 0, 1, 2, 5),
    }),
    { minLength: 1, maxLength: 60, size: 'max' },
  );

export type Answer = Record<string, unknown>;
type Success = { agent: string; tool: string; input: Answer; answer: Answer };
export type Snapshot = { id: string; look: Look };
export type Export = { json: Answer; look: Look };

/** A library, the agents that call, and what is known of it. */
export type Scene = {
  model: NodeModel;
  /** Every look, by the revision that it shows. */
  past: Map<number, Look>;
  now: Look;
  successes: Success[];
  snapshots: Snapshot[];
  exports: Export[];
  /** By agent, the revisions that undo and redo would take back, the next one last. */
  undoable: Map<string, number[]>;
  redoable: Map<string, number[]>;
  call(agent: string, tool: string, input: Answer): Promise<Answer>;
  look(revision?: number): Promise<Look>;
};

/** Opens an empty library for three agents, and closes it whatever happens. */
export async function onScene(folder: string, work: (scene: Scene) => Promise<void>): Promise<void> {
  const workspace = await openWorkspace({
    env: scratchEnv(folder),
    settings: { database: ':memory:', 'limits.callsPerMinute': 0 },
    tools: [...tools, look],
  });
  try {
    const sessions = new Map(AGENTS.map((agent) => [agent as string, workspace.session({ agent, role: 'editor' })]));
    const call: Scene['call'] = (agent, tool, input) => (sessions.get(agent) as Session).callUntyped(tool, input);
    const lookAt: Scene['look'] = async (revision) => {
      const answer = await call('ada', 'look', revision === undefined ? {} : { atVersion: `r${revision}` });
      return answer.look as Look;
    };
    await call('ada', 'define_document_type', { documentType: 'note' });
    const now = await lookAt();
    const empty = { successes: [], snapshots: [], exports: [], undoable: new Map(), redoable: new Map() };
    await work({ ...empty, model: new NodeModel(), past: new Map([[now.revision, now]]), now, call, look: lookAt });
  } finally {
    await workspace.close();
  }
}

/** What a step is about to do, and what the model says of it. */
export type Attempt = {
  tool: string;
  input: Answer;
  /** The outcomes that the model allows: types of failures, and undefined for a success. */
  outcomes: readonly (string | undefined)[];
  /** What a success does to the model. It may judge the looks before and after, too. */
  apply: (done: Done) => void | Promise<void>;
};

export type Done = { answer: Answer; before: Look; after: Look };

/** Makes the call: a refused one changes nothing, a successful one changes what the model says. */
export async function attempt(scene: Scene, step: Step, { tool, input, outcomes, apply }: Attempt): Promise<boolean> {
  const { model, now: before, successes } = scene;
  const whole = {
    ...input,
    version: `r${basisOf(scene, step)}`,
    idempotencyKey: `key ${successes.length} ${before.revision}`,
  };
  const answer = await scene.call(step.agent, tool, whole);
  const after = await scene.look();
  const told = `${tool} ${JSON.stringify(whole)}: ${JSON.stringify(answer)}`;
  expect(outcomes, told).toContain(answer.error_type);
  scene.now = after;
  if (answer.success !== true) {
    expect(after, told).toEqual(before);
    return false;
  }
  expect(answer.version, told).toBe(`r${after.revision}`);
  expect(after.revision - before.revision, told).toBeLessThanOrEqual(1);
  note(scene, { agent: step.agent, tool, input: whole, answer }, before);
  await apply({ answer, before, after });
  expect(after.tree, told).toEqual(model.dump());
  expect(after.bookmarks, told).toEqual(Object.fromEntries(model.bookmarks));
  return true;
}

/** The revision that the agent of a step has seen. */
export const basisOf = ({ now }: Scene, { lag }: Step): number => Math.max(0, now.revision - lag);

function note(scene: Scene, success: Success, before: Look): void {
  const { past, now, successes, undoable, redoable } = scene;
  successes.push(success);
  past.set(now.revision, now);
  const isChange = success.tool !== 'undo' && success.tool !== 'redo';
  if (!isChange || now.revision === before.revision) return;
  redoable.set(success.agent, []);
  // A change of nothing is no step to take back.
  if (rowsOf(now) === rowsOf(before)) return;
  undoable.set(success.agent, [...(undoable.get(success.agent) ?? []), now.revision]);
}

/** What undo could take back: everything but the marks of versions. */
export const rowsOf = ({ tree, bookmarks, rows }: Look): string =>
  JSON.stringify([tree, bookmarks, rows.map(({ changed: _, childrenChanged: __, ...row }) => row)]);

/** Repeats an earlier call with its key and its version: the first answer, and nothing else. */
export async function replay(scene: Scene, { pick }: Step): Promise<boolean> {
  const { successes, now } = scene;
  const earlier = successes[pick % (successes.length || 1)];
  if (!earlier) return false;
  const { agent, tool, input, answer } = earlier;
  expect(await scene.call(agent, tool, input), tool).toEqual(answer);
  expect(await scene.look(), tool).toEqual(now);
  return true;
}

/** The tree as of every revision is still what it was when it was the latest. */
export async function expectPast({ past, look }: Scene): Promise<void> {
  for (const [revision, { tree, bookmarks }] of past) {
    expect(await look(revision)).toMatchObject({ revision, tree, bookmarks });
  }
}
