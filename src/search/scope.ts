/** Which documents a search looks at. */
import { compilePatterns, type Patterns } from '../context/sources/patterns.js';
import type { Sql } from '../storage/sql.js';

/** Documents of one collection: those whose paths match one of the patterns, or all. */
export type ScopePart = { readonly collection: string; readonly patterns?: readonly string[] };

/** Any document that one of the parts takes in. */
export type Scope = readonly ScopePart[];

/** The ids of the documents in a scope. */
export async function documentsIn(sql: Sql, scope: Scope): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (const [collection, patterns] of byCollection(scope)) {
    for (const id of await documentsOf(sql, collection, patterns)) found.add(id);
  }
  return found;
}

/** Every collection once, with a pattern list for each part; undefined where a part takes in all of it. */
function byCollection(scope: Scope): Map<string, Patterns[] | undefined> {
  const merged = new Map<string, Patterns[] | undefined>();
  for (const { collection, patterns } of scope) {
    const known = merged.get(collection);
    if (merged.has(collection) && known === undefined) continue;
    merged.set(collection, patterns && [...(known ?? []), compilePatterns(patterns)]);
  }
  return merged;
}

type DocumentPath = { id: number; path: string };

async function documentsOf(sql: Sql, collection: string, patterns: Patterns[] | undefined): Promise<number[]> {
  const columns = patterns ? 'id, path' : 'id';
  const rows = await sql.all<DocumentPath>(`SELECT ${columns} FROM reference_documents WHERE collection = ?`, [
    collection,
  ]);
  const wanted = patterns ? rows.filter(({ path }) => patterns.some((each) => takes(each, path))) : rows;
  return wanted.map(({ id }) => id);
}

const takes = ({ include, excludes }: Patterns, path: string): boolean =>
  include.some((pattern) => pattern.matches(path)) && !excludes(path);
