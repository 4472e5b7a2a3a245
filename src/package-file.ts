/** Files of installed packages, found in the folders where Node looks, without loading the package. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** `file` starts with the package's name; `near` is the address of the module that asks. Yarn's PnP has no such files. */
export function packageFile(file: string, near: string): string | undefined {
  const folders = createRequire(near).resolve.paths(file) ?? [];
  return folders.map((folder) => path.join(folder, file)).find((candidate) => existsSync(candidate));
}
