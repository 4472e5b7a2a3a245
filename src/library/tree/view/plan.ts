/** The plan of an import: what becomes of every node of the JSON. It is checked whole before anything is written. */
import { invalidArgument } from '../../../errors.js';
import { type Change, touchChildren, touchNode, touchSubtree } from '../change.js';
import { parentOf } from '../edit.js';
import { ROOT_ID } from '../node.js';
import { equalStored, type Payload } from '../payload.js';
import { isWithin } from '../read.js';
import { longestRise } from '../rise.js';
import { type PayloadType, requireType } from '../types.js';
import { checkedPayload, checkParentAt, checkProtectedSame } from './checks.js';
import { type Found, findByIds } from './find.js';
import { type Incoming, idsOf } from './incoming.js';

export type Planned = {
  incoming: Incoming;
  id: string;
  type: PayloadType;
  /** The node of the tree that it matches. */
  found: Found | undefined;
  /** The payload to write; undefined where the one that is there stays. */
  payload: Payload | undefined;
  /** Whether a node that was found goes to another parent, or to another place below the same. */
  moves: boolean;
};

/** A parent and those of its children that the JSON has, in the order of the JSON. */
export type Group = { parentId: string; parent: Found | undefined; children: Planned[] };

export type Plan = {
  root: Planned;
  /** In the order of the JSON, parents first. */
  nodes: Planned[];
  groups: Group[];
};

/** How an import decides. */
export type Rules = {
  /** The node that one below the root matches, if any. */
  match(incoming: Incoming, parent: Planned): Promise<Found | undefined>;
  /** What a match holds afterwards; undefined leaves matches alone, with their place. */
  combine: ((before: Payload, given: Payload) => Payload) | undefined;
  /** Names of types in the JSON that stand for others. */
  payloadTypes: Readonly<Record<string, string>>;
};

type Planning = {
  change: Change;
  rules: Rules;
  taken: ReadonlyMap<string, Found>;
  types: Map<string, PayloadType>;
  claimed: Set<string>;
  nodes: Planned[];
  groups: Group[];
};

/** Plans an import whose root is merged into `foundRoot`, or else added below the library. */
export async function planImport(
  change: Change,
  root: Incoming,
  foundRoot: Found | undefined,
  rules: Rules,
): Promise<Plan> {
  const taken = await findByIds(change.sql, [ROOT_ID, ...idsOf(root)]);
  const planning: Planning = { change, rules, taken, types: new Map(), claimed: new Set(), nodes: [], groups: [] };
  const library = taken.get(ROOT_ID) as Found;
  const planned = await planNode(planning, root, foundRoot, foundRoot ? undefined : 'library');
  const above: Group[] = foundRoot ? [] : [{ parentId: ROOT_ID, parent: library, children: [planned] }];
  await planChildren(planning, planned);
  const plan = { root: planned, nodes: planning.nodes, groups: [...above, ...planning.groups] };
  await checkMoves(change, plan);
  checkShared(plan);
  return plan;
}

async function planNode(
  planning: Planning,
  incoming: Incoming,
  found: Found | undefined,
  parentType: string | undefined,
): Promise<Planned> {
  const { change, claimed, taken, nodes } = planning;
  const type = await typeOf(planning, incoming);
  const { where, nodeId } = incoming;
  if (found && claimed.has(found.stored.id)) {
    throw invalidArgument`${where}.nodeId: '${found.stored.id}' is matched by another node already`;
  }
  if (parentType !== undefined) checkParentAt(where, type, parentType);
  const free = nodeId !== undefined && !taken.has(nodeId) ? nodeId : change.newId();
  const id = found?.stored.id ?? free;
  const payload = found
    ? updatedPayload(planning, incoming, type, found)
    : checkedPayload(type, incoming.payload, where);
  const planned = { incoming, id, type, found, payload, moves: false };
  claimed.add(id);
  nodes.push(planned);
  return planned;
}

