/** The documents that names stand for: collections, groups, categories, ids, and expressions over them. */
import { readState } from '../context/collection-store.js';
import { aliasWithoutProject, collectionId, indexedId } from '../context/collections.js';
import { parseRawId } from '../context/identity.js';
import { Failure, invalidArgument, notFound } from '../errors.js';
import type { Project } from '../project/find.js';
import { formatJsonPath } from '../project/json.js';
import { shown } from '../project/shown.js';
import type { Scope, ScopePart } from '../search/scope.js';
import type { Sql } from '../storage/sql.js';
import { type Draw, drawsOf, isNameIn } from './draws.js';
import { parseExpression, type Term } from './expression.js';
import { unique } from './names.js';
import { asked, checkPatterns, spelledOut } from './patterns.js';

/** A part of a scope with the name that people know its collection by. */
export type NamedPart = ScopePart & { readonly alias: string };

/** What names stand for, and the collections that they draw from but that are not indexed yet. */
export type NamedScope = { readonly parts: readonly NamedPart[]; readonly notSynced: readonly string[] };

/** The scope of names, ids and expressions. What each of them draws from must be indexed, at least in part. */
export async function scopeOf(sql: Sql, project: Project | undefined, names: readonly string[]): Promise<Scope> {
  const { parts } = await namedScopeOf(sql, project, names);
  // Nobody below needs the aliases.
  return parts.map(({ alias: _, ...part }) => part);
}

/** The same with aliases, narrowed further by a pattern if one is given. */
export async function namedScopeOf(
  sql: Sql,
  project: Project | undefined,
  names: readonly string[],
  pattern?: string,
): Promise<NamedScope> {
  const parts: NamedPart[] = [];
  const notSynced = new Set<string>();
  for (const name of unique(names)) {
    const found = await expressionScope(sql, project, name);
    parts.push(...found.parts);
    for (const alias of found.notSynced) notSynced.add(alias);
  }
  return {
    parts: pattern === undefined ? parts : parts.map((part) => narrowed(part, pattern)),
    notSynced: [...notSynced],
  };
}

/** A raw id may hold commas and slashes, so it stands alone. */
async function expressionScope(sql: Sql, project: Project | undefined, text: string): Promise<NamedScope> {
  if (parseRawId(text)) {
    const collection = await indexedId(sql, project, text);
    return { parts: [{ collection, alias: collection }], notSynced: [] };
  }
  if (!project) throw aliasWithoutProject(shown(text));
  const found = { parts: [] as NamedPart[], notSynced: [] as string[] };
  for (const term of parseExpression(text, (name) => isNameIn(project.config, name))) {
    const { parts, notSynced } = await termScope(sql, project, term);
    found.parts.push(...parts);
    found.notSynced.push(...notSynced);
  }
  return found;
}

async function termScope(sql: Sql, project: Project, { name, pattern }: Term): Promise<NamedScope> {
  const parts: NamedPart[] = [];
  const notSynced: string[] = [];
  for (const draw of drawsOf(project.config, name)) {
    const collection = await idOfDraw(project, draw);
    if (collection !== undefined && (await readState(sql, collection))) parts.push(partOf(draw, collection));
    else notSynced.push(draw.alias);
  }
  if (parts.length === 0 && notSynced.length > 0) throw notIndexed(name, unique(notSynced));
  return { parts: pattern === undefined ? parts : parts.map((part) => narrowed(part, pattern)), notSynced };
}

/** None for one of all whose declaration cannot be used: it must not keep the others from being read. */
async function idOfDraw(project: Project, { alias, isOneOfAll }: Draw): Promise<string | undefined> {
  try {
    return await collectionId(project, alias);
  } catch (thrown) {
    if (isOneOfAll && thrown instanceof Failure) return undefined;
    throw thrown;
  }
}

function partOf({ alias, patterns, category }: Draw, collection: string): NamedPart {
  if (!patterns) return { collection, alias };
  placed(String(category), patterns);
  return { collection, alias, patterns: patterns.flatMap(spelledOut) };
}

/** A fault of a pattern in the project file, with its place there. */
function placed(category: string, patterns: readonly string[]): void {
  try {
    checkPatterns(patterns);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    const place = formatJsonPath(['categories', category, 'patterns']);
    throw invalidArgument`${place}: ${thrown.message}`.advise(thrown.instruction);
  }
}

const narrowed = (part: NamedPart, pattern: string): NamedPart => ({
  ...part,
  narrowed: [...(part.narrowed ?? []), asked(pattern)],
});

const notIndexed = (name: string, aliases: readonly string[]) =>
  notFound`'${shown(name)}' is not indexed yet: sync ${aliases.map((alias) => shown(alias, 60)).join(', ')}`.advise(
    `Sync it first: ai-assist collections sync ${shown(name, 60)}`,
  );
