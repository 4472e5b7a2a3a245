/** Reading upwards from a node: its ancestors as of a revision, as ids and names only, however deep it stands. */
import type { Tree } from '../tree.js';

/** The beginning of a query that calls a node and its ancestors `up`, with their distance. Its parameter is the id. */
export function withAncestors({ isCurrent, revision }: Tree): string {
  const step = (table: string, held: string) =>
    `SELECT m.parent_id, up.distance + 1 FROM up JOIN ${table} AS m ON m.id = up.id WHERE m.parent_id IS NOT NULL ${held}`;
  const steps = isCurrent
    ? [step('nodes', '')]
    : [
        step('nodes', `AND m.since <= ${revision}`),
        step('node_history', `AND m.since <= ${revision} AND m.until > ${revision}`),
      ];
  return `WITH RECURSIVE up (id, distance) AS (SELECT ?, 0 UNION ALL ${steps.join(' UNION ALL ')})`;
}

/** One node of a path. */
export type Step = { id: string; name: string | null };

/** The path from the root down to a node that is there, by ids and names. */
export async function pathTo(tree: Tree, id: string): Promise<Step[]> {
  return tree.sql.all<Step>(
    `${withAncestors(tree)}
     SELECT n.id, coalesce(n.name, CASE json_type(p.data, '$.name') WHEN 'text' THEN p.data ->> '$.name' END) AS name
     FROM up CROSS JOIN ${tree.from.nodes} AS n LEFT JOIN ${tree.from.payloads} AS p ON p.id = n.payload_id
     WHERE n.id = up.id ORDER BY up.distance DESC`,
    [id],
  );
}
