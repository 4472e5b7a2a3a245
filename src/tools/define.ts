/**
 * A tool is declared once, in one literal. From it come the MCP tool, the command, the typed
 * call, the documentation and the contract tests.
 */
import { z } from 'zod';
import type { Role } from '../config/settings.js';
import type { ErrorType } from '../errors.js';
import type { ToolCall } from './call.js';
import { inputFailure } from './input-failure.js';

export type Toolset = 'context' | 'catalog' | 'folders' | 'documents' | 'tree' | 'tree-advanced' | 'audit';

/** `read` changes nothing, `write` can be taken back by another call, `destroy` removes. */
export type Effect = 'read' | 'write' | 'destroy';

/** What another provider than the library may keep: the setting `providers.NAME` says who does. */
export type Port = 'folders' | 'documents';

/** Whether a change must name the version it is based on. */
export type VersionRule = 'none' | 'optional' | 'required';

type Input<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;
type Output<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

export type Example = {
  input: Record<string, unknown>;
  /** Names of tools whose own examples come first, where this one builds on them. */
  after?: readonly string[];
};

export type ToolDefinition<Name extends string, In extends z.ZodRawShape, Out extends z.ZodRawShape> = {
  name: Name;
  toolset: Toolset;
  /** For people and agents: the first sentence has the words that one would look for. */
  summary: string;
  effect: Effect;
  /** Needed role, where it does not follow from the effect. */
  role?: Role;
  /** Where it does not follow from the effect. */
  versionRule?: VersionRule;
  /** True where it works outside the database, in a file or in another program: it gets no transaction. */
  outside?: boolean;
  /** The port that the tool works through. Its effect lies outside the database where another provider is set. */
  port?: Port;
  input: In;
  output: Out;
  /** Arguments whose characters the tool judges itself, NUL and half of a pair too: nothing else looks at them. */
  judgesText?: readonly (keyof In & string)[];
  /** How many items the input names, for tools that take many. */
  batch?: (input: Input<In>) => number;
  /** A call that works in the example library, for the documentation. */
  example: Example;
  /** The failures that the tool itself can give, beyond those of every call. */
  errors: readonly ErrorType[];
  run: (input: Input<In>, call: ToolCall) => Promise<Output<Out>>;
};

/** A tool with its types erased, so that all of them fit in one table. */
export type Tool = {
  readonly name: string;
  readonly toolset: Toolset;
  readonly summary: string;
  readonly effect: Effect;
  readonly role: Role;
  readonly versionRule: VersionRule;
  readonly outside: boolean;
  readonly port: Port | undefined;
  readonly example: Example;
  readonly errors: readonly ErrorType[];
  readonly judgesText: readonly string[];
  /** The tool's own arguments and the common ones. */
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  batchSize(input: unknown): number;
  /** Checks the input; throws a failure that names the argument at fault. */
  parse(raw: unknown): ParsedInput;
  /** Runs the tool on parsed input and checks what it answers. */
  invoke(input: unknown, call: ToolCall): Promise<Record<string, unknown>>;
};

/** A tool that still knows its types, for the typed `call`. */
export type TypedTool<Name extends string, In, Out> = Tool & {
  readonly name: Name;
  /** Never there at run time. */
  readonly types?: { input: In; output: Out };
};

export type CommonArguments = {
  version?: string | undefined;
  idempotencyKey?: string | undefined;
  dryRun?: boolean | undefined;
};

/** The tool's own arguments, and the common ones beside them. */
export type ParsedInput = { input: Record<string, unknown>; common: CommonArguments };

/** The arguments that every tool which changes something takes. */
const commonShape = {
  version: z
    .string()
    .optional()
    .describe('Version that a read returned: refused if what this touches has changed since.'),
  idempotencyKey: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('A key of yours: the same call with it again gets the first result.'),
  dryRun: z.boolean().optional().describe('Show what the call would answer, and keep nothing.'),
};

/** What a caller passes. An empty shape must not become a type that forbids the common arguments too. */
type CallInput<E extends Effect, In extends z.ZodRawShape> = E extends 'read'
  ? z.input<z.ZodObject<In>>
  : CommonArguments & (keyof In extends never ? unknown : z.input<z.ZodObject<In>>);

export function defineTool<
  const Name extends string,
  const E extends Effect,
  In extends z.ZodRawShape,
  Out extends z.ZodRawShape,
>(definition: ToolDefinition<Name, In, Out> & { effect: E }): TypedTool<Name, CallInput<E, In>, Output<Out>> {
  const { effect, run, batch } = definition;
  const own = z.strictObject(definition.input);
  const input = effect === 'read' ? own : z.strictObject({ ...definition.input, ...commonShape });
  const output = z.object(definition.output);
  const checking = firstWithoutCompiling();
  return {
    name: definition.name,
    toolset: definition.toolset,
    summary: definition.summary,
    effect,
    role: definition.role ?? (effect === 'read' ? 'reader' : 'editor'),
    versionRule: definition.versionRule ?? (effect === 'read' ? 'none' : 'optional'),
    outside: definition.outside ?? false,
    port: definition.port,
    example: definition.example,
    errors: definition.errors,
    judgesText: definition.judgesText ?? [],
    input,
    output,
    batchSize: (parsed) => batch?.(parsed as Input<In>) ?? 0,
    parse: (raw) => {
      const result = input.safeParse(raw, checking());
      if (!result.success) throw inputFailure(result.error, raw, Object.keys(input.shape));
      return split(result.data, effect);
    },
    invoke: async (parsed, call) => output.parse(await run(parsed as Input<In>, call), checking()),
  };
}

/** zod compiles a schema at its first use, which pays after some checks. A command makes one call, of two checks. */
const CHECKS_WITHOUT_COMPILING = 8;

function firstWithoutCompiling(): () => { jitless: boolean } {
  let checked = 0;
  return () => ({ jitless: ++checked <= CHECKS_WITHOUT_COMPILING });
}

function split(data: Record<string, unknown>, effect: Effect): ParsedInput {
  if (effect === 'read') return { input: data, common: {} };
  const { version, idempotencyKey, dryRun, ...input } = data;
  return { input, common: { version, idempotencyKey, dryRun } as CommonArguments };
}
