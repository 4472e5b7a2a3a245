/** Runs a ruleset over the tree, a subtree or one node. */
import type { Sql } from '../../../storage/sql.js';
import type { Payload } from '../payload.js';
import { type Violation, violationsOf } from '../schema.js';
import { listTypes, type PayloadType } from '../types.js';
import { childViolations } from './children.js';
import { Overtime, withinTime } from './deadline.js';
import { type BuiltInRuleset, isAbout, judgesPayloads, type Rule, type Ruleset, ruleViolations } from './ruleset.js';
import { structureViolations } from './structure.js';
import { type Found, MOST_FOUND, type Outcome, outcomeOf, type Scope } from './violation.js';
import { payloadParts, type StoredPayload, type Walk } from './walk.js';

/** Where a ruleset looks, and what it does between two parts of a long walk: let others work, or give up. */
export type Scan = { sql: Sql; scope: Scope; pause: (done: number) => Promise<void> };

export async function runRuleset(scan: Scan, ruleset: BuiltInRuleset | Ruleset): Promise<Outcome> {
  const limit = MOST_FOUND + 1;
  if (typeof ruleset === 'object') return outcomeOf(await ruledViolations(scan, ruleset.rules, limit));
  const types = await listTypes(scan.sql);
  const found =
    ruleset === 'structure'
      ? await structureViolations(scan.sql, types, scan.scope, limit)
      : await firstOf(schemaViolations(scan, types), limit);
  return outcomeOf(found);
}

/** Every payload that does not fit its type's schema. Nodes of unknown types are a matter of the structure. */
export function schemaViolations(scan: Scan, types: readonly PayloadType[]): AsyncGenerator<Found[]> {
  const checked = new Map(types.flatMap((type) => (type.schema ? [[type.name, type]] : [])));
  const judge: Judge = (type, payload) => violationsOf(checked.get(type) as PayloadType, payload);
  return judgePayloads(scan, [...checked.keys()], judge);
}

async function ruledViolations(scan: Scan, rules: readonly Rule[], limit: number): Promise<Found[]> {
  const found: Found[] = [];
  for (const rule of rules) {
    if (found.length >= limit) return found;
    found.push(...(await childViolations(scan.sql, rule, scan.scope, limit - found.length)));
  }
  return [...found, ...(await firstOf(ruledPayloads(scan, rules.filter(judgesPayloads)), limit - found.length))];
}

function ruledPayloads(scan: Scan, rules: readonly Rule[]): AsyncGenerator<Found[]> {
  const types = rules.flatMap(({ type }) => type ?? []);
  const judge: Judge = (type, payload) =>
    rules.filter((rule) => isAbout(rule, type)).flatMap((rule) => ruleViolations(rule, payload));
  return judgePayloads(scan, types.length < rules.length ? undefined : types, judge);
}

type Judge = (type: string, payload: Payload) => Violation[];

async function firstOf(parts: AsyncGenerator<Found[]>, limit: number): Promise<Found[]> {
  const found: Found[] = [];
  for await (const part of parts) {
    found.push(...part);
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

async function* judgePayloads(scan: Scan, types: Walk['types'], judge: Judge): AsyncGenerator<Found[]> {
  const patience = { left: MOST_OVERTIME };
  let done = 0;
  for await (const part of payloadParts(scan.sql, { scope: scan.scope, types })) {
    yield judgePart(part, judge, patience);
    done += part.length;
    await scan.pause(done);
  }
}

/** So many payloads get a deadline of their own; after that, a part that takes too long is not looked into. */
const MOST_OVERTIME = 10;

/** One deadline for the whole part, as a deadline costs more than most checks; where it does not do, one for each. */
function judgePart(part: readonly StoredPayload[], judge: Judge, patience: { left: number }): Found[] {
  const alone = (row: StoredPayload) => judgeOne(row, judge);
  try {
    return withinTime(() => part.flatMap(alone));
  } catch (thrown) {
    if (!(thrown instanceof Overtime)) throw thrown;
  }
  return part.flatMap((row) => {
    try {
      return patience.left > 0 ? withinTime(() => alone(row)) : [unchecked(row)];
    } catch (thrown) {
      if (!(thrown instanceof Overtime)) throw thrown;
      patience.left -= 1;
      return [unchecked(row)];
    }
  });
}

const unchecked = ({ nodeId }: StoredPayload): Found => ({
  nodeId,
  path: '',
  message: 'could not be checked in time: a pattern or a reference of the rules takes too long',
});

function judgeOne(row: StoredPayload, judge: Judge): Found[] {
  const { nodeId } = row;
  if (lacksPayload(row)) return [];
  const payload = payloadOf(row);
  if (payload === undefined) return [{ nodeId, path: '', message: 'the payload is not a JSON object' }];
  try {
    return judge(row.type, payload).map(({ path, message }) => ({ nodeId, path, message }));
  } catch (thrown) {
    // A schema that leads back to itself without going deeper into the payload never ends.
    if (thrown instanceof RangeError)
      return [{ nodeId, path: '', message: 'could not be checked: the rules never end' }];
    throw thrown;
  }
}

/** A document whose payload is missing is a matter of the structure: there is nothing to judge. */
const lacksPayload = ({ type, data }: StoredPayload) => data === null && type !== 'folder' && type !== 'library';

function payloadOf({ data, name, status }: StoredPayload): Payload | undefined {
  if (data === null) return name === null ? {} : { name, status };
  try {
    const payload: unknown = JSON.parse(data);
    return typeof payload === 'object' && payload !== null && !Array.isArray(payload)
      ? (payload as Payload)
      : undefined;
  } catch {
    return undefined;
  }
}
