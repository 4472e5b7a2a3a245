/** Views and subtrees of an agent: a root, what its filters let through, and which nodes are open. */
import { invalidArgument } from '../../../errors.js';
import type { AskedFilter } from '../filters.js';
import type { TreeNode } from '../nodes.js';
import { filterPayload, formatPath, noFilter, type PropertyFilter } from '../payload.js';
import type { Tree } from '../tree.js';
import { type Entry, isOpen, passDown } from './expansion.js';
import { defaultOf, type Expansion, expansionOf } from './expansion-store.js';
import { type Scopes, scopesOf } from './scopes.js';
import { type Bounds, type Look, MOST_LEVELS, type Nested, type Page, walkPage } from './walk.js';

/** What is asked for in one reading. */
export type Reading = { tree: Tree; agent: string; root: TreeNode; asked?: AskedFilter };

/** A view that also says what it is a view of. */
export type Wrapped = {
  rootNodeId: string;
  includedProperties: string[];
  excludedProperties: string[];
  defaultExpanded: boolean;
  root: Nested;
};

/** No export holds more nodes than this. */
const MOST_EXPORTED = 10_000;

const shownBy = ({ id, type, payload }: TreeNode, filter: PropertyFilter) => ({
  nodeId: id,
  payloadType: type,
  payload: filterPayload(payload, filter),
});

type InView = { scope: string; entries: readonly Entry[] };

function viewLook(scopes: Scopes, expansion: Expansion, byDefault: boolean): Look<InView> {
  const opens = ({ entries }: InView) => isOpen(entries, byDefault);
  return {
    root: async ({ id }) => ({ scope: await scopes.around(id), entries: await expansion.reaching(id) }),
    children: async ({ scope, entries }, nodes) => {
      const own = await expansion.ofNodes(nodes.map(({ id }) => id));
      const inherited = passDown(entries);
      return nodes.map(({ id }) => ({
        scope: scopes.below(scope, id),
        entries: [...inherited, ...(own.get(id) ?? [])],
      }));
    },
    opens,
    show: (node, context) => ({
      ...shownBy(node, scopes.filter(context.scope)),
      isExpanded: opens(context),
      childrenCount: node.childCount,
    }),
  };
}

function subtreeLook(scopes: Scopes): Look<string> {
  return {
    root: ({ id }) => scopes.around(id),
    children: async (scope, nodes) => nodes.map(({ id }) => scopes.below(scope, id)),
    opens: () => true,
    show: (node, scope) => ({ ...shownBy(node, scopes.filter(scope)), childrenCount: node.childCount }),
  };
}

/** A page of a view, and how to wrap it. The default given for one reading wins over the one that is kept. */
export async function readView(
  { tree, agent, root, asked }: Reading,
  bounds: Bounds,
  { defaultExpanded, position }: { defaultExpanded?: boolean | undefined; position?: string | undefined } = {},
): Promise<{ page: Page; wrap: (root: Nested) => Wrapped }> {
  const scopes = await scopesOf(tree, agent, asked);
  const byDefault = defaultExpanded ?? (await defaultOf(tree.sql, agent, root.id));
  const look = viewLook(scopes, await expansionOf(tree, agent), byDefault);
  const page = await walkPage(tree, root, look, bounds, position);
  const { included, excluded } = scopes.filter(await scopes.around(root.id));
  const wrap = (nested: Nested): Wrapped => ({
    rootNodeId: root.id,
    includedProperties: included.map(formatPath),
    excludedProperties: excluded.map(formatPath),
    defaultExpanded: byDefault,
    root: nested,
  });
  return { page, wrap };
}

/** A page of all that lies below a node, open or not. */
export async function readSubtree(
  { tree, agent, root, asked }: Reading,
  bounds: Bounds,
  position?: string,
): Promise<Page> {
  return walkPage(tree, root, subtreeLook(await scopesOf(tree, agent, asked)), bounds, position);
}

/** The whole view of an agent, by its expansion, filters and default. */
export async function exportView(reading: Reading): Promise<{ root: Nested; wrap: (root: Nested) => Wrapped }> {
  const { page, wrap } = await readView(reading, { pageSize: MOST_EXPORTED });
  return { root: whole(page, reading.root), wrap };
}

/** All below a node with all its properties: what filters hide would be missing where it is imported. */
export async function exportSubtree({ tree, root }: Pick<Reading, 'tree' | 'root'>): Promise<Nested> {
  const unfiltered: Scopes = { around: async () => root.id, below: (scope) => scope, filter: () => noFilter };
  return whole(await walkPage(tree, root, subtreeLook(unfiltered), { pageSize: MOST_EXPORTED }), root);
}

function whole(page: Page, { id }: TreeNode): Nested {
  const advice = 'Name a smaller root, or use get_subtree with paging and depthLimit.';
  if (page.cut)
    throw invalidArgument`'${id}' goes deeper than ${MOST_LEVELS} levels: too deep to export`.advise(advice);
  if (page.last === undefined) return page.root;
  throw invalidArgument`'${id}' has more than ${MOST_EXPORTED} nodes: too many to export`.advise(advice);
}
