/** Rulesets that a project declares: parsed once, then payloads are judged by them. No disk and no SQL here. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Failure, invalidArgument } from '../../../errors.js';
import { formatPath, type Path, type Payload, parsePath, valueAt } from '../payload.js';
import type { Violation } from '../schema.js';

/** What must hold of the nodes of one type, or of all. */
export type Rule = {
  type: string | undefined;
  required: readonly Path[];
  patterns: readonly { path: Path; pattern: RegExp }[];
  enums: readonly { path: Path; values: readonly unknown[] }[];
  allowedChildren: readonly string[] | undefined;
  maxChildren: number | undefined;
};

export type Ruleset = { id: string; rules: readonly Rule[] };

/** The rulesets that are always there. */
export const builtInRulesets = ['structure', 'schema'] as const;
export type BuiltInRuleset = (typeof builtInRulesets)[number];

const LONGEST_PATTERN = 500;
const LONGEST_TEXT = 10_000;
const ID = /^[A-Za-z][A-Za-z0-9_-]{0,59}$/;

type Check<T> = (value: T) => void;

/** A zod refinement from a function that throws: what it says becomes the issue's message. */
const refined =
  <T>(check: Check<T>) =>
  (value: T, context: z.RefinementCtx<T>) => {
    try {
      check(value);
    } catch (thrown) {
      context.addIssue({ code: 'custom', message: (thrown as Error).message });
    }
  };

const pathText = z.string().superRefine(refined((text) => parsePath(text, 'path')));

/** A record whose keys are paths. */
const byPath = <Value extends z.ZodType>(value: Value) =>
  z.record(z.string(), value).superRefine((record, context) => {
    for (const key of Object.keys(record)) {
      const { error } = pathText.safeParse(key);
      if (error) context.addIssue({ code: 'custom', path: [key], message: error.issues[0]?.message ?? 'not a path' });
    }
  });

const patternText = z
  .string()
  .max(LONGEST_PATTERN, `a pattern has at most ${LONGEST_PATTERN} characters`)
  .superRefine(refined((text) => new RegExp(text, 'u')));

const typeName = z.string().min(1);

const declaredRule = z.strictObject({
  type: typeName.optional(),
  required: z.array(pathText).optional(),
  patterns: byPath(patternText).optional(),
  enums: byPath(z.array(z.unknown()).min(1)).optional(),
  allowedChildren: z.array(typeName).optional(),
  maxChildren: z.int().min(0).optional(),
});

const declaredRuleset = z.strictObject({ description: z.string().optional(), rules: z.array(declaredRule) });

const freeId: Check<Record<string, unknown>> = (rulesets) => {
  for (const id of Object.keys(rulesets)) {
    if (builtInRulesets.some((taken) => taken === id)) throw new Error(`'${id}' is built in: choose another name`);
    if (!ID.test(id)) throw new Error(`'${id}' is no name: use letters, digits, - and _, and begin with a letter`);
  }
};

const declaredRulesets = z.record(z.string(), declaredRuleset).superRefine(refined(freeId));

/** The rulesets of a project file's `rulesets`. A failure names the place by its path. */
export function parseRulesets(declared: unknown): Ruleset[] {
  const { data, error } = declaredRulesets.safeParse(declared);
  if (error) throw badDeclaration(error);
  return Object.entries(data).map(([id, { rules }]) => ({ id, rules: rules.map(compileRule) }));
}

function badDeclaration({ issues: [issue] }: z.ZodError): Failure {
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const place = ['rulesets', ...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].join('.');
  return invalidArgument`${place}: ${unknown === undefined ? (issue?.message ?? 'not valid') : 'unknown key'}`.advise(
    'Correct the rulesets of the project file, then call again.',
  );
}

function compileRule(declared: z.output<typeof declaredRule>): Rule {
  const { type, required = [], patterns = {}, enums = {}, allowedChildren, maxChildren } = declared;
  const parse = (text: string) => parsePath(text, 'path');
  return {
    type,
    required: required.map(parse),
    patterns: Object.entries(patterns).map(([path, text]) => ({ path: parse(path), pattern: new RegExp(text, 'u') })),
    enums: Object.entries(enums).map(([path, values]) => ({ path: parse(path), values })),
    allowedChildren,
    maxChildren,
  };
}

/** Whether a rule asks anything of payloads. */
export const judgesPayloads = ({ required, patterns, enums }: Rule): boolean =>
  required.length + patterns.length + enums.length > 0;

/** Whether a rule is about payloads of a type. The root has no properties: only a rule that names it is about it. */
export const isAbout = ({ type }: Rule, payloadType: string): boolean =>
  type === undefined ? payloadType !== 'library' : type === payloadType;

/** All places where a payload is not as a rule wants it. */
export function ruleViolations({ required, patterns, enums }: Rule, payload: Payload): Violation[] {
  const messages: [Path, string | undefined][] = [
    ...required.map((path): [Path, string | undefined] => [path, missing(valueAt(payload, path))]),
    ...patterns.map(({ path, pattern }): [Path, string | undefined] => [
      path,
      mismatch(valueAt(payload, path), pattern),
    ]),
    ...enums.map(({ path, values }): [Path, string | undefined] => [path, foreign(valueAt(payload, path), values)]),
  ];
  return messages.flatMap(([path, message]) => (message ? [{ path: formatPath(path), message }] : []));
}

const missing = (value: unknown) => (value === undefined ? 'is required' : undefined);

/** A long text is not tested at all: cut short, it would match what the whole does not. */
function mismatch(value: unknown, pattern: RegExp): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return `must be text that matches ${pattern.source}`;
  if (value.length > LONGEST_TEXT) return `is too long to test: patterns look at ${LONGEST_TEXT} characters at most`;
  return pattern.test(value) ? undefined : `must match ${pattern.source}`;
}

function foreign(value: unknown, values: readonly unknown[]): string | undefined {
  if (value === undefined || values.some((allowed) => isDeepStrictEqual(allowed, value))) return undefined;
  return `must be one of ${values.map((allowed) => JSON.stringify(allowed)).join(', ')}`;
}
