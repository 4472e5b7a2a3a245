/** Which documents a search is about, and by what names the project knows their collections. */
import { z } from 'zod';
import { listCollections } from '../../context/collection-store.js';
import type { ToolCall } from '../call.js';
import { projectIfAny } from './place.js';

export const scopeShape = {
  collections: z
    .array(z.string())
    .optional()
    .describe('Only in these: names of collections, groups or categories in the project, or ids. Default: all.'),
  paths: z.array(z.string()).optional().describe('Only documents whose paths match one of these globs.'),
};

export type AskedScope = { collections?: string[] | undefined; paths?: string[] | undefined };

/** The documents that a search is limited to, or undefined for all there are, which needs no code of scopes. */
export async function documentsAsked(
  call: ToolCall,
  { collections, paths }: AskedScope,
): Promise<ReadonlySet<number> | undefined> {
  if (!collections && !paths) return undefined;
  const [{ scopeOf }, { documentsIn }] = await Promise.all([
    import('../../catalog/scope.js'),
    import('../../search/scope.js'),
  ]);
  const scope = collections
    ? await scopeOf(call.sql, await projectIfAny(call), collections)
    : (await listCollections(call.sql)).map(({ id }) => ({ collection: id }));
  const documents = await documentsIn(call.sql, scope);
  if (!paths) return documents;
  const named = [...new Set(scope.map(({ collection }) => collection))];
  const matching = await documentsIn(
    call.sql,
    named.map((collection) => ({ collection, patterns: paths })),
  );
  return new Set([...documents].filter((id) => matching.has(id)));
}

/** The names that the project has for collections, by their ids. A project file with a fault in it gives none. */
export async function aliasesOf(call: ToolCall): Promise<ReadonlyMap<string, string>> {
  try {
    const project = await projectIfAny(call);
    if (!project) return new Map();
    const { collectionsOf } = await import('../../context/collections.js');
    const named = await collectionsOf(project);
    return new Map(named.map(({ id, alias }) => [id, alias]));
  } catch {
    return new Map();
  }
}
