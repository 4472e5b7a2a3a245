/** What a command is, and what goes wrong when a person types one. */

/** Exit codes: 0 for success, 1 for a call that failed, 2 for a command that cannot be understood. */
export type ExitCode = 0 | 1 | 2;

export type Command = {
  name: string;
  summary: string;
  /** The text that `--help` prints below the summary. */
  help: string;
  /** Loaded only when the command is run. */
  load: () => Promise<{ run: (args: string[]) => Promise<ExitCode> }>;
};

/** The person typed something that is no command of ours. */
export class UsageError extends Error {
  readonly next: string;

  constructor(message: string, next: string) {
    super(message);
    this.next = next;
  }
}
