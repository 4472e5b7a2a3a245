/** A workspace with two types of documents: `Actor`, with a schema, and `note`, without. */
import type { Role } from '../../src/config/settings.js';
import type { Envelope } from '../../src/workspace.js';
import { scratchWorkspace } from '../support/scratch.js';

export type Call = (tool: string, input?: object, who?: { agent?: string; role?: Role }) => Promise<Envelope>;

const actorSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    system: {
      type: 'object',
      properties: { hp: { type: 'number' }, bonds: { type: 'array', items: { type: 'string' } } },
    },
  },
  required: ['name'],
};

export const ada = { name: 'Ada', system: { hp: 7, bonds: ['sea', 'home', 'debt'], features: ['brave', 'quick'] } };

export async function documentsWorkspace(): Promise<Call> {
  const workspace = await scratchWorkspace({ settings: { database: ':memory:' } });
  const call: Call = (tool, input = {}, { agent = 'ada', role = 'owner' } = {}) =>
    workspace.session({ agent, role }).callUntyped(tool, input);
  await call('define_document_type', { documentType: 'Actor', schema: actorSchema, protectedPaths: ['system.key'] });
  await call('define_document_type', { documentType: 'note' });
  return call;
}

export async function create(call: Call, documentType: string, data: object, folderId?: string): Promise<string> {
  const made = await call('create_document', { documentType, data, ...(folderId !== undefined && { folderId }) });
  if (!made.success) throw new Error(String(made.error));
  return String(made.documentId);
}

export async function dataOf(call: Call, documentId: string): Promise<Record<string, unknown>> {
  const { document } = (await call('get_document', { documentId })) as { document?: { data: Record<string, unknown> } };
  if (!document) throw new Error(`There is no document '${documentId}'`);
  return document.data;
}
