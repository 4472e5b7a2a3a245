/**
 * The ruleset `structure`: whether the stored tree is a tree, and its nodes may stand where they do.
 * All checks are set operations in one statement, so none asks again for each node.
 */
import type { Sql } from '../../../storage/sql.js';
import { ROOT_ID } from '../node.js';
import type { PayloadType } from '../types.js';
import { type Fragment, gathered } from './scope.js';
import type { Found, Scope } from './violation.js';

/** What is wrong with the nodes that fit `where`. `detail` is a column for the message. */
type Check = { path: string; where: Fragment; detail: string; message: (detail: string) => string };

type Row = { which: number; nodeId: string; detail: string | null };

const plain = (text: string): Fragment => ({ text, params: [] });

const isOrphan = 'n.parent_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM nodes AS up WHERE up.id = n.parent_id)';
const isSecondRoot = `n.parent_id IS NULL AND n.id <> '${ROOT_ID}'`;
const isCutOff = `((${isOrphan}) OR (${isSecondRoot}))`;

const twin = `(SELECT twin.id FROM nodes AS twin
  WHERE twin.parent_id = n.parent_id AND twin.rank = n.rank AND twin.id < n.id LIMIT 1)`;
const children = '(SELECT count(*) FROM nodes AS child WHERE child.parent_id = n.id)';

const places: readonly Check[] = [
  { path: 'parent', where: plain(isOrphan), detail: 'n.parent_id', message: (id) => `its parent '${id}' is missing` },
  { path: 'parent', where: plain(isSecondRoot), detail: 'n.id', message: () => 'has no parent, and is not the root' },
  {
    path: 'parent',
    where: plain(`n.id = '${ROOT_ID}' AND n.parent_id IS NOT NULL`),
    detail: 'n.parent_id',
    message: (id) => `is the root, and yet stands below '${id}'`,
  },
  {
    path: 'rank',
    where: plain(`${twin} IS NOT NULL`),
    detail: twin,
    message: (id) => `has the same rank as its sibling '${id}'`,
  },
  {
    path: 'childrenCount',
    where: plain(`n.child_count <> ${children}`),
    detail: `n.child_count || ' are counted, ' || ${children} || ' are there'`,
    message: (counts) => `is not the number of its children: ${counts}`,
  },
  {
    path: 'payload',
    where: plain('n.payload_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM payloads WHERE id = n.payload_id)'),
    detail: 'n.payload_id',
    message: (id) => `its payload '${id}' is missing`,
  },
];

/** The checks that depend on the types: who keeps a payload where, which types there are, and who stands below whom. */
function typeChecks(types: readonly PayloadType[]): Check[] {
  const names = (list: readonly PayloadType[]) => JSON.stringify(list.map(({ name }) => name));
  const own = names(types.filter(({ selfPayload }) => selfPayload));
  const isOneOf = (list: string): Fragment => ({ text: 'n.type IN (SELECT value FROM json_each(?))', params: [list] });
  return [
    {
      path: 'payload',
      where: also(isOneOf(own), 'n.payload_id IS NOT NULL'),
      detail: 'n.type',
      message: (type) => `a '${type}' keeps its properties itself, and yet points to a payload`,
    },
    {
      path: 'payload',
      where: also(not(isOneOf(own)), 'n.payload_id IS NULL'),
      detail: 'n.type',
      message: (type) => `a '${type}' needs a payload, and has none`,
    },
    {
      path: 'payloadType',
      where: not(isOneOf(names(types))),
      detail: 'n.type',
      message: (type) => `type '${type}' is unknown`,
    },
    {
      path: 'payloadType',
      where: plain(`n.id = '${ROOT_ID}' AND n.type <> 'library'`),
      detail: 'n.type',
      message: (type) => `the root is a 'library', not a '${type}'`,
    },
    wrongParent(types),
  ];
}

const not = ({ text, params }: Fragment): Fragment => ({ text: `NOT (${text})`, params });
const also = ({ text, params }: Fragment, more: string): Fragment => ({ text: `${text} AND ${more}`, params });

const parentType = '(SELECT up.type FROM nodes AS up WHERE up.id = n.parent_id)';

