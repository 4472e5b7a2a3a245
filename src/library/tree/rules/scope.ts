/** A scope in SQL: which of the nodes, called `n`, a check looks at. */
import type { SqlValue } from '../../../storage/sql.js';
import type { Scope } from './violation.js';

export type Fragment = { text: string; params: readonly SqlValue[] };

/** UNION, not UNION ALL: in a damaged tree the way down may lead in a circle. */
const below = `WITH RECURSIVE below (id) AS (
  SELECT ? UNION SELECT child.id FROM below JOIN nodes AS child ON child.parent_id = below.id
)`;

/** A scope for a statement that looks once. */
export function inScope(scope: Scope): Fragment {
  if (scope.of === 'all') return { text: 'TRUE', params: [] };
  return { text: scope.of === 'node' ? 'n.id = ?' : `n.id IN (${below} SELECT id FROM below)`, params: [scope.id] };
}

/** A scope for a statement that looks several times: what the statement begins with, and the condition. */
export function gathered(scope: Scope): Fragment & { condition: string } {
  if (scope.of === 'all') return { text: '', params: [], condition: 'TRUE' };
  const one = 'WITH one (id) AS (SELECT ?)';
  return scope.of === 'node'
    ? { text: one, params: [scope.id], condition: 'n.id = (SELECT id FROM one)' }
    : { text: below, params: [scope.id], condition: 'n.id IN (SELECT id FROM below)' };
}
