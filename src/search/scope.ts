/** Which documents a search looks at. */
import { compilePatterns } from '../context/sources/patterns.js';
import type { Sql } from '../storage/sql.js';

/** Documents of one collection: those whose paths match one of the patterns, or all. */
export type ScopePart = {
  readonly collection: string;
  readonly patterns?: readonly string[];
  /** Further lists of patterns: a path must match one pattern of each. */
  readonly narrowed?: readonly (readonly string[])[];
};

/** Any document that one of the parts takes in. */
export type Scope = readonly ScopePart[];

/** The ids of the documents in a scope. */
export async function documentsIn(sql: Sql, scope: Scope): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (const [collection, tests] of byCollection(scope)) {
    for (const id of await documentsOf(sql, collection, tests)) found.add(id);
  }
  return found;
}

type PathTest = (path: string) => boolean;

/** Every collection once, with a test for each part; undefined where a part takes in all of it. */
function byCollection(scope: Scope): Map<string, PathTest[] | undefined> {
  const merged = new Map<string, PathTest[] | undefined>();
  for (const { collection, patterns, narrowed = [] } of scope) {
    const known = merged.get(collection);
    if (merged.has(collection) && known === undefined) continue;
    const lists = [...(patterns ? [patterns] : []), ...narrowed];
    merged.set(collection, lists.length === 0 ? undefined : [...(known ?? []), matchesAll(lists)]);
  }
  return merged;
}

function matchesAll(lists: readonly (readonly string[])[]): PathTest {
  const compiled = lists.map(compilePatterns);
  return (path) =>
    compiled.every(({ include, excludes }) => include.some((pattern) => pattern.matches(path)) && !excludes(path));
}

type DocumentPath = { id: number; path: string };

async function documentsOf(sql: Sql, collection: string, tests: PathTest[] | undefined): Promise<number[]> {
  const columns = tests ? 'id, path' : 'id';
  const rows = await sql.all<DocumentPath>(`SELECT ${columns} FROM reference_documents WHERE collection = ?`, [
    collection,
  ]);
  const wanted = tests ? rows.filter(({ path }) => tests.some((takes) => takes(path))) : rows;
  return wanted.map(({ id }) => id);
}
