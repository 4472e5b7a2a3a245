/** The changes that agents make to nodes: add, set properties, remove, move. Every one is checked before it is made. */
import { invalidArgument, plainFailure } from '../../errors.js';
import { type Change, touchChildren, touchNode, touchSubtree } from './change.js';
import { ROOT_ID, type StoredNode } from './node.js';
import { nodeAt, noNode, type TreeNode } from './nodes.js';
import { equalStored, formatPath, type Path, type Payload, parsePath, withValueAt } from './payload.js';
import { type Place, rankAt } from './place.js';
import { findNode, isWithin } from './read.js';
import { checkPayload } from './schema.js';
import { currentTree } from './tree.js';
import { checkGuarded, checkParentType, type PayloadType, parseProtected, requireType } from './types.js';
import { insertNode, insertPayload, moveNode, removeSubtree, replacePayload, updateOwnPayload } from './write.js';

/** The stored row of a node that a caller named. */
export async function storedNode({ sql }: Change, id: string, argument = 'nodeId'): Promise<StoredNode> {
  const node = await findNode(sql, id);
  if (!node) throw noNode(argument, id);
  return node;
}

/** A folder's payload as it is stored: active unless it says otherwise, and without white space around the name. */
export function completed(type: PayloadType, payload: Payload): Payload {
  if (type.name !== 'folder') return payload;
  const name = typeof payload.name === 'string' ? payload.name.trim() : payload.name;
  return { status: 'active', ...payload, ...(name !== undefined && { name }) };
}

/** Adds a node at a place, with a payload of its own, and answers its id. */
export async function addNode(
  change: Change,
  place: Place,
  typeName: string,
  props: Payload,
  id = change.newId(),
): Promise<string> {
  const type = await requireType(change.sql, typeName);
  checkParentType(type, place.parent.type);
  for (const key of Object.keys(props)) checkGuarded(type, [key], 'payloadProps');
  const payload = completed(type, props);
  checkPayload(type, payload);
  await touchChildren(change, place.parent);
  const rank = await rankAt(change, place);
  const own = type.selfPayload ? ownColumns(payload) : { name: null, status: null };
  const payloadId = type.selfPayload ? null : await insertPayload(change, payload);
  await insertNode(change, { id, parentId: place.parent.id, rank, type: type.name, ...own, payloadId });
  return id;
}

export const ownColumns = (payload: Payload) => ({ name: payload.name as string, status: payload.status as string });

/** One property to set: its path, and the value. */
export type Assignment = { path: Path; value: unknown };

/** The assignments of a patch: its keys are paths. `argument` names it in failures. */
export function parsePatch(patch: Payload, argument = 'patch'): Assignment[] {
  const entries = Object.entries(patch);
  if (entries.length === 0) throw invalidArgument`${argument}: nothing to set`;
  return entries.map(([key, value]) => ({ path: parsePath(key, argument), value }));
}

/** Sets properties of a node's payload. All of them are checked before any is set. */
export async function setProperties(
  change: Change,
  id: string,
  assignments: readonly Assignment[],
  argument = 'patch',
): Promise<void> {
  const stored = await storedNode(change, id);
  const node = (await nodeAt(await currentTree(change.sql), id)) as TreeNode;
  const type = await requireType(change.sql, node.type);
  for (const { path } of assignments) {
    checkGuarded(type, path, argument);
    checkProtected(change, type, path);
  }
  const set = (payload: Payload, { path, value }: Assignment) => withValueAt(payload, path, value, argument);
  const payload = completed(type, assignments.reduce(set, node.payload));
  checkPayload(type, payload);
  await touchNode(change, stored);
  if (!equalStored(payload, node.payload)) await storePayload(change, stored, payload);
}

/** Writes a checked payload where its node keeps it. */
export async function storePayload(change: Change, node: StoredNode, payload: Payload): Promise<void> {
  if (node.payloadId === null) await updateOwnPayload(change, node, ownColumns(payload));
  else await replacePayload(change, node.payloadId, payload);
}

/** Refuses a change of what only an owner may change: at a protected path, above it or below. */
export function checkProtected(change: Change, type: PayloadType, path: Path): void {
  if (change.mayChangeProtected) return;
  const overlaps = (other: Path) => other.every((key, index) => index >= path.length || path[index] === key);
  const hit = parseProtected(type.protectedPaths).find(overlaps);
  if (!hit) return;
  throw plainFailure('forbidden', `Property '${formatPath(hit)}' of a '${type.name}' is protected`).advise(
    'Only an owner changes it. Leave it out, or ask an owner.',
  );
}

export async function removeNode(change: Change, id: string): Promise<void> {
  if (id === ROOT_ID) throw rootStays('removed');
  const node = await storedNode(change, id);
  await touchSubtree(change, node);
  await touchChildren(change, await parentOf(change, node));
  await removeSubtree(change, node);
}

/** Moves a node with all below it. */
export async function relocate(change: Change, id: string, place: Place): Promise<void> {
  if (id === ROOT_ID) throw rootStays('moved');
  const node = await storedNode(change, id);
  const besideItself = 'sibling' in place && place.sibling.id === id;
  if (besideItself || (await isWithin(change.sql, place.parent.id, id))) {
    throw invalidArgument`Cannot move node '${id}': target is the node itself or below it`.advise(
      'Choose a target outside the node that you move.',
    );
  }
  checkParentType(await requireType(change.sql, node.type), place.parent.type);
  await touchSubtree(change, node);
  await touchChildren(change, await parentOf(change, node));
  await touchChildren(change, place.parent);
  await moveNode(change, node, place.parent.id, await rankAt(change, place, id));
}

export async function parentOf({ sql }: Change, node: StoredNode): Promise<StoredNode> {
  return (await findNode(sql, node.parentId ?? ROOT_ID)) as StoredNode;
}

const rootStays = (what: 'moved' | 'removed') =>
  plainFailure('invalid_argument', `Cannot change the library: the root cannot be ${what}`).advise(
    'Name a node below it.',
  );
