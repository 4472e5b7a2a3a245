/** The version of this package. */
import { readFileSync } from 'node:fs';

let known: string | undefined;

/** Read once: a server says it with every handshake. */
export function packageVersion(): string {
  known ??= (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
    .version;
  return known;
}
