/** The catalog as resources: what names stand for, and single documents. */
import {
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type TextResourceContents,
} from '@modelcontextprotocol/server';
import type { Session } from '../workspace.js';
import { type Affected, type Asked, canCall, type ResourceFamily, resourceFailure } from './resource-family.js';

const PREFIX = 'context://';
const mimeType = 'text/markdown';

const ofName = 'context://{name}';
const ofDocument = 'context://{name}/{+path}';

/** A listing names no more documents than this; the others are found by completion. */
const MOST_DOCUMENTS = 500;
const MOST_VALUES = 100;
/** What a name stands for may be large: this much of it goes into the context of an agent at once. */
const TOKENS_OF_NAME = 20_000;
const MOST_TOKENS = 100_000;

const templates: readonly ResourceTemplateType[] = [
  {
    name: 'context',
    title: 'Documents by name',
    uriTemplate: ofName,
    description: `The documents of a category, group or collection as one Markdown text of up to ${TOKENS_OF_NAME} tokens. Several names stand with commas between them.`,
    mimeType,
  },
  {
    name: 'document',
    title: 'Document by path',
    uriTemplate: ofDocument,
    description: `A synced document as it is, or all whose paths match a glob. Up to ${MOST_DOCUMENTS} are listed; complete the path for others.`,
    mimeType,
  },
];

const needed = ['get_content', 'collection_list', 'category_list', 'ref_list', 'ref_read'];

/** None for a session that may not read the catalog. */
export function contextResources(session: Session): ResourceFamily[] {
  if (!canCall(session, needed)) return [];
  return [
    {
      prefix: PREFIX,
      templates,
      list: () => list(session),
      read: async (uri) => [await read(session, uri)],
      complete: (template, asked) => complete(session, template, asked),
      affected: ({ collections }) => affected(session, collections),
    },
  ];
}

const nameUri = (name: string) => `${PREFIX}${encodeURIComponent(name)}`;

/** Slashes stay: they divide a path for readers too. */
const documentUri = (name: string, path: string) =>
  `${nameUri(name)}/${path.split('/').map(encodeURIComponent).join('/')}`;

type Named = { name: string; kind: string; description?: string | undefined };

/** Everything in the project that has a name. Outside a project there is nothing. */
async function namesOf(session: Session): Promise<Named[]> {
  const categories = await session.call('category_list', {});
  const collections = await session.call('collection_list', {});
  return [
    ...(categories.success ? categories.categories.map((one) => ({ ...one, kind: 'category' })) : []),
    ...(collections.success ? collections.collections.map((one) => ({ ...one, kind: kindOf(one.type) })) : []),
  ];
}

const kindOf = (type: string) => (type === 'group' ? 'group' : 'collection');

async function list(session: Session): Promise<Resource[]> {
  const names = await namesOf(session);
  const resources = names.map(({ name, kind, description }) => ({
    uri: nameUri(name),
    name,
    description: description ?? `The documents of the ${kind} ${name}.`,
    mimeType,
  }));
  const documents = await documentsOf(
    session,
    names.filter(({ kind }) => kind === 'collection'),
  );
  return [...resources, ...documents];
}

/** The documents of collections: of each as many as there is room for, so that a large one hides no other. */
async function documentsOf(session: Session, collections: readonly Named[]): Promise<Resource[]> {
  const limit = Math.max(1, Math.floor(MOST_DOCUMENTS / Math.max(1, collections.length)));
  const resources: Resource[] = [];
  for (const { name } of collections.slice(0, MOST_DOCUMENTS)) {
    const listed = await session.call('ref_list', { collection: name, limit });
    // One that is not synced yet has no documents to list.
    for (const { path, title, bytes } of listed.success ? listed.documents : []) {
      resources.push({
        uri: documentUri(name, path),
        name: `${name}/${path}`,
        title,
        size: bytes,
        mimeType: typeOf(path),
      });
    }
  }
  return resources;
}

