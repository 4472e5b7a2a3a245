/** Checking payloads against JSON Schema. Compiled schemas are kept; ajv is loaded when the first one is needed. */
import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { type Failure, invalidArgument } from '../../errors.js';
import { formatPath, type Payload } from './payload.js';
import { Overtime, withinTime } from './rules/deadline.js';
import type { PayloadType } from './types.js';

export type Violation = { path: string; message: string };

type Schema = Record<string, unknown>;
type AjvClass = new (settings: typeof options) => Ajv;
type Check = { validate: ValidateFunction; needsDeadline: boolean };

// Only a payload's own properties count: every object inherits a toString.
const options = { allErrors: true, strict: false, validateFormats: false, ownProperties: true, logger: false } as const;
const MOST_VIOLATIONS = 50;
const LONGEST_CHOICES = 300;

/** Keywords with which a small schema can take for ever on a small payload: a deadline costs more than other checks. */
const SLOW_KEYWORDS = /"(?:pattern|patternProperties|uniqueItems|\$ref|\$dynamicRef|\$recursiveRef)":/;

const compiled = new Map<string, Check>();
/** The same by the schema itself, so that walking many payloads of one type writes out its schema once. */
const compiledBySchema = new WeakMap<Schema, Check>();
const require = createRequire(import.meta.url);

/** The class that understands the schema's draft. Each is a file of its own, and most schemas need only the last. */
function newAjv(schema: Schema): Ajv {
  const draft = String(schema.$schema);
  if (draft.includes('draft-06') || draft.includes('draft-07')) return olderAjv();
  if (draft.includes('2019-09')) {
    const { Ajv2019 } = require('ajv/dist/2019.js') as { Ajv2019: AjvClass };
    return new Ajv2019(options);
  }
  const { Ajv2020 } = require('ajv/dist/2020.js') as { Ajv2020: AjvClass };
  return new Ajv2020(options);
}

function olderAjv(): Ajv {
  const { Ajv } = require('ajv') as { Ajv: AjvClass };
  return new Ajv(options).addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json') as Schema);
}

function compile(schema: Schema): Check {
  const known = compiledBySchema.get(schema);
  if (known) return known;
  const text = JSON.stringify(schema);
  const check = compiled.get(text) ?? newCheck(schema, text);
  if (compiled.size > 500) compiled.clear();
  compiled.set(text, check);
  compiledBySchema.set(schema, check);
  return check;
}

function newCheck(schema: Schema, text: string): Check {
  // Such a schema answers with a promise: every payload would fit, and what it rejects would end the process.
  if (schema.$async) throw new Error("'$async' is not supported");
  return { validate: newAjv(schema).compile(schema), needsDeadline: SLOW_KEYWORDS.test(text) };
}

/** Refuses what is no JSON Schema. */
export function checkSchema(schema: Schema): void {
  try {
    compile(schema);
  } catch (thrown) {
    const tooDeep = thrown instanceof RangeError && 'its references or its nesting go too deep';
    throw invalidArgument`schema: not a valid JSON Schema: ${tooDeep || (thrown as Error).message}`;
  }
}

/** All places where a payload does not fit its type. */
export function violationsOf(type: PayloadType, payload: Payload): Violation[] {
  if (type.selfPayload) return ownViolations(type, payload);
  if (!type.schema) return [];
  const { validate, needsDeadline } = compile(type.schema);
  const fits = needsDeadline ? withinTime(() => validate(payload)) : validate(payload);
  return fits ? [] : (validate.errors ?? []).slice(0, MOST_VIOLATIONS).map(toViolation);
}

/** The built-in types are checked without ajv, so that working with folders does not load it. */
function ownViolations(type: PayloadType, payload: Payload): Violation[] {
  const isFolder = type.name === 'folder';
  const { name, status } = payload;
  const foreign = Object.keys(payload).filter((key) => !isFolder || (key !== 'name' && key !== 'status'));
  const wrong = [
    isFolder &&
      (typeof name !== 'string' || name === '') && { path: 'name', message: 'must be text that is not empty' },
    isFolder && status !== 'active' && status !== 'dropped' && { path: 'status', message: 'must be active or dropped' },
    ...foreign.map((path) => ({ path, message: 'is not a property of this type' })),
  ];
  return wrong.filter((violation) => violation !== false);
}

function toViolation({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject): Violation {
  const at = instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required')
    return { path: formatPath([...at, String(params.missingProperty)]), message: 'is required' };
  if (keyword === 'additionalProperties') {
    return { path: formatPath([...at, String(params.additionalProperty)]), message: 'is not a property of this type' };
  }
  return { path: formatPath(at), message: message + (keyword === 'enum' ? choices(params.allowedValues) : '') };
}

/** The values that an enum allows, as far as a message should be long. */
function choices(values: unknown[]): string {
  const text = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ');
  return `: ${text.length > LONGEST_CHOICES ? `${text.slice(0, LONGEST_CHOICES)}…` : text}`;
}

/** Refuses a payload that does not fit its type, naming every place. */
export function checkPayload(type: PayloadType, payload: Payload): void {
  const violations = violationsInTime(type, payload);
  if (violations.length > 0) throw doesNotFit(type, violations);
}

function violationsInTime(type: PayloadType, payload: Payload): Violation[] {
  try {
    return violationsOf(type, payload);
  } catch (thrown) {
    if (!(thrown instanceof Overtime) && !(thrown instanceof RangeError)) throw thrown;
    throw invalidArgument`payload: cannot be checked, as the schema of '${type.name}' takes too long on it`.advise(
      'Ask an owner to simplify the patterns and references of the schema, or shorten the payload.',
    );
  }
}

function doesNotFit({ name }: PayloadType, violations: Violation[]): Failure {
  const [first] = violations as [Violation];
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  return invalidArgument`${first.path || 'payload'}: ${first.message}, for a '${name}'${more}`
    .with({ violations })
    .advise('Correct what violations lists. list_document_types shows the schema of the type.');
}
