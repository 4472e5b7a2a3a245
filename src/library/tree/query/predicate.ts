/** Predicates over payloads: conditions, and groups of them. What holds is decided here, whatever the route. */
import { invalidArgument } from '../../../errors.js';
import { equalJson, isRecord, type Path, type Payload, parsePath, valueAt } from '../payload.js';
import { compareRange, containsJson } from './comparison.js';

export const operators = ['eq', 'contains', 'gt', 'lt', 'between'] as const;
export type Operator = (typeof operators)[number];

export type Condition = { path: Path; op: Operator; value: unknown };

export type Predicate = Condition | { and: readonly Predicate[] } | { or: readonly Predicate[] };

/** Whether a predicate holds for a payload. Where the path leads to nothing, no condition holds. */
export function holds(predicate: Predicate, payload: Payload): boolean {
  if ('and' in predicate) return predicate.and.every((part) => holds(part, payload));
  if ('or' in predicate) return predicate.or.some((part) => holds(part, payload));
  const value = valueAt(payload, predicate.path);
  return value !== undefined && tests[predicate.op](value, predicate.value);
}

const tests: Record<Operator, (value: unknown, wanted: unknown) => boolean> = {
  eq: equalJson,
  contains: containsJson,
  gt: (value, bound) => (compareRange(value, bound) ?? 0) > 0,
  lt: (value, bound) => (compareRange(value, bound) ?? 0) < 0,
  between: (value, bounds) => {
    const [low, high] = bounds as [unknown, unknown];
    return (compareRange(value, low) ?? -1) >= 0 && (compareRange(value, high) ?? 1) <= 0;
  },
};

/**
 * A predicate from a caller's JSON: a condition, a group, or a list of them that must all hold.
 * Failures give the place of the fault, such as `predicates.and.1.op`.
 */
export function parsePredicate(input: unknown, place: string): Predicate {
  if (Array.isArray(input)) return { and: parseGroup(input, place) };
  if (!isRecord(input)) {
    throw invalidArgument`${place}: expected a condition { path, op, value }, { and: [...] } or { or: [...] }`;
  }
  if (!('and' in input || 'or' in input)) return parseCondition(input, place);
  const [key, ...others] = Object.keys(input) as ['and' | 'or'];
  if (others.length > 0) {
    throw invalidArgument`${place}: a group has one key, and this one has '${[key, ...others].join("', '")}'`.advise(
      'Put one group inside the other: { and: [..., { or: [...] }] }.',
    );
  }
  const parts = parseGroup(input[key], `${place}.${key}`);
  return key === 'and' ? { and: parts } : { or: parts };
}

function parseGroup(input: unknown, place: string): Predicate[] {
  if (!Array.isArray(input)) throw invalidArgument`${place}: expected a list of conditions`;
  if (input.length === 0) throw invalidArgument`${place}: the list is empty`.advise('Name at least one condition.');
  return input.map((part, index) => parsePredicate(part, `${place}.${index}`));
}

/** One condition. `allowed` are the operators that the tool knows. */
export function parseCondition(input: Payload, place: string, allowed: readonly Operator[] = operators): Condition {
  const unknown = Object.keys(input).find((key) => !['path', 'op', 'value'].includes(key));
  if (unknown !== undefined) {
    throw invalidArgument`${place}.${unknown}: unknown argument`.advise('A condition has path, op and value.');
  }
  const { path, op, value } = input;
  if (typeof path !== 'string') throw invalidArgument`${place}.path: expected text`;
  const operator = allowed.find((known) => known === op);
  if (!operator) {
    throw invalidArgument`${place}.op: expected one of ${allowed.join(', ')}, received '${String(op)}'`;
  }
  checkValue(operator, value, `${place}.value`);
  return { path: parsePath(path, `${place}.path`), op: operator, value };
}

const isBound = (value: unknown) => typeof value === 'number' || typeof value === 'string';

function checkValue(op: Operator, value: unknown, place: string): void {
  if (value === undefined) throw invalidArgument`${place}: is required`;
  if ((op === 'gt' || op === 'lt') && !isBound(value)) throw invalidArgument`${place}: expected a number or text`;
  if (op !== 'between') return;
  const pair = Array.isArray(value) && value.length === 2 && isBound(value[0]) && typeof value[0] === typeof value[1];
  if (!pair) throw invalidArgument`${place}: expected [low, high], two numbers or two texts`;
}
