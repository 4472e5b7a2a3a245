/**
 * Every expected failure is a `Failure`: a stable type, a message for people that quotes
 * the value at fault, and an instruction that tells an agent its next move.
 */

/** The error types, each with the instruction given when the place of failure has no better one. */
export const errorTypes = {
  invalid_argument: 'Correct the argument that the error names, then call again.',
  not_found: 'Check the identifier. List or search first to find one that exists.',
  forbidden: 'Ask for a session with the needed role, or without read-only mode.',
  already_exists: 'Choose another name, or change the one that is there.',
  invalid_name: 'Use 1 to 30 letters, digits, hyphens and underscores, with a letter or digit at both ends.',
  name_conflict: 'Choose a name that no collection and no category has.',
  description_too_long: 'Shorten the description to 500 characters or fewer.',
  invalid_characters: 'Leave out quotes and control characters.',
  category_not_found: 'Use category_list to see the categories, or make the missing ones with category_add.',
  invalid_type: 'Use a group for categories: file and pkg collections have a source of their own.',
  in_use: 'Change or remove the categories that draw from it first.',
  conflict: 'Read the current state, fit your change to it, and call again with the version that the read returns.',
  lock_error: 'Wait for the process that the error names, then call again.',
  write_error: 'Make the file and its folder writable for this user, then call again.',
  no_session: 'Run `ai-assist collections init` in the root of the project, or name the folder of a project.',
  rate_limited: 'Wait for retryAfter seconds, then call again.',
  internal: 'This is not your mistake. Call again once; if it fails again, report the error text.',
} as const;

export type ErrorType = keyof typeof errorTypes;

/** The answer every door gives for a call that failed. */
export type FailureEnvelope = {
  success: false;
  error: string;
  error_type: ErrorType;
  instruction: string;
  [detail: string]: unknown;
};

type Text = { message: string; redacted: string };

export class Failure extends Error {
  readonly type: ErrorType;
  readonly instruction: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** The message with hashes in place of the caller's strings: this is what a log may keep. */
  readonly redacted: string;

  constructor(
    type: ErrorType,
    text: Text,
    details: Readonly<Record<string, unknown>> = {},
    instruction: string = errorTypes[type],
  ) {
    super(text.message);
    this.name = 'Failure';
    this.type = type;
    this.redacted = text.redacted;
    this.details = details;
    this.instruction = instruction;
  }

  /** The same failure with machine-readable details beside the message. */
  with(details: Readonly<Record<string, unknown>>): Failure {
    return new Failure(this.type, this, { ...this.details, ...details }, this.instruction);
  }

  /** The same failure with a more precise next move. */
  advise(instruction: string): Failure {
    return new Failure(this.type, this, this.details, instruction);
  }

  toEnvelope(): FailureEnvelope {
    const { message: error, type: error_type, instruction } = this;
    return { success: false, error, error_type, instruction, ...this.details };
  }
}

type Value = string | number;
type FailureTag = (strings: TemplateStringsArray, ...values: Value[]) => Failure;

/** Not imported, since failures are also made in browsers, which have no such module and keep no log. */
const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');

/** Stands for a value in the log. */
export const shortHash = (value: string): string =>
  `#${crypto?.createHash('sha256').update(value).digest('hex').slice(0, 12) ?? ''}`;

/** A tag for failures of a type. The values in its text are hashed in the log. */
export function failing(type: ErrorType): FailureTag {
  return (strings, ...values) => {
    const fill = (show: (value: Value) => Value) =>
      strings.reduce((text, part, index) => `${text}${show(values[index - 1] as Value)}${part}`);
    return new Failure(type, {
      message: fill((value) => value),
      redacted: fill((value) => (typeof value === 'string' ? shortHash(value) : value)),
    });
  };
}

export const invalidArgument = failing('invalid_argument');
export const notFound = failing('not_found');
export const conflict = failing('conflict');
export const rateLimited = failing('rate_limited');

/** A failure whose text holds nothing of the caller's: it may be logged as it is. */
export function plainFailure(type: ErrorType, message: string): Failure {
  return new Failure(type, { message, redacted: message });
}

/** What was thrown, as a failure. An unexpected error becomes `internal` and keeps its cause. */
export function asFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const kind = thrown instanceof Error ? thrown.name : typeof thrown;
  const failure = new Failure('internal', {
    message: `Unexpected error: ${reason}`,
    redacted: `Unexpected error: ${kind} ${shortHash(reason)}`,
  });
  failure.cause = thrown;
  return failure;
}
