/** A look at a tree as plain facts, one line each: what two looks differ in is then easy to say. */
import { expect } from 'vitest';
import type { Look } from './calls.js';
import type { Dump } from './node-model.js';

export type Facts = Map<string, string>;

/** Parents, types, tags and bookmarks, who holds which payload, and what is in it. Not the order of children. */
export function factsOf({ tree, bookmarks, rows }: Look): Facts {
  const facts: Facts = new Map(Object.entries(bookmarks).map(([label, id]) => [`bookmark ${label}`, id]));
  const payloadIds = new Map(rows.map(({ id, payloadId }) => [id, payloadId ?? id]));
  const add = (parentId: string, { id, type, payload, tags, children }: Dump) => {
    const payloadId = payloadIds.get(id) as string;
    facts.set(`${id} parent`, parentId).set(`${id} type`, type).set(`${id} holds`, payloadId);
    facts.set(`payload ${payloadId}`, textOf(payload));
    for (const tag of tags) facts.set(`${id} tag ${tag}`, 'yes');
    for (const child of children) add(id, child);
  };
  for (const node of tree) add('library', node);
  return facts;
}

/** A payload as text, whatever the order of its keys. */
export const textOf = (payload: Record<string, unknown>): string => JSON.stringify(Object.entries(payload).sort());

/** A payload is seen with those who hold it, and never without. */
export function withoutUnheld(facts: Facts): Facts {
  const held = new Set([...facts].filter(([key]) => key.endsWith(' holds')).map(([, id]) => `payload ${id}`));
  return new Map([...facts].filter(([key]) => !key.startsWith('payload ') || held.has(key)));
}

/** The ids of every node's children. */
export function listsOf({ tree }: Look): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  const add = (id: string, children: Dump[]) => {
    lists.set(
      id,
      children.map((child) => child.id),
    );
    for (const child of children) add(child.id, child.children);
  };
  add('library', tree);
  return lists;
}

/** The ids of nodes that are other than they were: in their place, type, tags or payload. */
function changedNodes(before: Facts, after: Facts): string[] {
  const differs = (key: string) => before.get(key) !== after.get(key);
  const keys = [...new Set([...before.keys(), ...after.keys()])].filter(differs);
  const own = keys.filter((key) => !key.startsWith('payload ') && !key.startsWith('bookmark '));
  const payloads = new Set(keys.filter((key) => key.startsWith('payload ')).map((key) => key.slice('payload '.length)));
  const holders = [...after].filter(([key, id]) => key.endsWith(' holds') && payloads.has(id));
  return [...own, ...holders.map(([key]) => key)].map((key) => key.split(' ')[0] as string);
}

/** Whoever saw the tree before a call has an old version of everything that the call changed. */
export function expectMarks(before: Look, after: Look): void {
  const rows = new Map(after.rows.map((row) => [row.id, row]));
  for (const id of changedNodes(factsOf(before), factsOf(after))) {
    if (rows.has(id)) expect(rows.get(id)?.changed, id).toBe(after.revision);
  }
  const lists = listsOf(before);
  for (const [id, children] of listsOf(after)) {
    if (JSON.stringify(children) === JSON.stringify(lists.get(id) ?? [])) continue;
    expect(rows.get(id)?.childrenChanged, id).toBe(after.revision);
  }
}

/** The same tree, to the last bookmark, with the same nodes sharing the same payloads. */
export function expectSame(look: Look, other: Look): void {
  expect(look.tree).toEqual(other.tree);
  expect(factsOf(look)).toEqual(factsOf(other));
}
