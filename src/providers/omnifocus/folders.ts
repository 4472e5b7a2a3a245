/** The folders of OmniFocus: one script a call, which looks up, checks, changes and answers. */
import type { ChangedFolder, FolderListing, FolderPort } from '../../library/folders/folder.js';
import { readAnswer, type Success } from './answer.js';
import type { OmniFocus } from './application.js';
import { unreadable } from './failures.js';
import type { FolderRequest } from './folder-program.js';
import { folderScript } from './script.js';

export type CallOptions = { dryRun: boolean; signal?: AbortSignal | undefined };

export function omnifocusFolders(omnifocus: OmniFocus, { dryRun, signal }: CallOptions): FolderPort {
  const ask = async (request: FolderRequest): Promise<Success> => {
    const isChange = request.action !== 'list' && !dryRun;
    const script = folderScript(dryRun ? { ...request, rehearse: true } : request);
    return readAnswer(await omnifocus.ask({ script, isChange, signal }), isChange);
  };
  const change = async (request: FolderRequest): Promise<ChangedFolder> => {
    const answer = await ask(request);
    if ('folders' in answer) throw unreadable('the answer to another question', !dryRun);
    return { id: answer.id, name: answer.name };
  };

  return {
    async list(query): Promise<FolderListing> {
      const answer = await ask({ action: 'list', query });
      if (!('folders' in answer)) throw unreadable('the answer to another question', false);
      return { folders: answer.folders };
    },
    add: (name, position) => change({ action: 'add', name, position }),
    edit: (which, update) => change({ action: 'edit', which, update }),
    remove: (which) => change({ action: 'remove', which }),
    move: (which, position) => change({ action: 'move', which, position }),
  };
}
