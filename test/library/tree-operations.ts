/** Random folder operations, run on the real library and on the model at once. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { FolderPort, Position } from '../../src/library/folders/folder.js';
import { currentRevision } from '../../src/library/tree/version.js';
import type { Database } from '../../src/storage/sql.js';
import { portOn } from '../support/library-port.js';
import type { ModelFolder, TreeModel } from './tree-model.js';

/** Picks are numbers, taken modulo what there is when the operation runs. */
export type Operation = {
  kind: 'add' | 'edit' | 'remove' | 'move';
  pick: number;
  reference: number;
  placement: Position['placement'];
  name: string;
  status: 'active' | 'dropped';
  /** How many revisions ago the writer last looked; null for a writer without a version. */
  lag: number | null;
};

export const operations = fc.array(
  fc.record<Operation>({
    kind: fc.constantFrom('add', 'add', 'add', 'edit', 'move', 'move', 'remove'),
    pick: fc.nat(1000),
    reference: fc.nat(1000),
    placement: fc.constantFrom('before', 'after', 'beginning', 'ending'),
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    status: fc.constantFrom('active', 'dropped'),
    lag: fc.option(fc.nat(6)),
  }),
  { minLength: 1, maxLength: 60 },
);

type Attempt = {
  stale: boolean;
  circular?: boolean;
  run: (port: FolderPort) => Promise<unknown>;
  apply: (revision: number, made: unknown) => void;
};

/** Runs one operation on both sides; they must agree on whether it is allowed, and on the tree after it. */
export async function runOperation(database: Database, model: TreeModel, operation: Operation): Promise<void> {
  const before = await database.read(currentRevision);
  const basis = operation.lag === null ? undefined : Math.max(0, before - operation.lag);
  const attempt = attemptOf(model, operation, basis ?? before);
  if (!attempt) return;
  const port = portOn(database, basis === undefined ? undefined : `r${basis}`);
  const outcome = await attempt.run(port).then(
    (made) => ({ made }),
    (failure: { type: string; details: object }) => ({ failure }),
  );
  const after = await database.read(currentRevision);
  const expected = attempt.circular ? 'invalid_argument' : attempt.stale ? 'conflict' : undefined;
  expect('failure' in outcome ? outcome.failure.type : undefined).toBe(expected);
  if ('failure' in outcome) {
    expect(after).toBe(before);
    if (attempt.stale && !attempt.circular) expect(outcome.failure.details).toEqual({ currentVersion: `r${before}` });
  } else attempt.apply(after, outcome.made);
  expect((await portOn(database).list({ includeChildren: true })).folders).toEqual(model.listing());
}

function attemptOf(model: TreeModel, operation: Operation, basis: number): Attempt | undefined {
  const { kind, name, status } = operation;
  const folders = model.all();
  const position = positionOf(model, operation);
  if (kind === 'add') return adding(model, name, position, basis);
  const folder = folders[operation.pick % (folders.length || 1)];
  if (!folder) return undefined;
  if (kind === 'edit') return editing(model, folder, name, status, basis);
  return kind === 'remove' ? removing(model, folder, basis) : moving(model, folder, position, basis);
}

function positionOf(model: TreeModel, { reference, placement }: Operation): Position {
  const folders = model.all();
  const atEdge = placement === 'beginning' || placement === 'ending';
  if (folders.length === 0 || (atEdge && reference % 4 === 0)) return { placement: atEdge ? placement : 'ending' };
  return { placement, relativeTo: (folders[reference % folders.length] as ModelFolder).id };
}

function adding(model: TreeModel, name: string, position: Position, basis: number): Attempt {
  const spot = model.spot(position);
  return {
    stale: model.isStale(basis, { lists: [spot.parent] }),
    run: (port) => port.add(name, position),
    apply: (revision, made) => {
      const { id } = made as { id: string };
      const folder: ModelFolder = {
        id,
        name,
        status: 'active',
        children: [],
        changed: revision,
        childrenChanged: revision,
      };
      model.insert(folder, spot, revision);
    },
  };
}

function editing(
  model: TreeModel,
  folder: ModelFolder,
  newName: string,
  newStatus: 'active' | 'dropped',
  basis: number,
): Attempt {
  return {
    stale: model.isStale(basis, { node: folder }),
    run: (port) => port.edit({ id: folder.id }, { newName, newStatus }),
    apply: (revision) => {
      if (folder.name === newName && folder.status === newStatus) return;
      Object.assign(folder, { name: newName, status: newStatus, changed: revision });
    },
  };
}

function removing(model: TreeModel, folder: ModelFolder, basis: number): Attempt {
  return {
    stale: model.isStale(basis, { subtree: folder, lists: [model.parentOf(folder)] }),
    run: (port) => port.remove({ id: folder.id }),
    apply: (revision) => model.take(folder, revision),
  };
}

function moving(model: TreeModel, folder: ModelFolder, position: Position, basis: number): Attempt {
  const circular = position.relativeTo === folder.id || model.contains(folder, model.spot(position).parent);
  const lists = [model.parentOf(folder), ...(circular ? [] : [model.spot(position).parent])];
  return {
    circular,
    stale: model.isStale(basis, { subtree: folder, lists }),
    run: (port) => port.move({ id: folder.id }, position),
    apply: (revision) => {
      const spot = model.spot(position, folder);
      model.take(folder, revision);
      model.insert(folder, spot, revision);
      folder.changed = revision;
    },
  };
}
