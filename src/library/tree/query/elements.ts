/** Nodes as elements: with the outcome of every test of a selector, and hung together as a tree. */
import type { Tree } from '../tree.js';
import { type AttributeTest, type NodeTest, passesAttribute } from './attribute.js';
import { compareText } from './comparison.js';
import type { Link } from './lineages.js';
import type { Element } from './looks.js';
import type { Scanned } from './scan.js';

export type ToElement = (node: Scanned) => Element;

const isAttribute = (test: NodeTest): test is AttributeTest => test.kind !== 'id' && test.kind !== 'tag';

/** Whether payloads must be read at all. */
export const readsPayload = (tests: readonly NodeTest[]) => tests.some(isAttribute);

/** Makes elements. Payloads are looked at here, and not kept. */
export async function elementMaker({ sql, from }: Tree, tests: readonly NodeTest[]): Promise<ToElement> {
  const tags = tests.flatMap((test) => (test.kind === 'tag' ? [test.tag] : []));
  const rows = await sql.all<{ id: string; tag: string }>(
    `SELECT node_id AS id, tag FROM ${from.tags} WHERE tag IN (SELECT value FROM json_each(?))`,
    [JSON.stringify(tags)],
  );
  const tagged = new Map(tags.map((tag) => [tag, new Set<string>()]));
  for (const { id, tag } of rows) tagged.get(tag)?.add(id);
  return ({ payload, ...link }) => {
    const passed = tests.map((test) => {
      if (test.kind === 'id') return test.id === link.id;
      return test.kind === 'tag' ? tagged.get(test.tag)?.has(link.id) === true : passesAttribute(test, payload);
    });
    return { ...bareElement(link), type: link.type, passed };
  };
}

/** An element of which nothing but the place is known. */
export const bareElement = ({ id, parentId, rank }: Link): Element => ({
  id,
  parentId,
  rank,
  type: '',
  passed: [],
  parent: null,
  children: [],
  index: 0,
});

const bySiblingOrder = (a: Link, b: Link) => compareText(a.rank, b.rank) || compareText(a.id, b.id);

/** Gives elements their parents and children, and answers the root. */
export function hangTogether(elements: ReadonlyMap<string, Element>): Element | undefined {
  let root: Element | undefined;
  for (const element of elements.values()) {
    element.parent = elements.get(element.parentId ?? '') ?? null;
    if (element.parent) element.parent.children.push(element);
    else root = element;
  }
  for (const { children } of elements.values()) {
    children.sort(bySiblingOrder);
    for (const [index, child] of children.entries()) child.index = index;
  }
  return root;
}
