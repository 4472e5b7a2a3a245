/** A library for tests of snapshots, undo and history, with callers that send the latest version. */
import { scratchWorkspace } from '../support/scratch.js';

export type Answer = Record<string, unknown> & { success: boolean; version: string; nodeId: string };
export type Call = (tool: string, input?: object) => Promise<Answer>;
export type Entry = Record<string, unknown>;

/** A workspace with a document type, and callers that always send the latest version unless they say another. */
export async function library() {
  const workspace = await scratchWorkspace();
  const session = (agent: string, role: 'owner' | 'editor') => workspace.session({ agent, role });
  const caller = (agent: string, role: 'owner' | 'editor' = 'editor'): Call => {
    const own = session(agent, role);
    const needsVersion = (name: string) => own.tools().find((tool) => tool.name === name)?.versionRule === 'required';
    return async (tool, input = {}) => {
      const { version } = (await own.callUntyped('snapshot_list', {})) as Answer;
      return (await own.callUntyped(tool, needsVersion(tool) ? { version, ...input } : input)) as Answer;
    };
  };
  const [ann, bob, owner] = [caller('ann'), caller('bob'), caller('olga', 'owner')];
  await owner('define_document_type', { documentType: 'note', protectedPaths: ['secret'] });
  const add = async (call: Call, parentNodeId: string, name: string, more: object = {}) => {
    const added = await call('add_child', { parentNodeId, payloadType: 'note', payloadProps: { name, ...more } });
    return added.nodeId;
  };
  const folder = async (call: Call, parentNodeId: string, name: string) =>
    (await call('add_child', { parentNodeId, payloadType: 'folder', payloadProps: { name } })).nodeId;
  const names = async (id: string) => {
    const { children } = (await ann('list_children', { nodeId: id })) as unknown as { children: { payload: Entry }[] };
    return children.map(({ payload }) => payload.name);
  };
  return { ann, bob, owner, caller, add, folder, names };
}
