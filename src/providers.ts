/** The providers that the configuration names in place of the embedded library. Each is loaded by its first use. */
import type { Config } from './config/config.js';
import type { Environment } from './config/platform.js';
import type { DocumentPort } from './library/documents/document.js';
import type { FolderPort } from './library/folders/folder.js';
import type { OmniFocus } from './providers/omnifocus/application.js';
import type { NamedProvider, Unequipped } from './tools/call.js';
import type { Port } from './tools/define.js';

export type Providers = {
  /** The name of the provider that keeps what goes through a port; none: the library does. */
  outside(port: Port | undefined): string | undefined;
  /** The folders, where the library does not keep them. */
  folders(call: Unequipped): FolderPort | undefined;
  /** The documents, where the library does not keep them. */
  documents(call: Unequipped): DocumentPort | undefined;
  /** All that are not the library. */
  named(): NamedProvider[];
};

export function openProviders(get: Config['get'], env: Environment): Providers {
  const outside: Providers['outside'] = (port) => {
    const provider = port && get(`providers.${port}`);
    return provider === 'library' ? undefined : provider;
  };
  const timeoutMs = get('omnifocus.timeoutSeconds') * 1000;
  let opened: Promise<OmniFocus> | undefined;
  // One for the whole workspace: its scripts take turns, and it remembers whether OmniFocus is held up.
  const omnifocus = () => {
    opened ??= import('./providers/omnifocus/application.js').then(({ openOmniFocus }) =>
      openOmniFocus({ env: env as NodeJS.ProcessEnv, timeoutMs }),
    );
    return opened;
  };

  return {
    outside,
    documents: () => undefined,
    folders: ({ dryRun, signal }) =>
      outside('folders') === 'omnifocus'
        ? laterFolders(async () => {
            const { omnifocusFolders } = await import('./providers/omnifocus/folders.js');
            return omnifocusFolders(await omnifocus(), { dryRun, signal });
          })
        : undefined,
    named: () =>
      outside('folders') === 'omnifocus'
        ? [{ name: 'OmniFocus', keeps: 'folders', probe: async () => (await omnifocus()).probe() }]
        : [],
  };
}

/** A port whose keeper is loaded when it is first asked. */
const laterFolders = (load: () => Promise<FolderPort>): FolderPort => ({
  list: async (query) => (await load()).list(query),
  add: async (name, position) => (await load()).add(name, position),
  edit: async (which, update) => (await load()).edit(which, update),
  remove: async (which) => (await load()).remove(which),
  move: async (which, position) => (await load()).move(which, position),
});
