/** Carrying out the plan of an import. */
import type { Change } from '../change.js';
import { ownColumns, storePayload } from '../edit.js';
import { insertNode, insertPayload, moveNode, removeSubtree } from '../write.js';
import { idsWithin, otherChildren } from './find.js';
import { type Gap, ranksIn } from './order.js';
import { checkFresh, type Group, type Plan, type Planned } from './plan.js';

/** The ids of nodes by what became of them. */
export type Outcome = { created: string[]; updated: string[]; removed: string[]; skipped: string[] };

/** Makes, moves and changes nodes as planned, and removes what the JSON does not have where that is wanted. */
export async function applyPlan(change: Change, plan: Plan, removesOthers = false): Promise<Outcome> {
  await checkFresh(change, plan);
  for (const group of plan.groups) await placeChildren(change, group);
  for (const { found, payload } of plan.nodes) {
    if (found && payload) await storePayload(change, found.stored, payload);
  }
  const isUpdated = ({ payload, moves }: Planned) => payload !== undefined || moves;
  const ids = (which: (planned: Planned) => boolean) => plan.nodes.filter(which).map(({ id }) => id);
  return {
    created: ids(({ found }) => !found),
    updated: ids((planned) => planned.found !== undefined && isUpdated(planned)),
    removed: removesOthers ? await removeOthers(change, plan) : [],
    skipped: ids((planned) => planned.found !== undefined && !isUpdated(planned)),
  };
}

/** Puts the children that are new or move into the gaps between those that stay. */
async function placeChildren(change: Change, { parentId, children }: Group): Promise<void> {
  let after: string | undefined;
  let run: Planned[] = [];
  const close = async (before?: string) => {
    if (run.length > 0) await placeRun(change, parentId, { after, before }, run);
    run = [];
  };
  for (const child of children) {
    if (!child.found || child.moves) run.push(child);
    else if (child.found.stored.parentId === parentId) {
      await close(child.id);
      after = child.id;
    }
  }
  await close();
}

async function placeRun(change: Change, parentId: string, gap: Gap, run: readonly Planned[]): Promise<void> {
  const ranks = await ranksIn(change, parentId, gap, run.length);
  for (const [index, planned] of run.entries()) {
    const rank = ranks[index] as string;
    if (planned.found) await moveNode(change, planned.found.stored, parentId, rank);
    else await create(change, planned, parentId, rank);
  }
}

async function create(change: Change, { id, type, payload = {} }: Planned, parentId: string, rank: string) {
  const own = type.selfPayload ? ownColumns(payload) : { name: null, status: null };
  const payloadId = type.selfPayload ? null : await insertPayload(change, payload);
  await insertNode(change, { id, parentId, rank, type: type.name, ...own, payloadId });
}

/** Where the JSON says nothing about the children of a node, they stay. */
async function removeOthers(change: Change, { nodes }: Plan): Promise<string[]> {
  const kept = new Set(nodes.map(({ id }) => id));
  const removed: string[] = [];
  for (const { id, found, incoming } of nodes) {
    if (!found || !incoming.children) continue;
    for (const other of await otherChildren(change.sql, id, kept)) {
      removed.push(...(await idsWithin(change.sql, other.id)));
      await removeSubtree(change, other);
    }
  }
  return removed;
}
