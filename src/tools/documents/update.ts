import { z } from 'zod';
import type { Difference } from '../../library/documents/document.js';
import { shownPath } from '../../library/documents/faults.js';
import { actions } from '../../library/documents/operations.js';
import { type UpdatedDocument, updateDocument as update } from '../../library/documents/update.js';
import { formatPath } from '../../library/tree/payload.js';
import { defineTool } from '../define.js';
import { changedDocument, checkId, data, documentId, documentType } from './shapes.js';

/** Described for callers, and read by the domain, which names every fault by the number of its operation. */
const operation = z.unknown().meta({
  type: 'object',
  properties: {
    path: {
      type: 'string',
      description: 'The array, in dot notation: system.bonds, or system.items.2.tags for one inside an array.',
    },
    action: { type: 'string', enum: [...actions], description: 'test fails unless the value at path equals value.' },
    index: { type: 'integer', minimum: 0, description: 'Place of the entry, from 0. An insert without it appends.' },
    value: { description: 'The entry to insert or to put in place, or the value to test for.' },
  },
  required: ['path', 'action'],
  additionalProperties: false,
});

const patchOperation = z.unknown().meta({
  type: 'object',
  properties: {
    op: {
      type: 'string',
      enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'],
      description: 'What to do at path. test fails unless the value there equals value.',
    },
    path: { type: 'string', description: 'JSON Pointer, such as /system/bonds/2.' },
    from: { type: 'string', description: 'JSON Pointer to the source, for move and copy.' },
    value: { description: 'The value to add, to put in place, or to test for.' },
  },
  required: ['op', 'path'],
});

export const updateDocument = defineTool({
  name: 'update_document',
  toolset: 'documents',
  port: 'documents',
  summary:
    'Update a structured document: set properties, and insert, replace or delete entries of its arrays without sending the rest. Nothing is changed unless everything is valid.',
  effect: 'write',
  input: {
    documentType,
    documentId,
    updates: data
      .optional()
      .describe(
        'New values: nested, or by dotted paths such as system.hp. Objects are merged, arrays replaced. A backslash before a dot makes it part of a key.',
      ),
    operations: z
      .array(operation)
      .optional()
      .describe('Run in order; later ones see the results of earlier ones. They win over updates of the same array.'),
    patch: z
      .array(patchOperation)
      .optional()
      .describe('The same as JSON Patch (RFC 6902), in place of updates and operations.'),
  },
  output: {
    content: z.string().describe('What was done, in a sentence.'),
    display: z.string().describe('The same for the user.'),
    changed: z.array(z.string()).describe('The paths that have another value now, up to 200; arrays count as a whole.'),
    ...changedDocument,
  },
  batch: ({ operations = [], patch = [] }) => Math.max(operations.length, patch.length),
  example: {
    input: {
      documentType: 'note',
      documentId: 'style',
      updates: { stars: 5 },
      operations: [
        { path: 'tags', action: 'insert', index: 0, value: 'guide' },
        { path: 'tags', action: 'delete', index: 1 },
      ],
    },
  },
  errors: ['invalid_argument', 'not_found', 'forbidden', 'conflict'],
  run: async (request, { documents, limits }) => {
    checkId(request.documentId);
    const { differences, ...document } = await update(documents, request, limits);
    return { ...sentences(document, differences), ...document };
  },
});

/** How many paths a sentence names, and how many the answer lists. */
const MOST_NAMED = 5;
const MOST_LISTED = 200;

function sentences(
  { documentType, documentId, name }: Omit<UpdatedDocument, 'differences'>,
  differences: readonly Difference[],
) {
  const changed = differences.slice(0, MOST_LISTED).map(({ path }) => shownPath(formatPath(path)));
  const more = differences.length > MOST_NAMED ? ` and ${differences.length - MOST_NAMED} more` : '';
  const what = changed.length > 0 ? changed.slice(0, MOST_NAMED).join(', ') + more : 'nothing differs';
  return {
    content: `Updated ${documentType} ${documentId}: ${what}`,
    display: `Updated ${name === undefined ? documentId : `"${name}"`} (${documentType}): ${what}`,
    changed,
  };
}
