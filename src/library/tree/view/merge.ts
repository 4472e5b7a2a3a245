/** Merging a subtree into the tree: by ids or by names, with one of three strategies. */
import { notFound } from '../../../errors.js';
import type { Sql } from '../../../storage/sql.js';
import { type Change, touchSubtree } from '../change.js';
import { ROOT_ID } from '../node.js';
import { nameOf } from '../nodes.js';
import { applyPlan, type Outcome } from './apply.js';
import { laidOver } from './checks.js';
import { type Found, findAtPath, findByIds, findChildren, findNamed } from './find.js';
import { notUnique } from './import.js';
import { type Import, type Incoming, idsOf, parseImport } from './incoming.js';
import { planImport, type Rules } from './plan.js';

export type Strategy = 'upsert' | 'replace' | 'skip';
export type MatchBy = 'nodeId' | 'path';
export type Merge = { json: unknown; strategy: Strategy; matchBy: MatchBy; mostNesting: number };

/** What a match holds afterwards, by strategy. */
const combinations: Record<Strategy, Rules['combine']> = {
  upsert: laidOver,
  replace: (_, given) => given,
  skip: undefined,
};

export async function importMerge(change: Change, request: Merge): Promise<Outcome> {
  const { strategy, matchBy } = request;
  const imported = parseImport(request.json, 'json', request.mostNesting);
  const { root, match } = await matchers[matchBy](change.sql, imported);
  const plan = await planImport(change, imported.root, root, {
    match,
    combine: combinations[strategy],
    payloadTypes: {},
  });
  const replaces = strategy === 'replace';
  if (replaces && root) await touchSubtree(change, root.stored);
  return applyPlan(change, plan, replaces);
}

type Matching = { root: Found | undefined; match: Rules['match'] };

const matchers: Record<MatchBy, (sql: Sql, imported: Import) => Promise<Matching>> = {
  nodeId: async (sql, { root }) => {
    const known = await findByIds(sql, idsOf(root));
    const byId = ({ nodeId }: Incoming) => (nodeId === undefined ? undefined : known.get(nodeId));
    return { root: byId(root), match: async (incoming) => byId(incoming) };
  },
  path: async (sql, imported) => {
    const unused = new Map<string, Found[]>();
    const below = async (parentId: string) => {
      const known = unused.get(parentId) ?? (await findChildren(sql, parentId));
      unused.set(parentId, known);
      return known;
    };
    return {
      root: await rootByPath(sql, imported),
      match: async (incoming, parent) => (parent.found ? take(await below(parent.id), incoming) : undefined),
    };
  },
};

/** The first of the siblings that nothing has matched yet with the same name and type. */
function take(siblings: Found[], { typeName, payload }: Incoming): Found | undefined {
  const name = typeof payload.name === 'string' ? payload.name : undefined;
  const index = siblings.findIndex(({ node }) => node.type === typeName && nameOf(node) === name);
  return index < 0 ? undefined : siblings.splice(index, 1)[0];
}

/** The node at the path that the JSON gives. Without one: below the library, or the only one of that name anywhere. */
async function rootByPath(sql: Sql, { root, path }: Import): Promise<Found | undefined> {
  const { typeName, where, payload } = root;
  if (typeName === ROOT_ID) return (await findByIds(sql, [ROOT_ID])).get(ROOT_ID);
  if (path) {
    const found = (await findAtPath(sql, path)).find(({ node }) => node.type === typeName);
    if (found) return found;
    throw notFound`${where}: no '${typeName}' at the path '${path.join(' / ')}'`.advise(
      'Correct the path, or leave it out to match by name alone.',
    );
  }
  if (typeof payload.name !== 'string') return undefined;
  const named = await findNamed(sql, typeName, payload.name);
  const atTop = named.find(({ stored }) => stored.parentId === ROOT_ID);
  if (!atTop && named.length > 1) throw notUnique(where, payload.name, named);
  return atTop ?? named[0];
}
