/** Options of commands, read by node:util. What it cannot read is a usage error. */
import { UsageError } from './command.js';

export function usage<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    const message = (thrown as Error).message.split('. ')[0] as string;
    throw new UsageError(message, 'Add --help to see the options.');
  }
}
