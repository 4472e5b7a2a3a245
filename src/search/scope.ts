/** Which documents a search looks at. */
import { compilePatterns } from '../context/sources/patterns.js';
import type { Sql, SqlValue } from '../storage/sql.js';
import { fixedBeginning } from './fixed-beginning.js';

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
  for (const part of withoutCovered(scope)) for (const { id } of await documentsOfPart(sql, part)) found.add(id);
  return found;
}

const listsOf = ({ patterns, narrowed = [] }: ScopePart) => [...(patterns ? [patterns] : []), ...narrowed];

/** The parts without those of a collection that another part takes in as a whole. */
function withoutCovered(scope: Scope): ScopePart[] {
  const whole = new Map(scope.filter((part) => listsOf(part).length === 0).map((part) => [part.collection, part]));
  return [...whole.values(), ...scope.filter(({ collection }) => !whole.has(collection))];
}

export type DocumentPath = { readonly id: number; readonly path: string };

/** The documents of one part, in the order of their paths. */
export async function documentsOfPart(sql: Sql, part: ScopePart): Promise<DocumentPath[]> {
  const lists = listsOf(part);
  const tests = lists.map(compilePatterns);
  const beginning = lists
    .map(fixedBeginning)
    .reduce((longest, one) => (one.length > longest.length ? one : longest), '');
  const rows = await pathsFrom(sql, part.collection, beginning);
  if (tests.length === 0) return rows;
  return rows.filter(({ path }) =>
    tests.every(({ include, excludes }) => include.some((pattern) => pattern.matches(path)) && !excludes(path)),
  );
}

/** Only what begins like every match can: a scope of few documents must not cost a look at all. */
function pathsFrom(sql: Sql, collection: string, beginning: string): Promise<DocumentPath[]> {
  const params: SqlValue[] = [collection, ...(beginning === '' ? [] : [beginning, `${beginning}\u{10FFFF}`])];
  const range = beginning === '' ? '' : 'AND path >= ? AND path < ?';
  return sql.all<DocumentPath>(
    `SELECT id, path FROM reference_documents WHERE collection = ? ${range} ORDER BY path`,
    params,
  );
}
