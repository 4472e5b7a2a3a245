/** The providers that the configuration names in place of the embedded library. */
import type { Config } from './config/config.js';
import type { Environment } from './config/platform.js';
import { plainFailure } from './errors.js';
import type { DocumentPort } from './library/documents/document.js';
import type { FolderPort } from './library/folders/folder.js';
import type { Unequipped } from './tools/call.js';
import type { Port } from './tools/define.js';

export type Providers = {
  /** The name of the provider that keeps what goes through a port; none: the library does. */
  outside(port: Port | undefined): string | undefined;
  /** The folders, where the library does not keep them. */
  folders(call: Unequipped): FolderPort | undefined;
  /** The documents, where the library does not keep them. */
  documents(call: Unequipped): DocumentPort | undefined;
};

export function openProviders(get: Config['get'], _env: Environment): Providers {
  const outside: Providers['outside'] = (port) => {
    const provider = port && get(`providers.${port}`);
    return provider === 'library' ? undefined : provider;
  };
  return {
    outside,
    documents: () => undefined,
    folders() {
      if (outside('folders') === undefined) return undefined;
      throw plainFailure('internal', 'This build has no OmniFocus in it');
    },
  };
}
