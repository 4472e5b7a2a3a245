/** Importing a view: its nodes are restored below a root, and so is what the agent sees of them. */
import { type Failure, invalidArgument, notFound } from '../../../errors.js';
import type { Change } from '../change.js';
import { setFilters } from '../filters.js';
import { ROOT_ID } from '../node.js';
import { currentTree } from '../tree.js';
import { requireType } from '../types.js';
import { applyPlan, type Outcome } from './apply.js';
import { laidOver } from './checks.js';
import { type Entry, isOpen, passDown } from './expansion.js';
import { defaultOf, expansionOf, setDefault, setExpansion } from './expansion-store.js';
import { type Found, findAtPath, findByIds, findNamed } from './find.js';
import { type Import, type Incoming, idsOf, parseImport, type Wrapping } from './incoming.js';
import { type Plan, planImport, type Rules } from './plan.js';

/** How the root of the JSON is found in the tree. */
export type RootLookup = 'byId' | 'byPath' | 'create';

export type ViewImport = {
  json: unknown;
  payloadTypes: Readonly<Record<string, string>>;
  lookup: RootLookup;
  mostNesting: number;
};

/** Restores a view. Nothing is removed, and properties that the view does not show stay as they are. */
export async function importView(change: Change, request: ViewImport): Promise<Outcome & { rootId: string }> {
  const { payloadTypes, lookup } = request;
  for (const [name, type] of Object.entries(payloadTypes)) {
    await requireType(change.sql, type, `payloadTypes.${name}`);
  }
  const imported = parseImport(request.json, 'viewJson', request.mostNesting);
  const foundRoot = await lookups[lookup](change, imported, payloadTypes);
  const known = lookup === 'create' ? new Map<string, Found>() : await findByIds(change.sql, idsOf(imported.root));
  const rules: Rules = {
    match: async ({ nodeId }) => (nodeId === undefined ? undefined : known.get(nodeId)),
    combine: laidOver,
    payloadTypes,
  };
  const plan = await planImport(change, imported.root, foundRoot, rules);
  const outcome = await applyPlan(change, plan);
  await restoreView(change, plan, imported.wrapping);
  return { ...outcome, rootId: plan.root.id };
}

type Lookup = (
  change: Change,
  imported: Import,
  payloadTypes: Readonly<Record<string, string>>,
) => Promise<Found | undefined>;

const lookups: Record<RootLookup, Lookup> = {
  byId: async ({ sql }, { root }) => {
    const id = root.nodeId ?? '';
    const found = (await findByIds(sql, [id])).get(id);
    if (found) return found;
    throw notFound`${root.where}.nodeId: '${id}' not found`.advise(
      'Use rootLookupStrategy create to add it below the library, or byPath to find it by its name.',
    );
  },
  byPath: async ({ sql }, { root, path }, payloadTypes) => {
    const type = payloadTypes[root.typeName] ?? root.typeName;
    if (path) return onlyOne(await findAtPath(sql, path), root, path.join(' > '));
    if (type === ROOT_ID) return (await findByIds(sql, [ROOT_ID])).get(ROOT_ID);
    const name = nameIn(root);
    return onlyOne(await findNamed(sql, type, name), root, name);
  },
  create: async (_, { root }) => {
    if (root.nodeId !== ROOT_ID && root.typeName !== ROOT_ID) return undefined;
    throw invalidArgument`${root.where}.nodeId: the library is there already and cannot be created`.advise(
      'Use rootLookupStrategy byId.',
    );
  },
};

function nameIn({ payload, where }: Incoming): string {
  if (typeof payload.name === 'string') return payload.name;
  throw invalidArgument`${where}.payload.name: the root has no name to find it by`.advise(
    'Use rootLookupStrategy byId, or give path: the names from the library down.',
  );
}

function onlyOne(found: readonly Found[], { where }: Incoming, name: string): Found {
  const [only] = found;
  if (only && found.length === 1) return only;
  throw only ? notUnique(where, name, found) : notFound`${where}: no node at '${name}'`;
}

export const notUnique = (where: string, name: string, found: readonly Found[]): Failure =>
  invalidArgument`${where}: '${name}' stands for ${found.length} nodes`
    .with({ matchingIds: found.slice(0, 20).map(({ stored }) => stored.id) })
    .advise('Give path, the names from the library down, or find the root by its id.');

/** Gives the agent the filters, the default and the open nodes of the view. */
async function restoreView(change: Change, { root, nodes, groups }: Plan, wrapping: Wrapping): Promise<void> {
  const { sql, agent } = change;
  const { included, excluded, defaultExpanded } = wrapping;
  const names = { included: 'viewJson.includedProperties', excluded: 'viewJson.excludedProperties' };
  if (included || excluded) await setFilters(sql, agent, root.id, included ?? [], excluded ?? [], names);
  if (defaultExpanded !== undefined) await setDefault(sql, agent, root.id, defaultExpanded);
  const tree = await currentTree(sql);
  const expansion = await expansionOf(tree, agent);
  const byDefault = await defaultOf(sql, agent, root.id);
  const own = await expansion.ofNodes(nodes.map(({ id }) => id));
  const entries = new Map<string, Entry[]>([[root.id, await expansion.reaching(root.id)]]);
  for (const { parentId, children } of groups) {
    const inherited = passDown(entries.get(parentId) ?? []);
    for (const { id } of children) {
      if (id !== root.id) entries.set(id, [...inherited, ...(own.get(id) ?? [])]);
    }
  }
  for (const expanded of [true, false]) {
    const differing = nodes.filter(
      ({ id, incoming }) => incoming.isExpanded === expanded && isOpen(entries.get(id) ?? [], byDefault) !== expanded,
    );
    await setExpansion(
      sql,
      agent,
      differing.map(({ id }) => id),
      { reach: 0, expanded },
    );
  }
}
