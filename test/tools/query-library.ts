/** A small library for tests of queries, and short ways to ask it. */
import type { SettingValues } from '../../src/config/settings.js';
import { scratchWorkspace } from '../support/scratch.js';

type Item = { nodeId: string; payloadType: string; payload: Record<string, unknown>; path: { nodeId: string }[] };
export type Answer = {
  success: boolean;
  nodes: Item[];
  version: string;
  nextPageToken?: string;
  [field: string]: unknown;
};

/** A library: Work > (Plans > [Alpha ★3, Beta ★5], Gamma ★1), and Old. */
export async function openLibrary(settings: Partial<SettingValues> = {}) {
  const workspace = await scratchWorkspace({ settings });
  const session = workspace.session({ agent: 'ada', role: 'owner' });
  const call = async (name: string, input: Record<string, unknown>, who = session) =>
    (await who.callUntyped(name, input)) as unknown as Answer;
  const write = async (name: string, input: Record<string, unknown>, who = session) => {
    const { version } = await call('get_node', { nodeId: 'library' });
    return call(name, { ...input, version }, who);
  };
  await call('define_document_type', {
    documentType: 'note',
    schema: { type: 'object', properties: { name: { type: 'string' }, stars: { type: 'number', maximum: 5 } } },
    protectedPaths: ['secret'],
  });
  const add = async (parentNodeId: string, payloadType: string, payloadProps: Record<string, unknown>) =>
    (await write('add_child', { parentNodeId, payloadType, payloadProps })).nodeId as string;
  const work = await add('library', 'folder', { name: 'Work' });
  const plans = await add(work, 'folder', { name: 'Plans' });
  const alpha = await add(plans, 'note', { name: 'Alpha', stars: 3, tags: ['x', 'y'], due: '2024-05-01' });
  const beta = await add(plans, 'note', { name: 'Beta', stars: 5, system: { hp: 3 } });
  const gamma = await add(work, 'note', { name: 'Gamma', stars: 1, due: '2024-11-30' });
  const old = await add('library', 'folder', { name: 'Old', status: 'dropped' });
  return { workspace, session, call, write, add, ids: { work, plans, alpha, beta, gamma, old } };
}

export const idsOf = ({ nodes }: Answer) => nodes.map(({ nodeId }) => nodeId);
export const where = (path: string, op: string, value: unknown) => ({ path, op, value });
