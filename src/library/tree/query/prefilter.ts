/**
 * SQL that lets through every row for which a predicate can hold, and few others. The predicate
 * itself decides afterwards. It relies on payloads being written by JSON.stringify, without spaces.
 */
import type { SqlValue } from '../../../storage/sql.js';
import { isRecord, type Path } from '../payload.js';
import type { Condition, Predicate } from './predicate.js';

/** A piece of SQL with its parameters. */
export type SqlCondition = { text: string; params: readonly SqlValue[] };

export const always: SqlCondition = { text: 'true', params: [] };
const never: SqlCondition = { text: 'false', params: [] };

/** SQLite refuses expressions that are too deep: a query with more conditions does without a filter. */
export const MOST_CONDITIONS = 200;

export const payloadFilter = (predicate: Predicate): SqlCondition =>
  countConditions(predicate) > MOST_CONDITIONS ? always : combine(predicate, payloadCondition);

export const ownFilter = (predicate: Predicate): SqlCondition =>
  countConditions(predicate) > MOST_CONDITIONS ? always : combine(predicate, ownCondition);

const partsOf = (predicate: Predicate): readonly Predicate[] | undefined =>
  'and' in predicate ? predicate.and : 'or' in predicate ? predicate.or : undefined;

const countConditions = (predicate: Predicate): number =>
  partsOf(predicate)?.reduce((sum, part) => sum + countConditions(part), 0) ?? 1;

function combine(predicate: Predicate, toSql: (condition: Condition) => SqlCondition): SqlCondition {
  if ('and' in predicate) return allOf(predicate.and.map((part) => combine(part, toSql)));
  if ('or' in predicate) return anyOf(predicate.or.map((part) => combine(part, toSql)));
  return toSql(predicate);
}

export function allOf(parts: readonly SqlCondition[]): SqlCondition {
  if (parts.some(({ text }) => text === never.text)) return never;
  return joined(
    parts.filter(({ text }) => text !== always.text),
    ' AND ',
    always,
  );
}

export function anyOf(parts: readonly SqlCondition[]): SqlCondition {
  if (parts.some(({ text }) => text === always.text)) return always;
  return joined(
    parts.filter(({ text }) => text !== never.text),
    ' OR ',
    never,
  );
}

function joined(parts: readonly SqlCondition[], word: string, none: SqlCondition): SqlCondition {
  if (parts.length === 0) return none;
  return { text: `(${parts.map(({ text }) => text).join(word)})`, params: parts.flatMap(({ params }) => params) };
}

const has = (text: string): SqlCondition => ({ text: 'instr(data, ?) > 0', params: [text] });

/** The key as it stands in the JSON of every payload where the path leads to something; none for a place in a list. */
function keyText(path: Path): string | undefined {
  const key = path.at(-1) ?? '';
  return /^\d+$/.test(key) ? undefined : `${JSON.stringify(key)}:`;
}

export const hasKey = (path: Path): SqlCondition => {
  const key = keyText(path);
  return key === undefined ? always : has(key);
};

/** The only JSON text of a value; none where an object in it leaves the order of keys open. */
function jsonText(value: unknown): string | undefined {
  const hasObject = (part: unknown): boolean =>
    isRecord(part) || (Array.isArray(part) && part.some((item) => hasObject(item)));
  return hasObject(value) ? undefined : JSON.stringify(value);
}

/** For nodes that point to a payload, whose JSON is called `data`. */
function payloadCondition({ path, op, value }: Condition): SqlCondition {
  if (op === 'eq') {
    const text = jsonText(value);
    return text === undefined ? hasKey(path) : has((keyText(path) ?? '') + text);
  }
  if (op === 'contains') return containsText(path, value);
  if (op !== 'between') return allOf([hasKey(path), bounded(path, op === 'gt' ? '>' : '<', value as Bound)]);
  const [low, high] = value as [Bound, Bound];
  return allOf([hasKey(path), bounded(path, '>=', low), bounded(path, '<=', high)]);
}

/** A value whose JSON text, or whose text itself, is `text`. */
export function equalsText(path: Path, text: string): SqlCondition {
  const key = keyText(path) ?? '';
  const isLiteral = /^(?:true|false|null|-?\d[\d.e+-]*)$/.test(text);
  return anyOf([has(key + JSON.stringify(text)), ...(isLiteral ? [has(key + text)] : [])]);
}

/** Text within JSON text is escaped, but has no quotes of its own. */
export function containsText(path: Path, value: unknown): SqlCondition {
  const text = typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : jsonText(value);
  if (text) return has(text);
  return path.length === 0 ? always : hasKey(path);
}

type Bound = number | string;

/** Keys that need no quoting within SQLite's JSON paths, and cannot be places in a list. */
const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;

const sqlPath = (path: Path) => `$${path.map((key) => `."${key}"`).join('')}`;

/** The value at a path on one side of a bound. */
export function bounded(path: Path, compare: '>' | '>=' | '<' | '<=', bound: Bound): SqlCondition {
  if (!path.every((key) => PLAIN_KEY.test(key))) return always;
  const where = sqlPath(path);
  const value = 'json_extract(data, ?)';
  const plain = { text: `${value} ${compare} ?`, params: [where, bound] };
  if (typeof bound === 'string') return plain;
  // SQLite may read the last digit of a fraction differently than JavaScript: a little slack loses no row.
  const slack = Math.abs(bound) * 1e-9;
  const [widely, edge] = compare.startsWith('>') ? ['>=', bound - slack] : ['<=', bound + slack];
  if (!Number.isSafeInteger(bound)) return { text: `${value} ${widely} ?`, params: [where, edge] };
  const near = { text: `(typeof(${value}) = 'real' AND ${value} ${widely} ?)`, params: [where, where, edge] };
  return anyOf([plain, near]);
}

/** A value at a path that does not sort behind another. Types sort as null, booleans, numbers, text, lists, objects. */
export function notBehind(path: Path, value: unknown, descending: boolean): SqlCondition {
  if (typeof value !== 'number' && typeof value !== 'string') return always;
  const range = bounded(path, descending ? '>=' : '<=', value);
  // What SQLite compares differently: these types stand in front whatever the value.
  const types = descending ? "'array', 'object'" : "'null', 'true', 'false'";
  return anyOf([range, { text: `json_type(data, ?) IN (${types})`, params: [sqlPath(path)] }]);
}

/** For self-payload nodes, which are called `n`: these conditions are exact. */
function ownCondition({ path, op, value }: Condition): SqlCondition {
  const column = path.length === 1 && (path[0] === 'name' || path[0] === 'status') ? `n.${path[0]}` : undefined;
  const texts = [value].flat();
  if (!column || texts.some((text) => typeof text !== 'string')) return never;
  const compare = { eq: '= ?', contains: '', gt: '> ?', lt: '< ?', between: 'BETWEEN ? AND ?' }[op];
  if (op !== 'between' && Array.isArray(value)) return never;
  const text = op === 'contains' ? `instr(${column}, ?) > 0` : `${column} ${compare}`;
  return { text, params: texts as string[] };
}
