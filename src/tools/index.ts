/** THE table of tools. What is listed here exists at every door; nothing else does. */
import { auditList } from './audit/list.js';
import { auditVerify } from './audit/verify.js';
import type { Tool } from './define.js';
import { addFolder } from './folders/add.js';
import { editFolder } from './folders/edit.js';
import { listFolders } from './folders/list.js';
import { moveFolder } from './folders/move.js';
import { removeFolder } from './folders/remove.js';

const table = [listFolders, addFolder, editFolder, removeFolder, moveFolder, auditList, auditVerify] as const;

export const tools: readonly Tool[] = table;

type Table = (typeof table)[number];

export type ToolName = Table['name'];
type Named<Name extends ToolName> = Extract<Table, { name: Name }>;
type Types<Name extends ToolName> = NonNullable<Named<Name>['types']>;
export type ToolInput<Name extends ToolName> = Types<Name>['input'];
export type ToolOutput<Name extends ToolName> = Types<Name>['output'];
