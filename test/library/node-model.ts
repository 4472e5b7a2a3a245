/** A naive tree of nodes with payloads, tags and bookmarks, and the rules of versions written out. */
import type { Look } from './calls.js';

export type ModelPayload = { value: Record<string, unknown> };

export type ModelNode = {
  id: string;
  type: string;
  /** Shared by nodes that were copied by reference. */
  payload: ModelPayload;
  tags: Set<string>;
  children: ModelNode[];
  changed: number;
  childrenChanged: number;
};

export type Dump = { id: string; type: string; payload: Record<string, unknown>; tags: string[]; children: Dump[] };

export const newNode = (id: string, type: string, payload: ModelPayload, revision: number): ModelNode => ({
  id,
  type,
  payload,
  tags: new Set(),
  children: [],
  changed: revision,
  childrenChanged: revision,
});

export class NodeModel {
  library = newNode('library', 'library', { value: {} }, 0);
  bookmarks = new Map<string, string>();
  /** When a label was last set or removed. */
  labelled = new Map<string, number>();

  below(from: ModelNode = this.library): ModelNode[] {
    return from.children.flatMap((child) => [child, ...this.below(child)]);
  }

  everything(): ModelNode[] {
    return [this.library, ...this.below()];
  }

  parentOf(node: ModelNode): ModelNode {
    return this.everything().find(({ children }) => children.includes(node)) as ModelNode;
  }

  contains(node: ModelNode, other: ModelNode): boolean {
    return node === other || this.below(node).includes(other);
  }

  put(node: ModelNode, parent: ModelNode, index: number, revision: number): void {
    parent.children.splice(index, 0, node);
    parent.childrenChanged = revision;
  }

  take(node: ModelNode, revision: number): void {
    const parent = this.parentOf(node);
    parent.children.splice(parent.children.indexOf(node), 1);
    parent.childrenChanged = revision;
  }

  /** Takes a node out for good, with the bookmarks that point into it. */
  remove(node: ModelNode, revision: number): void {
    const gone = new Set([node, ...this.below(node)].map(({ id }) => id));
    this.take(node, revision);
    for (const [label, id] of this.bookmarks) if (gone.has(id)) this.unmark(label, revision);
  }

  mark(label: string, id: string, revision: number): void {
    if (this.bookmarks.get(label) === id) return;
    this.bookmarks.set(label, id);
    this.labelled.set(label, revision);
  }

  unmark(label: string, revision: number): void {
    this.bookmarks.delete(label);
    this.labelled.set(label, revision);
  }

  /** Sets a property; every node that shares the payload has changed. */
  set(node: ModelNode, name: string, value: unknown, revision: number): void {
    if (node.payload.value[name] === value) return;
    node.payload.value = { ...node.payload.value, [name]: value };
    for (const other of this.below()) if (other.payload === node.payload) other.changed = revision;
  }

  /** A copy with new ids, which come in the order that the library makes them: level by level, by parents' ids. */
  copy(source: ModelNode, ids: readonly string[], share: boolean, revision: number): ModelNode {
    const nodes: ModelNode[] = [];
    for (let level = [source]; level.length > 0; ) {
      nodes.push(...level);
      level = level.toSorted((a, b) => (a.id < b.id ? -1 : 1)).flatMap(({ children }) => children);
    }
    const copies = new Map<ModelNode, ModelNode>();
    for (const [index, node] of nodes.entries()) {
      const shared = share && node.type !== 'folder';
      const payload = shared ? node.payload : { value: { ...node.payload.value } };
      copies.set(node, newNode(ids[index] as string, node.type, payload, revision));
    }
    for (const [node, copied] of copies) copied.children = node.children.map((child) => copies.get(child) as ModelNode);
    return copies.get(source) as ModelNode;
  }

  /** Becomes what a look at the real tree shows, after a call whose marks are not modelled. */
  load({ tree, bookmarks, rows, labelled }: Look): void {
    const stored = new Map(rows.map((row) => [row.id, row]));
    const payloads = new Map<string, ModelPayload>();
    const node = ({ id, type, payload, tags, children }: Dump): ModelNode => {
      const { payloadId, changed, childrenChanged } = stored.get(id) as Look['rows'][number];
      const held = payloads.get(payloadId ?? id) ?? { value: payload };
      payloads.set(payloadId ?? id, held);
      return { id, type, payload: held, tags: new Set(tags), children: children.map(node), changed, childrenChanged };
    };
    this.library = node({ id: 'library', type: 'library', payload: {}, tags: [], children: tree });
    this.bookmarks = new Map(Object.entries(bookmarks));
    this.labelled = new Map(Object.entries(labelled));
  }

  dump(from: ModelNode = this.library): Dump[] {
    return from.children.map((node) => ({
      id: node.id,
      type: node.type,
      payload: node.payload.value,
      tags: [...node.tags].sort(),
      children: this.dump(node),
    }));
  }

  private latest = (node: ModelNode) => Math.max(node.changed, node.childrenChanged);

  isStale(basis: number, touched: { node?: ModelNode; lists?: ModelNode[]; subtree?: ModelNode }): boolean {
    const { node, lists = [], subtree } = touched;
    const revisions = [
      ...(node ? [node.changed] : []),
      ...lists.map(this.latest),
      ...(subtree ? [subtree, ...this.below(subtree)].map(this.latest) : []),
    ];
    return revisions.some((revision) => revision > basis);
  }
}
