/** Checking payloads against JSON Schema. Compiled schemas are kept; ajv is loaded when the first one is needed. */
import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { type Failure, invalidArgument } from '../../errors.js';
import { formatPath, type Payload } from './payload.js';
import type { PayloadType } from './types.js';

export type Violation = { path: string; message: string };

const options = { allErrors: true, strict: false, validateFormats: false } as const;
const OLDER_DRAFT = /draft-0[67]/;
const MOST_VIOLATIONS = 50;

const compiled = new Map<string, ValidateFunction>();
const require = createRequire(import.meta.url);

function newAjv(schema: Record<string, unknown>): Ajv {
  if (OLDER_DRAFT.test(String(schema.$schema))) return new (require('ajv') as { Ajv: typeof Ajv }).Ajv(options);
  return new (require('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020 }).Ajv2020(options);
}

function compile(schema: Record<string, unknown>): ValidateFunction {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known) return known;
  const validate = newAjv(schema).compile(schema);
  if (compiled.size > 500) compiled.clear();
  compiled.set(key, validate);
  return validate;
}

/** Refuses what is no JSON Schema. */
export function checkSchema(schema: Record<string, unknown>): void {
  try {
    compile(schema);
  } catch (thrown) {
    throw invalidArgument`schema: not a valid JSON Schema: ${(thrown as Error).message}`;
  }
}

/** All places where a payload does not fit its type. */
export function violationsOf(type: PayloadType, payload: Payload): Violation[] {
  if (type.selfPayload) return ownViolations(type, payload);
  if (!type.schema) return [];
  const validate = compile(type.schema);
  return validate(payload) ? [] : (validate.errors ?? []).slice(0, MOST_VIOLATIONS).map(toViolation);
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
  const choices = keyword === 'enum' ? `: ${(params.allowedValues as unknown[]).join(', ')}` : '';
  return { path: formatPath(at), message: message + choices };
}

/** Refuses a payload that does not fit its type, naming every place. */
export function checkPayload(type: PayloadType, payload: Payload): void {
  const violations = violationsOf(type, payload);
  if (violations.length > 0) throw doesNotFit(type, violations);
}

function doesNotFit({ name }: PayloadType, violations: Violation[]): Failure {
  const [first] = violations as [Violation];
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  return invalidArgument`${first.path || 'payload'}: ${first.message}, for a '${name}'${more}`
    .with({ violations })
    .advise('Correct what violations lists. list_document_types shows the schema of the type.');
}
