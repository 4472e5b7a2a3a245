/** What a project's rules say of children: which types a node may hold, and how many. One statement a rule. */
import type { Sql } from '../../../storage/sql.js';
import type { Rule } from './ruleset.js';
import { type Fragment, inScope } from './scope.js';
import type { Found, Scope } from './violation.js';

export async function childViolations(sql: Sql, rule: Rule, scope: Scope, limit: number): Promise<Found[]> {
  const found = [...(await wrongChildren(sql, rule, scope, limit)), ...(await tooMany(sql, rule, scope, limit))];
  return found.slice(0, limit);
}

const ofType = ({ type }: Rule): Fragment =>
  type === undefined ? { text: 'TRUE', params: [] } : { text: 'n.type = ?', params: [type] };

async function wrongChildren(sql: Sql, rule: Rule, scope: Scope, limit: number): Promise<Found[]> {
  if (!rule.allowedChildren) return [];
  const [type, within] = [ofType(rule), inScope(scope)];
  const rows = await sql.all<{ nodeId: string; childId: string; childType: string }>(
    `SELECT n.id AS nodeId, child.id AS childId, child.type AS childType
     FROM nodes AS n JOIN nodes AS child ON child.parent_id = n.id
     WHERE ${type.text} AND ${within.text} AND child.type NOT IN (SELECT value FROM json_each(?))
     ORDER BY n.id, child.rank, child.id LIMIT ?`,
    [...type.params, ...within.params, JSON.stringify(rule.allowedChildren), limit],
  );
  return rows.map(({ nodeId, childId, childType }) => {
    return { nodeId, path: 'children', message: `may not hold a '${childType}', and holds '${childId}'` };
  });
}

async function tooMany(sql: Sql, rule: Rule, scope: Scope, limit: number): Promise<Found[]> {
  if (rule.maxChildren === undefined) return [];
  const [type, within] = [ofType(rule), inScope(scope)];
  const rows = await sql.all<{ nodeId: string; count: number }>(
    `SELECT n.id AS nodeId, n.child_count AS count FROM nodes AS n
     WHERE ${type.text} AND ${within.text} AND n.child_count > ? ORDER BY n.id LIMIT ?`,
    [...type.params, ...within.params, rule.maxChildren, limit],
  );
  return rows.map(({ nodeId, count }) => {
    return { nodeId, path: 'children', message: `may hold ${rule.maxChildren} at most, and holds ${count}` };
  });
}