/** What draws on collections that were synced: their names, and those of their documents that a listing has. */
async function affected(session: Session, synced: readonly string[]): Promise<Affected> {
  if (synced.length === 0) return { uris: [], listing: false };
  const collections = await session.call('collection_list', {});
  const categories = await session.call('category_list', {});
  const all = collections.success ? collections.collections : [];
  const drawn = all.filter(({ id }) => id && synced.includes(id)).map(({ name }) => name);
  if (drawn.length === 0) return { uris: [], listing: false };
  const names = categories.success ? categories.categories : [];
  const picked = names.filter(({ collection }) => !collection || drawn.includes(collection));
  const groups = all.filter(({ type }) => type === 'group');
  const documents = await documentsOf(
    session,
    drawn.map((name) => ({ name, kind: 'collection' })),
  );
  const uris = [...drawn, ...picked.map(({ name }) => name), ...groups.map(({ name }) => name)].map(nameUri);
  return { uris: [...uris, ...documents.map(({ uri }) => uri)], listing: true };
}

const typeOf = (path: string) => (/\.(md|mdx|markdown|mdown|mkdn?)$/i.test(path) ? mimeType : 'text/plain');

async function read(session: Session, uri: string): Promise<TextResourceContents> {
  const { name, path } = parsed(uri);
  const input =
    path === undefined ? { name, maxTokens: TOKENS_OF_NAME } : { name, pattern: path, maxTokens: MOST_TOKENS };
  const found = await session.call('get_content', input);
  if (!found.success) throw resourceFailure(uri, found);
  // The path of a document may be a pattern that takes others too, such as [id].md: the document itself comes first.
  const [document, twin] = [...found.documents, ...found.leftOut].filter((one) => one.path === path);
  if (!document || twin) return { uri, mimeType, text: found.content };
  return { uri, mimeType: typeOf(document.path), text: await wholeText(session, uri, document) };
}

/** The parts of an address, decoded. A slash at the end of a name means nothing. */
function parsed(uri: string): { name: string; path?: string } {
  try {
    const [name = '', ...path] = uri.slice(PREFIX.length).split('/').map(decodeURIComponent);
    if (name !== '') return path.join('/') === '' ? { name } : { name, path: path.join('/') };
  } catch {
    // No valid encoding: it stands for nothing.
  }
  throw new ResourceNotFoundError(uri, `Unknown resource '${uri}'. Write ${ofName} or ${ofDocument}.`);
}

/** A document as it is, page by page. */
async function wholeText(
  session: Session,
  uri: string,
  { collection, path }: { collection: string; path: string },
): Promise<string> {
  const parts: string[] = [];
  for (let startLine: number | undefined = 1; startLine !== undefined; ) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(session, { collection, path, startLine });
    if (!page.success) throw resourceFailure(uri, page);
    parts.push(page.text);
    startLine = page.nextLine;
  }
  return parts.join('');
}

const readPage = (session: Session, place: { collection: string; path: string; startLine: number }) =>
  session.call('ref_read', { ...place, maxTokens: MOST_TOKENS });

async function complete(session: Session, template: string, { name, value, given }: Asked): Promise<string[]> {
  if (name === 'name') return completeName(session, value);
  if (name === 'path' && template === ofDocument && given.name) return completePath(session, given.name, value);
  return [];
}

/** The last of several names is completed. */
async function completeName(session: Session, value: string): Promise<string[]> {
  const [, before = '', begun = ''] = /^(.*,)?(.*)$/s.exec(value) ?? [];
  const names = (await namesOf(session)).map(({ name }) => name);
  return names.filter((name) => name.toLowerCase().startsWith(begun.toLowerCase())).map((name) => before + name);
}

/** Paths stand in order, so those that begin alike follow each other. */
async function completePath(session: Session, name: string, begun: string): Promise<string[]> {
  const listed = await session.call('ref_list', { collection: name, after: begun, limit: MOST_VALUES });
  const paths = listed.success ? listed.documents.map(({ path }) => path) : [];
  return [...new Set(paths)].filter((path) => path.startsWith(begun));
}
