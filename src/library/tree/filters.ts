/** Filters of properties that an agent has set for later reads: for all nodes, or for a node and all below it. */
import type { Sql } from '../../storage/sql.js';
import { type FilterNames, noFilter, type PropertyFilter, parseFilter } from './payload.js';

/** The scope that holds for every node. */
export const EVERYWHERE = 'all';

/** What the caller asks for in one read. What is left out comes from the filters that were set. */
export type AskedFilter = { included?: readonly string[] | undefined; excluded?: readonly string[] | undefined };

/** An agent's filters, by the id of the node that they hold for. */
export type FilterSet = { forNode(lineage: readonly string[], asked: AskedFilter): PropertyFilter };

type Row = { scope: string; included: string; excluded: string };

export async function filtersOf(sql: Sql, agent: string): Promise<FilterSet> {
  const rows = await sql.all<Row>('SELECT scope, included, excluded FROM view_filters WHERE agent = ?', [agent]);
  const known = new Map(rows.map((row) => [row.scope, presetOf(row)]));
  return {
    /** The nearest scope wins: the node itself, then its ancestors from below, then `all`. */
    forNode(lineage, asked) {
      const scope = lineage.findLast((id) => known.has(id)) ?? EVERYWHERE;
      const preset = known.get(scope) ?? noFilter;
      const own = parseFilter(asked.included, asked.excluded);
      return {
        included: asked.included === undefined ? preset.included : own.included,
        excluded: asked.excluded === undefined ? preset.excluded : own.excluded,
      };
    },
  };
}

const presetOf = ({ included, excluded }: Row): PropertyFilter =>
  parseFilter(JSON.parse(included) as string[], JSON.parse(excluded) as string[]);

export async function setFilters(
  sql: Sql,
  agent: string,
  scope: string,
  included: string[],
  excluded: string[],
  names?: FilterNames,
): Promise<void> {
  parseFilter(included, excluded, names);
  await sql.run(
    `INSERT INTO view_filters (agent, scope, included, excluded) VALUES (?, ?, ?, ?)
     ON CONFLICT (agent, scope) DO UPDATE SET included = excluded.included, excluded = excluded.excluded`,
    [agent, scope, JSON.stringify(included), JSON.stringify(excluded)],
  );
}
