/** The two tools of document types: define one, and list them. */
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { defineType } from '../../library/tree/rules/definition.js';
import { defineTool } from '../define.js';
import { version } from '../tree/shapes.js';

export const defineDocumentType = defineTool({
  name: 'define_document_type',
  toolset: 'documents',
  summary:
    'Define a type of documents: a JSON Schema, protected properties, and the types it may stand below. What is left out is not restricted. Changing a type that exists needs an owner.',
  effect: 'write',
  input: {
    documentType: z.string().describe('Name of the type: letters, digits, - and _, beginning with a letter.'),
    schema: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'JSON Schema of the payload, 2020-12 unless its $schema says otherwise. References must stay inside it.',
      ),
    protectedPaths: z
      .array(z.string())
      .max(200)
      .optional()
      .describe('Properties that only an owner changes: paths such as owner or system.id, and all under them.'),
    allowedParents: z
      .array(z.string())
      .min(1)
      .max(200)
      .optional()
      .describe('Types of the nodes that it may stand below: library, folder, itself or other types. Default: any.'),
  },
  output: {
    documentType: z.string(),
    created: z.boolean().describe('Whether the type is new.'),
    nonconforming: z.number().describe('How many nodes no longer fit the type: counted up to 1000, and not changed.'),
    version,
  },
  example: {
    input: {
      documentType: 'task',
      schema: {
        type: 'object',
        properties: { name: { type: 'string' }, done: { type: 'boolean' } },
        required: ['name'],
      },
      allowedParents: ['folder', 'task'],
    },
  },
  errors: ['invalid_argument', 'forbidden'],
  run: async (input, { change, identity, signal }) => {
    const { documentType, schema = null, protectedPaths = [], allowedParents = null } = input;
    const pause = async () => {
      signal.throwIfAborted();
      await setImmediate();
    };
    const request = { sql: change.sql, mayChange: identity.role === 'owner', pause };
    const defined = await defineType(request, { name: documentType, schema, protectedPaths, allowedParents });
    return { documentType, ...defined, version: await change.version() };
  },
});

export const listDocumentTypes = defineTool({
  name: 'list_document_types',
  toolset: 'documents',
  port: 'documents',
  summary:
    'List the types of documents: schema, protected properties, allowed parents, and how many nodes there are of each.',
  effect: 'read',
  input: {},
  output: {
    types: z.array(
      z.object({
        documentType: z.string(),
        schema: z.record(z.string(), z.unknown()).nullable(),
        protectedPaths: z.array(z.string()),
        allowedParents: z.array(z.string()).nullable().describe('null: any type.'),
        selfPayload: z
          .boolean()
          .describe('Whether its nodes hold their properties themselves, and share them with none.'),
        nodes: z.number().optional().describe('How many there are, where the provider counts them.'),
      }),
    ),
    version: version.optional(),
  },
  example: { input: {} },
  errors: [],
  run: (_input, { documents }) => documents.types(),
});