async function typeOf({ change, rules, types }: Planning, { typeName, where }: Incoming): Promise<PayloadType> {
  const known = types.get(typeName);
  if (known) return known;
  const name = Object.hasOwn(rules.payloadTypes, typeName) ? (rules.payloadTypes[typeName] as string) : typeName;
  const type = await requireType(change.sql, name, `${where}.payloadType`);
  types.set(typeName, type);
  return type;
}

/** What a match holds afterwards, or undefined where that is what it holds already. */
function updatedPayload(
  { change, rules }: Planning,
  { where, payload }: Incoming,
  type: PayloadType,
  { node }: Found,
): Payload | undefined {
  if (node.type !== type.name) {
    throw invalidArgument`${where}.payloadType: '${node.id}' is a '${node.type}' and cannot become a '${type.name}'`;
  }
  if (!rules.combine) return undefined;
  const before = node.payload;
  const after = checkedPayload(type, rules.combine(before, payload), where);
  checkProtectedSame(change, type, { before, after }, where);
  return equalStored(after, before) ? undefined : after;
}

async function planChildren(planning: Planning, parent: Planned): Promise<void> {
  const { incoming, id, found } = parent;
  if (!incoming.children?.length) return;
  const group: Group = { parentId: id, parent: found, children: [] };
  planning.groups.push(group);
  for (const child of incoming.children) {
    const match = await planning.rules.match(child, parent);
    const stays = match && (match.stored.parentId === id || !planning.rules.combine);
    group.children.push(await planNode(planning, child, match, stays ? undefined : parent.type.name));
    await planChildren(planning, group.children.at(-1) as Planned);
  }
  // Matches that are left alone keep their place too.
  if (planning.rules.combine) markMoves(group);
}

/** Those that came from elsewhere move, and the fewest that bring the others into order. */
function markMoves({ parentId, children }: Group): void {
  const present = children.filter(({ found }) => found?.stored.parentId === parentId);
  const rising = longestRise(present.map(({ found }) => found?.stored.rank ?? ''));
  const staying = new Set(present.filter((_, position) => rising.has(position)));
  for (const child of children) child.moves = child.found !== undefined && !staying.has(child);
}

/** Refuses to hang a node below itself: everything above the place of the import stays above it. */
async function checkMoves({ sql }: Change, { root, groups }: Plan): Promise<void> {
  const place = root.found ? root.id : ROOT_ID;
  for (const { incoming, id, moves } of groups.flatMap(({ children }) => children)) {
    if (!moves || !(await isWithin(sql, place, id))) continue;
    throw invalidArgument`${incoming.where}.nodeId: '${id}' stands above the root of the import`.advise(
      'Import it with the strategy create, or at another root.',
    );
  }
}

/** Refuses two values for one payload that nodes share. */
function checkShared({ nodes }: Plan): void {
  const known = new Map<string, { after: Payload; id: string }>();
  for (const { incoming, id, found, payload } of nodes) {
    const payloadId = found?.stored.payloadId;
    if (!found || !payloadId) continue;
    const after = payload ?? found.node.payload;
    const other = known.get(payloadId);
    if (other && !equalStored(after, other.after)) {
      throw invalidArgument`${incoming.where}.payload: '${id}' shares its payload with '${other.id}', and they differ`;
    }
    known.set(payloadId, { after, id });
  }
}

/** Refuses when anything that the plan touches has changed since the caller's version. */
export async function checkFresh(change: Change, { nodes, groups }: Plan): Promise<void> {
  for (const { found, payload, moves } of nodes) {
    if (!found) continue;
    if (payload) await touchNode(change, found.stored);
    if (!moves) continue;
    await touchSubtree(change, found.stored);
    await touchChildren(change, await parentOf(change, found.stored));
  }
  for (const { parent, children } of groups) {
    const isChanged = children.some(({ found, moves }) => !found || moves);
    if (parent && isChanged) await touchChildren(change, parent.stored);
  }
}
