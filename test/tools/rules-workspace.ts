/** A workspace with the tools of types and rulesets, whose database can be damaged past all checks. */
import path from 'node:path';
import type { Role } from '../../src/config/settings.js';
import { chooseDriver, type DriverName } from '../../src/storage/drivers/choose.js';
import { defineDocumentType, listDocumentTypes } from '../../src/tools/documents/types.js';
import { tools as table } from '../../src/tools/index.js';
import { addChild } from '../../src/tools/tree/add-child.js';
import { lintPayload, validateTree } from '../../src/tools/tree/validation.js';
import { scratchFolder, scratchWorkspace } from '../support/scratch.js';

const tools = [...new Set([...table, addChild, defineDocumentType, listDocumentTypes, validateTree, lintPayload])];

export type Call = (tool: string, input?: object, role?: Role) => Promise<Record<string, unknown>>;

/** A workspace of its own: calls as an owner unless another role is named, and damage past all checks. */
export async function workspace(project?: string): Promise<{ call: Call; damage: (...statements: string[]) => void }> {
  const folder = scratchFolder();
  const file = path.join(folder, 'library.db');
  const opened = await scratchWorkspace({ folder, tools, settings: { database: file } });
  const call: Call = (tool, input = {}, role = 'owner') =>
    opened.session({ role, agent: role, ...(project && { project }) }).callUntyped(tool, input);
  const damage = (...statements: string[]) => {
    const driver = (process.env.AI_ASSIST_SQLITE_DRIVER ?? 'auto') as DriverName;
    const connection = chooseDriver(driver).connect(file);
    connection.exec('PRAGMA foreign_keys = OFF; PRAGMA busy_timeout = 5000');
    for (const statement of statements) connection.exec(statement);
    connection.close();
  };
  return { call, damage };
}

export const noteSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

export async function addNote(call: Call, payloadProps: object, parentNodeId = 'library'): Promise<string> {
  const { version } = await call('list_document_types');
  const added = await call('add_child', { parentNodeId, payloadType: 'note', payloadProps, version });
  return added.nodeId as string;
}
