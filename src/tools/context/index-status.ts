/** How far the index is: words are there at once, vectors follow. */
import { z } from 'zod';
import { collectionsOf } from '../../context/collections.js';
import { defineTool } from '../define.js';
import { projectIfAny } from './place.js';

export const indexStatus = defineTool({
  name: 'index_status',
  toolset: 'context',
  summary: 'Tell how far the index is: chunks that can be found by words, and those that can be found by meaning, too.',
  effect: 'read',
  input: {},
  output: {
    embedder: z.string().describe('What makes the vectors, or none.'),
    engine: z.string(),
    chunks: z.number().describe('All can be found by words.'),
    embedded: z.number().describe('Chunks that can be found by meaning, too.'),
    pending: z.number().describe('Different texts that still get a vector.'),
    bytes: z.number().describe('What the vectors take in the database.'),
    process: z.number().optional().describe('The process that embeds now.'),
    fault: z.string().optional().describe('What went wrong last in this process.'),
    collections: z.array(
      z.object({
        collection: z.string(),
        alias: z.string().optional().describe('Its name in the project.'),
        documents: z.number(),
        chunks: z.number(),
        embedded: z.number(),
      }),
    ),
  },
  example: { input: {} },
  errors: [],
  run: async (_input, call) => {
    const { collections, process, fault, ...status } = await call.embedding.status(call.sql);
    const project = await projectIfAny(call);
    // A project file that names a broken source is no reason to hide the index.
    const named = project ? await collectionsOf(project).catch(() => []) : [];
    const aliases = new Map(named.map(({ id, alias }) => [id, alias]));
    return {
      ...status,
      ...(process !== undefined && { process }),
      ...(fault !== undefined && { fault }),
      collections: collections.map((one) => {
        const alias = aliases.get(one.collection);
        return { ...one, ...(alias !== undefined && { alias }) };
      }),
    };
  },
});
