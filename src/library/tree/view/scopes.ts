/** The filters of an agent on the way down a tree: which scope a node is in, without asking for its whole lineage. */
import { type AskedFilter, EVERYWHERE, filtersOf } from '../filters.js';
import type { PropertyFilter } from '../payload.js';
import type { Tree } from '../tree.js';
import { withAncestors } from './line.js';

export type Scopes = {
  /** The scope that a node is in: the nearest one at or above it. */
  around(id: string): Promise<string>;
  /** The scope of a child, by that of its parent. */
  below(scope: string, childId: string): string;
  /** What a scope lets through in this call. */
  filter(scope: string): PropertyFilter;
};

export async function scopesOf(tree: Tree, agent: string, asked: AskedFilter = {}): Promise<Scopes> {
  const rows = await tree.sql.all<{ scope: string }>('SELECT scope FROM view_filters WHERE agent = ?', [agent]);
  const set = new Set(rows.map(({ scope }) => scope).filter((scope) => scope !== EVERYWHERE));
  const filters = await filtersOf(tree.sql, agent);
  const known = new Map<string, PropertyFilter>();
  return {
    around: async (id) => (set.size === 0 ? EVERYWHERE : nearest(tree, agent, id)),
    below: (scope, childId) => (set.has(childId) ? childId : scope),
    filter: (scope) => {
      const filter = known.get(scope) ?? filters.forNode([scope], asked);
      known.set(scope, filter);
      return filter;
    },
  };
}

async function nearest(tree: Tree, agent: string, id: string): Promise<string> {
  const row = await tree.sql.get<{ id: string }>(
    `${withAncestors(tree)}
     SELECT up.id FROM up CROSS JOIN view_filters AS f
     WHERE f.agent = ? AND f.scope = up.id ORDER BY up.distance LIMIT 1`,
    [id, agent],
  );
  return row?.id ?? EVERYWHERE;
}
