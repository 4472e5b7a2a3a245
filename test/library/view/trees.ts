/** Random trees, built with add_child, and a naive copy of each. */
import fc from 'fast-check';
import type { Agent, Shown } from './agent.js';

/** A node of the naive copy. */
export type Plain = {
  id: string;
  type: string;
  payload: Record<string, unknown>;
  parent: Plain | undefined;
  children: Plain[];
};

/** Picks are numbers, taken modulo what there is when they are used. */
export type Seed = { pick: number; type: 'folder' | 'note' | 'free'; name: string; extra: Record<string, unknown> };

const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('x', 'é', ''), fc.boolean());
const extra = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd.e'),
  fc.oneof(value, fc.array(value), fc.dictionary(fc.constantFrom('a', 'b', 'c'), value)),
  {
    maxKeys: 3,
  },
);

export const seeds = (maxLength = 25): fc.Arbitrary<Seed[]> =>
  fc.array(
    fc.record<Seed>({
      pick: fc.nat(1000),
      type: fc.constantFrom('folder', 'folder', 'note', 'free'),
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      extra,
    }),
    { minLength: 1, maxLength },
  );

/** Builds the tree and answers the copy of its root. */
export async function build(agent: Agent, all: readonly Seed[]): Promise<Plain> {
  const library: Plain = { id: 'library', type: 'library', payload: {}, parent: undefined, children: [] };
  for (const seed of all) {
    const parents = everyone(library).filter(
      ({ type }) => type !== 'note' && (seed.type !== 'folder' || type !== 'free'),
    );
    const parent = parents[seed.pick % parents.length] as Plain;
    const payload = payloadOf(seed);
    const id = await agent.add(parent.id, seed.type, payload);
    parent.children.push({ id, type: seed.type, payload, parent, children: [] });
  }
  return library;
}

function payloadOf({ type, name, extra }: Seed): Record<string, unknown> {
  if (type === 'folder') return { status: 'active', name };
  return type === 'note' ? { name, ...extra } : extra;
}

/** A node and all below it, in the order of the tree. */
export const everyone = (from: Plain): Plain[] => [from, ...from.children.flatMap(everyone)];

export const pickOne = (root: Plain, pick: number): Plain => {
  const all = everyone(root);
  return all[pick % all.length] as Plain;
};

/** The nodes of an answer, in the order of the tree; those of earlier pages do not count. */
export const listed = (node: Shown): Shown[] => [
  ...(node.continues === undefined ? [node] : []),
  ...(node.children ?? []).flatMap(listed),
];

/** Pages of one answer, put together by the ids. */
export function joined(pages: readonly Shown[]): Shown {
  const known = new Map<string, Shown>();
  const copy = (node: Shown): Shown => {
    const made = { ...node, ...(node.children && { children: node.children.map(copy) }) };
    known.set(node.nodeId, made);
    return made;
  };
  const addTo = (page: Shown) => {
    for (const child of page.children ?? []) {
      if (child.continues !== undefined) addTo(child);
      else known.get(page.continues as string)?.children?.push(copy(child));
    }
  };
  const [first, ...later] = pages as [Shown, ...Shown[]];
  const root = copy(first);
  for (const page of later) addTo(page);
  return root;
}
