/** Where the expansion of an agent's views is kept. It belongs to the agent, and the tree's revision does not count it. */
import type { Sql } from '../../../storage/sql.js';
import type { Tree } from '../tree.js';
import { ALL_LEVELS, type Entry, reachAt } from './expansion.js';
import { withAncestors } from './line.js';

type Row = { nodeId: string; reach: number; expanded: number; turn: number };

const toEntry = ({ reach, expanded, turn }: Omit<Row, 'nodeId'>): Entry => ({ reach, expanded: expanded === 1, turn });

/** What an agent has opened and closed. */
export type Expansion = {
  /** The entries that reach a node, its own and those of its ancestors. */
  reaching(id: string): Promise<Entry[]>;
  /** The own entries of nodes, by id. Nodes without any are left out. */
  ofNodes(ids: readonly string[]): Promise<Map<string, Entry[]>>;
};

const nothing: Expansion = { reaching: async () => [], ofNodes: async () => new Map() };

/** Reads what the agent has set, for a tree as of any revision. */
export async function expansionOf(tree: Tree, agent: string): Promise<Expansion> {
  const { sql } = tree;
  // Most agents have set nothing, and then no node needs to be asked for.
  if (!(await sql.get('SELECT 1 FROM view_expansion WHERE agent = ? LIMIT 1', [agent]))) return nothing;
  return {
    reaching: async (id) => {
      const rows = await sql.all<Row & { distance: number }>(
        `${withAncestors(tree)}
         SELECT e.reach, e.expanded, e.turn, up.distance FROM up CROSS JOIN view_expansion AS e
         WHERE e.agent = ? AND e.node_id = up.id AND (e.reach = ${ALL_LEVELS} OR e.reach >= up.distance)`,
        [id, agent],
      );
      return rows.map((row) => ({ ...toEntry(row), reach: reachAt(row.reach, row.distance) ?? 0 }));
    },
    ofNodes: async (ids) => {
      const rows = await sql.all<Row>(
        `SELECT node_id AS nodeId, reach, expanded, turn FROM view_expansion
         WHERE agent = ? AND node_id IN (SELECT value FROM json_each(?))`,
        [agent, JSON.stringify(ids)],
      );
      const known = new Map<string, Entry[]>();
      for (const row of rows) known.set(row.nodeId, [...(known.get(row.nodeId) ?? []), toEntry(row)]);
      return known;
    },
  };
}

/** Opens or closes nodes and so many levels below each. It is one row a node, however much lies below. */
export async function setExpansion(
  sql: Sql,
  agent: string,
  nodeIds: readonly string[],
  { reach, expanded }: Pick<Entry, 'reach' | 'expanded'>,
): Promise<void> {
  const last = await sql.get<{ turn: number | null }>('SELECT max(turn) AS turn FROM view_expansion WHERE agent = ?', [
    agent,
  ]);
  for (const nodeId of nodeIds) {
    // What this entry covers can decide nothing any more.
    await sql.run(
      'DELETE FROM view_expansion WHERE agent = ? AND node_id = ? AND (? = -1 OR (reach <> -1 AND reach <= ?))',
      [agent, nodeId, reach, reach],
    );
    await sql.run('INSERT INTO view_expansion (agent, node_id, reach, expanded, turn) VALUES (?, ?, ?, ?, ?)', [
      agent,
      nodeId,
      reach,
      expanded ? 1 : 0,
      (last?.turn ?? 0) + 1,
    ]);
  }
}

/** Whether nodes of the view with this root are open where nothing else is set. */
export async function defaultOf(sql: Sql, agent: string, rootId: string): Promise<boolean> {
  const row = await sql.get<{ expanded: number }>(
    'SELECT expanded FROM view_defaults WHERE agent = ? AND root_id = ?',
    [agent, rootId],
  );
  return row?.expanded !== 0;
}

/** The default of the nearest view around a node, for calls that name no view. */
export async function defaultAround(tree: Tree, agent: string, id: string): Promise<boolean> {
  const row = await tree.sql.get<{ expanded: number }>(
    `${withAncestors(tree)}
     SELECT d.expanded FROM up CROSS JOIN view_defaults AS d
     WHERE d.agent = ? AND d.root_id = up.id ORDER BY up.distance LIMIT 1`,
    [id, agent],
  );
  return row?.expanded !== 0;
}

export async function setDefault(sql: Sql, agent: string, rootId: string, expanded: boolean): Promise<void> {
  await sql.run(
    `INSERT INTO view_defaults (agent, root_id, expanded) VALUES (?, ?, ?)
     ON CONFLICT (agent, root_id) DO UPDATE SET expanded = excluded.expanded`,
    [agent, rootId, expanded ? 1 : 0],
  );
}
