/** Defining payload types: what a definition must be, who may change one, and which nodes it leaves behind. */
import { isDeepStrictEqual } from 'node:util';
import { type Failure, invalidArgument, plainFailure } from '../../../errors.js';
import type { Sql } from '../../../storage/sql.js';
import { formatPath } from '../payload.js';
import { checkSchema } from '../schema.js';
import { findType, listTypes, type PayloadType, parseProtected, saveType } from '../types.js';
import { Overtime, withinTime } from './deadline.js';
import { schemaViolations } from './lint.js';
import { wrongParents } from './structure.js';
import { MOST_FOUND } from './violation.js';

export type Definition = Omit<PayloadType, 'selfPayload'>;

export type Defined = { created: boolean; nonconforming: number };

type DefineRequest = { sql: Sql; mayChange: boolean; pause: (done: number) => Promise<void> };

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,59}$/;
const LARGEST_SCHEMA = 200_000;
const COMPILE_MS = 5000;

/** Defines a type, or changes the one of that name. Nodes that no longer fit stay, and are counted. */
export async function defineType(request: DefineRequest, wanted: Definition): Promise<Defined> {
  const { sql, mayChange } = request;
  checkName(wanted.name);
  const definition = { ...wanted, protectedPaths: normalPaths(wanted.protectedPaths) };
  if (definition.schema) checkedSchema(definition.schema);
  await checkParents(sql, definition);
  const known = await findType(sql, definition.name);
  if (known && sameDefinition(known, definition)) return { created: false, nonconforming: 0 };
  if (known && !mayChange) throw ownersOnly(known.name);
  await saveType(sql, definition);
  return { created: !known, nonconforming: known ? await countNonconforming(request, definition) : 0 };
}

function checkName(name: string): void {
  if (!NAME.test(name)) {
    throw invalidArgument`Invalid documentType '${name}': not a name of a type`.advise(
      'Use 1 to 60 letters, digits, - and _, beginning with a letter.',
    );
  }
  if (['folder', 'library'].includes(name.toLowerCase())) {
    throw invalidArgument`Invalid documentType '${name}': this type is built in`.advise('Choose another name.');
  }
}

const normalPaths = (paths: readonly string[]): string[] => [...new Set(parseProtected(paths).map(formatPath))];

function checkedSchema(schema: Record<string, unknown>): void {
  if (Buffer.byteLength(JSON.stringify(schema)) > LARGEST_SCHEMA) {
    throw badSchema(`larger than ${LARGEST_SCHEMA} bytes`, 'Leave out what is not needed, or use a simpler schema.');
  }
  // Such a schema answers with a promise, which counts as true whatever the payload is.
  if ('$async' in schema) throw badSchema("'$async' is not supported", 'Leave it out.');
  if (schema.type !== undefined && ![schema.type].flat().includes('object')) {
    throw badSchema('payloads are objects, and this schema allows none', "Set its type to 'object'.");
  }
  try {
    withinTime(() => checkSchema(schema), COMPILE_MS);
  } catch (thrown) {
    throw thrown instanceof Overtime ? badSchema('it takes too long to compile', 'Use a simpler schema.') : thrown;
  }
}

const badSchema = (reason: string, advice: string): Failure =>
  plainFailure('invalid_argument', `schema: ${reason}`).advise(advice);

async function checkParents(sql: Sql, { name, allowedParents }: Definition): Promise<void> {
  if (!allowedParents) return;
  const known = (await listTypes(sql)).map((type) => type.name);
  const unknown = allowedParents.find((parent) => parent !== name && !known.includes(parent));
  if (unknown === undefined) return;
  throw invalidArgument`allowedParents: '${unknown}' is not a known type`.advise(
    'Define that type first, or leave it out. list_document_types shows the types there are.',
  );
}

/** The order of keys, and of lists that are sets, makes no difference. */
function sameDefinition(known: PayloadType, { schema, protectedPaths, allowedParents }: Definition): boolean {
  const sorted = (list: readonly string[] | null) => list && [...new Set(list)].sort();
  return (
    isDeepStrictEqual(known.schema, schema) &&
    isDeepStrictEqual(sorted(known.protectedPaths), sorted(protectedPaths)) &&
    isDeepStrictEqual(sorted(known.allowedParents), sorted(allowedParents))
  );
}

const ownersOnly = (name: string): Failure =>
  plainFailure('forbidden', `Type '${name}' exists, and only an owner may change it`).advise(
    'Define a type of another name, or ask an owner. list_document_types shows how it is defined.',
  );

/** How many nodes of the type no longer fit its schema or its parents: at most as many as one answer would list. */
async function countNonconforming({ sql, pause }: DefineRequest, definition: Definition): Promise<number> {
  const type: PayloadType = { ...definition, selfPayload: false };
  const misplaced = await wrongParents(sql, [type], MOST_FOUND);
  const misfits = new Set(misplaced.map(({ nodeId }) => nodeId));
  for await (const part of schemaViolations({ sql, scope: { of: 'all' }, pause }, [type])) {
    for (const { nodeId } of part) misfits.add(nodeId);
    if (misfits.size >= MOST_FOUND) break;
  }
  return Math.min(misfits.size, MOST_FOUND);
}

/** How many nodes there are of each type. */
export async function nodesByType(sql: Sql): Promise<Map<string, number>> {
  const rows = await sql.all<{ type: string; count: number }>(
    'SELECT type, count(*) AS count FROM nodes GROUP BY type',
  );
  return new Map(rows.map(({ type, count }) => [type, count]));
}
