/** The documents that names stand for. */
import { indexedId } from '../context/collections.js';
import type { Project } from '../project/find.js';
import type { Scope } from '../search/scope.js';
import type { Sql } from '../storage/sql.js';

/** The scope that names of collections, or their ids, stand for. Each must be indexed. */
export async function scopeOf(sql: Sql, project: Project | undefined, names: readonly string[]): Promise<Scope> {
  const scope: { collection: string }[] = [];
  for (const name of names) scope.push({ collection: await indexedId(sql, project, name) });
  return scope;
}
