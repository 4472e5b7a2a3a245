/** Folders. */
import { addFolder } from './add.js';
import { editFolder } from './edit.js';
import { listFolders } from './list.js';
import { moveFolder } from './move.js';
import { removeFolder } from './remove.js';

export const folderTools = [listFolders, addFolder, editFolder, removeFolder, moveFolder] as const;
