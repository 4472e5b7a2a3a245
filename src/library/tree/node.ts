/** A node of the tree as it is stored. The tree has one root, whose id is `library`. */
export const ROOT_ID = 'library';

export type Node = {
  id: string;
  parentId: string | null;
  /** Its place among its siblings: siblings stand in the order of rank, then id. */
  rank: string;
  type: string;
  /** Self-payload nodes, such as folders, hold these themselves. */
  name: string | null;
  status: string | null;
  /** Other nodes point to a payload, which several nodes may share. */
  payloadId: string | null;
};

/** A node with the revisions that decide whether a writer has seen its latest state. */
export type StoredNode = Node & { changed: number; childrenChanged: number };

export const nodeColumns =
  'id, parent_id AS parentId, rank, type, name, status, payload_id AS payloadId, changed, children_changed AS childrenChanged';
