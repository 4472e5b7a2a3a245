/** Gives each call the ports that its tool works on. */
import type { Guard } from './guard/routes.js';
import { type Change, openChange } from './library/tree/change.js';
import type { NewId } from './library/tree/id.js';
import type { Providers } from './providers.js';
import type { Meaning } from './search/meaning.js';
import type { ToolCall, Unequipped } from './tools/call.js';
import type { Tool, Toolset } from './tools/define.js';

export type Equipment = { readonly newId: NewId; readonly providers: Providers; readonly meaning: Meaning };

const withoutLibrary: ReadonlySet<Toolset> = new Set<Toolset>(['context', 'catalog', 'audit']);

/** A change in the database is checked against the library's version, whatever it changes. */
const needsLibrary = ({ toolset, effect, outside }: Tool): boolean =>
  !withoutLibrary.has(toolset) || (effect !== 'read' && !outside);

export async function openEquip(tools: readonly Tool[], equipment: Equipment): Promise<Guard['equip']> {
  // Where no tool needs it, a command starts sooner without it.
  const library = tools.some(needsLibrary) ? await loadLibrary() : undefined;
  return (call, tool) => equip(call, tool, equipment, library);
}

type Library = Awaited<ReturnType<typeof loadLibrary>>;

async function loadLibrary() {
  const [{ libraryFolders }, { libraryDocuments }] = await Promise.all([
    import('./library/folders/library-folders.js'),
    import('./library/documents/library-documents.js'),
  ]);
  return { libraryFolders, libraryDocuments };
}

function equip(
  call: Unequipped,
  tool: Tool,
  { newId, providers, meaning }: Equipment,
  library: Library | undefined,
): ToolCall {
  const { sql, now: at, version, identity } = call;
  const mayChangeProtected = identity.role === 'owner';
  const request = { sql, at, newId, version, mayChangeProtected, agent: identity.agent, tool: tool.name };
  const loaded = (): Library => {
    if (library) return library;
    throw new Error(`${tool.name} works on the library, but says nothing of it`);
  };
  let opened: Change | undefined;
  // Opened when a tool asks for it: the version of a file, say, is none of the tree.
  const change = () => {
    opened ??= openChange(request);
    return opened;
  };
  return {
    ...call,
    vectors: meaning.vectors,
    embedding: meaning.embedding,
    get change() {
      return change();
    },
    get providers() {
      return providers.named();
    },
    get folders() {
      return providers.folders(call) ?? loaded().libraryFolders(change());
    },
    get documents() {
      return providers.documents(call) ?? loaded().libraryDocuments(change(), identity.agent);
    },
  };
}
