/** A folder put in order, with the owner's consent and a way back. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Session } from '../../workspace.js';
import { block, has, namesOf, required, steps, type WorkflowPrompt } from './prompt.js';

type Folder = { id: string; name: string };

export const tidyFolder: WorkflowPrompt = {
  name: 'tidy_folder',
  title: 'Tidy a folder',
  description: 'Propose a better order for what is in a folder of the library, and carry it out once you agree.',
  inputs: [{ name: 'folder', description: 'Name or id of the folder; library for all of it.', required: true }],
  needs: ['list_folders', 'add_folder', 'edit_folder', 'move_folder'],
  async write(session, { folder = '' }) {
    const { id, name } = await find(session, folder);
    const inside = has(session, 'get_subtree')
      ? await required(session, 'get_subtree', { nodeId: id, depthLimit: 3 })
      : await required(session, 'list_folders', id === 'library' ? {} : { parentId: id });
    const { success: _, ...content } = inside;
    return `Put the folder '${name}' (id ${id}) of the library in order.

${steps([
  'Look at what is in it, below. Find twins, names that say too little, folders with one thing in them, and things that belong elsewhere.',
  'Propose the new order as a short list of moves, new names and new folders, each with its reason. Remove nothing.',
  'Wait for consent. Change nothing before.',
  has(session, 'snapshot_create') && 'Take a snapshot with snapshot_create first, so that all of it can be taken back.',
  'Make the changes one by one with add_folder, edit_folder and move_folder, each with the version that the last answer gave. On a conflict, read again before you go on.',
  has(session, 'snapshot_diff') && 'Show what changed with snapshot_diff, and say how to undo it.',
])}

${block('What is in it now:', content)}`;
  },
  complete: async (session, name) =>
    name === 'folder' ? ['library', ...new Set(await namesOf(session, 'list_folders', 'folders', 'name'))] : [],
};

async function find(session: Session, wanted: string): Promise<Folder> {
  if (wanted === 'library') return { id: 'library', name: 'library' };
  const { folders } = (await required(session, 'list_folders', {})) as unknown as { folders: Folder[] };
  const byId = folders.find(({ id }) => id === wanted);
  const [hit, twin] = byId ? [byId] : folders.filter(({ name }) => name === wanted);
  if (hit && !twin) return hit;
  const reason = hit ? 'several folders have this name: give an id' : 'no such folder. Use list_folders to see them';
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `folder: '${wanted}': ${reason}`);
}
