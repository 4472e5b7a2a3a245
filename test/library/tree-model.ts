/** A naive tree of arrays, with the rules of versions written out: slow, plain, and easy to trust. */
import type { Folder, Position } from '../../src/library/folders/folder.js';

export type ModelFolder = {
  id: string;
  name: string;
  status: Folder['status'];
  children: ModelFolder[];
  /** Revisions in which the folder itself, and its list of children, last changed. */
  changed: number;
  childrenChanged: number;
};

export type Spot = { parent: ModelFolder; index: number };

export class TreeModel {
  readonly library: ModelFolder = {
    id: 'library',
    name: '',
    status: 'active',
    children: [],
    changed: 0,
    childrenChanged: 0,
  };

  all(from = this.library): ModelFolder[] {
    return from.children.flatMap((child) => [child, ...this.all(child)]);
  }

  listing(from = this.library): Folder[] {
    return from.children.flatMap(({ id, name, status, children }, index) => [
      { id, name, status, parentId: from === this.library ? null : from.id },
      ...this.listing({ ...(from.children[index] as ModelFolder), children }),
    ]);
  }

  parentOf(folder: ModelFolder): ModelFolder {
    return [this.library, ...this.all()].find(({ children }) => children.includes(folder)) as ModelFolder;
  }

  contains(folder: ModelFolder, other: ModelFolder): boolean {
    return folder === other || this.all(folder).includes(other);
  }

  find(id: string | undefined): ModelFolder {
    return [this.library, ...this.all()].find((folder) => folder.id === id) ?? this.library;
  }

  /** The gap that a position names, with `moving` taken out first. */
  spot({ placement, relativeTo }: Position, moving?: ModelFolder): Spot {
    const reference = this.find(relativeTo);
    const atEdge = placement === 'beginning' || placement === 'ending';
    const parent = atEdge ? reference : this.parentOf(reference);
    const siblings = parent.children.filter((child) => child !== moving);
    if (placement === 'beginning') return { parent, index: 0 };
    if (placement === 'ending') return { parent, index: siblings.length };
    return { parent, index: siblings.indexOf(reference) + (placement === 'after' ? 1 : 0) };
  }

  insert(folder: ModelFolder, { parent, index }: Spot, revision: number): void {
    parent.children.splice(index, 0, folder);
    parent.childrenChanged = revision;
  }

  take(folder: ModelFolder, revision: number): void {
    const parent = this.parentOf(folder);
    parent.children.splice(parent.children.indexOf(folder), 1);
    parent.childrenChanged = revision;
  }

  /** Whether a writer that has seen `basis` has missed a change of what it touches. */
  isStale(basis: number, touched: { node?: ModelFolder; lists?: ModelFolder[]; subtree?: ModelFolder }): boolean {
    const latest = (folder: ModelFolder) => Math.max(folder.changed, folder.childrenChanged);
    const revisions = [
      ...(touched.node ? [touched.node.changed] : []),
      ...(touched.lists ?? []).map(latest),
      ...(touched.subtree ? [touched.subtree, ...this.all(touched.subtree)].map(latest) : []),
    ];
    return revisions.some((revision) => revision > basis);
  }
}
