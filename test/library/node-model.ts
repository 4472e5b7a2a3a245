/** A naive tree of nodes with payloads and tags, and the rules of versions written out. */

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
  readonly library = newNode('library', 'library', { value: {} }, 0);

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

  /** Sets a property; every node that shares the payload has changed. */
  set(node: ModelNode, name: string, value: unknown, revision: number): void {
    if (node.payload.value[name] === value) return;
    node.payload.value = { ...node.payload.value, [name]: value };
    for (const other of this.below()) if (other.payload === node.payload) other.changed = revision;
  }

  /** A copy with new ids, which come in the order that the library makes them: level by level. */
  copy(source: ModelNode, ids: readonly string[], share: boolean, revision: number): ModelNode {
    const levels: ModelNode[] = [source];
    for (let at = 0; at < levels.length; at++) levels.push(...(levels[at] as ModelNode).children);
    const copies = new Map<ModelNode, ModelNode>();
    for (const [index, node] of levels.entries()) {
      const shared = share && node.type !== 'folder';
      const payload = shared ? node.payload : { value: { ...node.payload.value } };
      copies.set(node, newNode(ids[index] as string, node.type, payload, revision));
    }
    for (const [node, copied] of copies) copied.children = node.children.map((child) => copies.get(child) as ModelNode);
    return copies.get(source) as ModelNode;
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
