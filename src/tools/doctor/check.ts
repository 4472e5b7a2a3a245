/** What a check of the doctor is. A new one is a small function, and one line in `checks.ts`. */
import type { ToolCall } from '../call.js';

export const levels = ['ok', 'warning', 'problem'] as const;

/** What a check found. Whatever is not ok says how to mend it. */
export type Finding =
  | { level: 'ok'; message: string }
  | { level: 'warning' | 'problem'; message: string; mend: string };

export type Check = {
  /** One word, for people and programs. */
  name: string;
  /** True where it asks the database: it is left out while that cannot be opened. */
  needsDatabase: boolean;
  /** One finding, or several. A failure that it throws is a problem, with the failure's own next move. */
  run: (call: ToolCall) => Promise<Finding | Finding[]>;
};

export const ok = (message: string): Finding => ({ level: 'ok', message });
export const warning = (message: string, mend: string): Finding => ({ level: 'warning', message, mend });
export const problem = (message: string, mend: string): Finding => ({ level: 'problem', message, mend });
