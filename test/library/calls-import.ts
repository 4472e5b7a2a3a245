/** Random exports, and imports of them later on. What they make of the tree is judged by facts, then taken over. */
import { expect } from 'vitest';
import { type Answer, type Attempt, attempt, basisOf, type Done, type Export, type Scene, type Step } from './calls.js';
import { expectMarks, type Facts, factsOf, listsOf, textOf, withoutUnheld } from './facts.js';

export const importKinds: readonly string[] = [
  'export',
  'export',
  'upsert',
  'upsert',
  'skip',
  'replace',
  'view import',
];

type Node = { nodeId: string; payloadType: string; payload: Answer; children: Node[] };

const nodesIn = (node: Node): Node[] => [node, ...node.children.flatMap(nodesIn)];

/** Takes a step of these kinds, and answers whether anything was called with success. */
export async function importStep(scene: Scene, step: Step): Promise<boolean> {
  if (step.kind === 'export') return exporting(scene, step);
  const { exports } = scene;
  const exported = exports[step.pick % (exports.length || 1)];
  return exported !== undefined && attempt(scene, step, importing(scene, step, exported));
}

async function exporting(scene: Scene, { agent, other }: Step): Promise<boolean> {
  const nodes = scene.model.everything();
  const nodeId = nodes[other % nodes.length]?.id;
  const { subtree } = await scene.call(agent, 'export_subtree', { nodeId });
  scene.exports.push({ json: subtree as Answer, look: scene.now });
  return true;
}

function importing(scene: Scene, step: Step, exported: Export): Attempt {
  const { kind } = step;
  const { json, look } = exported;
  const isView = kind === 'view import';
  const { now } = scene;
  const isUnchanged = JSON.stringify([look.tree, look.bookmarks]) === JSON.stringify([now.tree, now.bookmarks]);
  const isThere = now.rows.some(({ id }) => id === json.nodeId);
  const refusals = basisOf(scene, step) === now.revision ? ['invalid_argument'] : ['invalid_argument', 'conflict'];
  return {
    tool: isView ? 'import_view' : 'import_merge',
    input: isView
      ? { viewJson: json, payloadTypes: {}, rootLookupStrategy: 'byId' }
      : { json, strategy: kind, matchBy: 'nodeId' },
    outcomes:
      isView && !isThere ? ['not_found'] : isUnchanged && kind !== 'replace' ? [undefined] : [undefined, ...refusals],
    apply: (done) => {
      if (isUnchanged) expect(done.after).toEqual({ ...done.before, beside: done.after.beside });
      expectImported(json as Node, kind, done);
      expectMarks(done.before, done.after);
      scene.model.load(done.after);
    },
  };
}

/** Nodes are as the JSON has them, or as they were where it is only to add; others go, or are as they were. */
function expectImported(json: Node, kind: string, { answer, before, after }: Done): void {
  const nodes = nodesIn(json);
  const known = new Set(before.rows.map(({ id }) => id));
  const gone = kind === 'replace' ? new Set(answer.removed as string[]) : new Set<string>();
  expect(answer.created).toEqual(nodes.map(({ nodeId }) => nodeId).filter((id) => !known.has(id)));
  expect(factsOf(after)).toEqual(expectedFacts(json, kind, gone, { before, after }));

  const [oldLists, lists] = [listsOf(before), listsOf(after)];
  const imported = new Set(nodes.map(({ nodeId }) => nodeId));
  const foreign = (ids: string[] = []) => ids.filter((id) => !imported.has(id) && !gone.has(id));
  for (const [id, children] of lists) expect(foreign(children)).toEqual(foreign(oldLists.get(id)));
  for (const { nodeId, children } of nodes) {
    const ids = children.map((child) => child.nodeId);
    const list = lists.get(nodeId) ?? [];
    if (kind === 'skip') expect(list.filter((id) => known.has(id))).toEqual(oldLists.get(nodeId) ?? []);
    else if (kind === 'replace') expect(list).toEqual(ids);
    else expect(list.filter((id) => ids.includes(id))).toEqual(ids);
  }
}

type Looks = Pick<Done, 'before' | 'after'>;

function expectedFacts(json: Node, kind: string, gone: ReadonlySet<string>, { before, after }: Looks): Facts {
  const [old, made] = [factsOf(before), factsOf(after)];
  const isGone = ([key, value]: [string, string]) =>
    gone.has(key.startsWith('bookmark ') ? value : (key.split(' ')[0] as string));
  const facts: Facts = new Map([...old].filter((fact) => !isGone(fact)));
  const add = ({ nodeId, payloadType, payload, children }: Node, parentId: string | undefined) => {
    const held = old.get(`${nodeId} holds`);
    const isNew = held === undefined && nodeId !== 'library';
    if (isNew || (kind !== 'skip' && parentId !== undefined)) facts.set(`${nodeId} parent`, parentId ?? 'library');
    if (isNew) facts.set(`${nodeId} type`, payloadType).set(`${nodeId} holds`, made.get(`${nodeId} holds`) ?? '');
    const payloadId = held ?? made.get(`${nodeId} holds`);
    const below = Object.fromEntries(JSON.parse(old.get(`payload ${payloadId}`) ?? '[]'));
    if (payloadId !== undefined && (isNew || kind !== 'skip')) {
      facts.set(`payload ${payloadId}`, textOf(kind === 'replace' ? payload : { ...below, ...payload }));
    }
    for (const child of children) add(child, nodeId);
  };
  add(json, undefined);
  return withoutUnheld(facts);
}
