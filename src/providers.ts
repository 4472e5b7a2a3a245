/** The providers that the configuration names in place of the embedded library. Each is loaded by its first use. */
import type { Config } from './config/config.js';
import type { Environment } from './config/platform.js';
import type { DocumentPort } from './library/documents/document.js';
import type { FolderPort } from './library/folders/folder.js';
import type { OmniFocus } from './providers/omnifocus/application.js';
import type { NamedProvider, Unequipped } from './tools/call.js';
import type { Port } from './tools/define.js';

/** A secret is no setting: it would be shown with the others. */
const FOUNDRY_KEY = 'AI_ASSIST_FOUNDRY_API_KEY';

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

  const foundry = async (signal: AbortSignal) => {
    const { openRelay } = await import('./providers/foundry/relay-client.js');
    return openRelay({
      url: get('providers.foundry.url'),
      clientId: get('providers.foundry.clientId'),
      apiKey: env[FOUNDRY_KEY],
      timeoutMs: get('providers.foundry.timeoutSeconds') * 1000,
      signal,
    });
  };

  const probeFoundry = async () => {
    const { probeRelay } = await import('./providers/foundry/probe.js');
    await probeRelay(await foundry(new AbortController().signal), get('providers.foundry.clientId'));
  };

  return {
    outside,
    documents: ({ dryRun, signal, database, identity }) =>
      outside('documents') === 'foundry'
        ? laterDocuments(async () => {
            const [{ relayDocuments }, { signedTokens }] = await Promise.all([
              import('./providers/foundry/relay-documents.js'),
              import('./library/documents/signed-tokens.js'),
            ]);
            const tokens = signedTokens(database, identity.agent, 'foundry');
            return relayDocuments(await foundry(signal), { dryRun, tokens });
          })
        : undefined,
    folders: ({ dryRun, signal }) =>
      outside('folders') === 'omnifocus'
        ? laterFolders(async () => {
            const { omnifocusFolders } = await import('./providers/omnifocus/folders.js');
            return omnifocusFolders(await omnifocus(), { dryRun, signal });
          })
        : undefined,
    named: () => [
      ...(outside('folders') === 'omnifocus'
        ? [{ name: 'OmniFocus', keeps: 'folders' as const, probe: async () => (await omnifocus()).probe() }]
        : []),
      ...(outside('documents') === 'foundry'
        ? [{ name: 'Foundry', keeps: 'documents' as const, probe: probeFoundry }]
        : []),
    ],
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

const laterDocuments = (load: () => Promise<DocumentPort>): DocumentPort => ({
  types: async () => (await load()).types(),
  checkType: async (documentType) => (await load()).checkType(documentType),
  get: async (which) => (await load()).get(which),
  list: async (query) => (await load()).list(query),
  create: async (documentType, data, folderId) => (await load()).create(documentType, data, folderId),
  update: async (document, update) => (await load()).update(document, update),
  remove: async (which) => (await load()).remove(which),
});