/** Nodes below a parent that their type does not allow. Where the parent is missing, that is said elsewhere. */
function wrongParent(types: readonly PayloadType[]): Check {
  const restricted = types.filter(({ allowedParents }) => allowedParents);
  const allowed = restricted.flatMap(({ name, allowedParents }) => allowedParents?.map((parent) => [name, parent]));
  return {
    path: 'parent',
    where: {
      text: `n.type IN (SELECT value FROM json_each(?)) AND ${parentType} IS NOT NULL
        AND (n.type, ${parentType}) NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
      params: [JSON.stringify(restricted.map(({ name }) => name)), JSON.stringify(allowed)],
    },
    detail: `n.type || ''' may not stand below a ''' || ${parentType}`,
    message: (types) => `a '${types}'`,
  };
}

/** Runs checks as one statement, so that the nodes of a subtree are gathered once. The first checks come first. */
async function run(sql: Sql, checks: readonly Check[], scope: Scope, limit: number): Promise<Found[]> {
  const within = gathered(scope);
  const selects = checks.map(
    ({ where, detail }, index) =>
      `SELECT * FROM (SELECT ${index} AS which, n.id AS nodeId, ${detail} AS detail FROM nodes AS n
         WHERE ${where.text} AND ${within.condition} ORDER BY n.id LIMIT ?)`,
  );
  const rows = await sql.all<Row>(`${within.text} ${selects.join(' UNION ALL ')} LIMIT ?`, [
    ...within.params,
    ...checks.flatMap(({ where }) => [...where.params, limit]),
    limit,
  ]);
  return rows.map(({ which, nodeId, detail }) => {
    const { path, message } = checks[which] as Check;
    return { nodeId, path, message: message(detail ?? '') };
  });
}

/** The nodes of these types that stand below a parent which their type does not allow. */
export const wrongParents = (sql: Sql, types: readonly PayloadType[], limit: number): Promise<Found[]> =>
  run(sql, [wrongParent(types)], { of: 'all' }, limit);

/** All that is wrong with the structure, at most `limit` places. */
export async function structureViolations(
  sql: Sql,
  types: readonly PayloadType[],
  scope: Scope,
  limit: number,
): Promise<Found[]> {
  const found = await rootViolations(sql, scope);
  found.push(...(await unreachable(sql, scope, limit - found.length)));
  if (found.length >= limit) return found;
  return [...found, ...(await run(sql, [...places, ...typeChecks(types)], scope, limit - found.length))];
}

async function rootViolations(sql: Sql, { of }: Scope): Promise<Found[]> {
  const root = of === 'all' ? await sql.get('SELECT 1 FROM nodes WHERE id = ?', [ROOT_ID]) : true;
  return root ? [] : [{ nodeId: ROOT_ID, path: '', message: 'the root is missing' }];
}

/** Why no way leads from the root to a node: an ancestor has lost its parent, or the way up goes round in a circle. */
const reasons = {
  cut: 'cannot be reached from the root: an ancestor is cut off',
  circle: 'cannot be reached from the root: its ancestors run in a circle',
};

async function unreachable(sql: Sql, scope: Scope, limit: number): Promise<Found[]> {
  if (scope.of === 'all') return unreachableFromRoot(sql, limit);
  const way = await wayUp(sql, scope.id);
  if (way === 'root') return [];
  // Those that are cut off themselves are named as such, with the parent that is missing.
  const check = { path: 'parent', where: plain(`NOT ${isCutOff}`), detail: 'n.id', message: () => reasons[way] };
  return run(sql, [check], scope, limit);
}

/** Walks down from the root, and from all that is cut off: what neither way meets is in a circle or below one. */
async function unreachableFromRoot(sql: Sql, limit: number): Promise<Found[]> {
  const rows = await sql.all<{ nodeId: string; isCut: number }>(
    `WITH RECURSIVE
       reached (id) AS (
         SELECT '${ROOT_ID}' UNION SELECT child.id FROM reached JOIN nodes AS child ON child.parent_id = reached.id),
       cut (id) AS (
         SELECT n.id FROM nodes AS n WHERE ${isCutOff}
         UNION SELECT child.id FROM cut JOIN nodes AS child ON child.parent_id = cut.id)
     SELECT n.id AS nodeId, n.id IN (SELECT id FROM cut) AS isCut FROM nodes AS n
     WHERE n.id NOT IN (SELECT id FROM reached) AND NOT ${isCutOff} ORDER BY n.id LIMIT ?`,
    [limit],
  );
  return rows.map(({ nodeId, isCut }) => ({ nodeId, path: 'parent', message: isCut ? reasons.cut : reasons.circle }));
}

/** Where the way up from a node ends. */
async function wayUp(sql: Sql, id: string): Promise<'root' | 'cut' | 'circle'> {
  const row = await sql.get<{ isReached: number; isCut: number }>(
    `WITH RECURSIVE up (id) AS (
       SELECT ? UNION SELECT n.parent_id FROM up JOIN nodes AS n ON n.id = up.id WHERE n.parent_id IS NOT NULL)
     SELECT max(up.id = '${ROOT_ID}') AS isReached, max(n.id IS NULL OR n.parent_id IS NULL) AS isCut
     FROM up LEFT JOIN nodes AS n ON n.id = up.id`,
    [id],
  );
  if (row?.isReached) return 'root';
  return row?.isCut ? 'cut' : 'circle';
}
