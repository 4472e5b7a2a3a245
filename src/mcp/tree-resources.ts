/** Nodes of the library as resources: by id, by the names on the way to them, and by bookmark. */
import { type Resource, ResourceNotFoundError, type ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Session } from '../workspace.js';
import { type Asked, canCall, type ResourceFamily, resourceFailure } from './resource-family.js';
import { nameOf, ReadFailure, type TreeReads, treeReads } from './tree-reads.js';

const mimeType = 'application/json';
const PREFIX = 'tree://';

const templates: readonly ResourceTemplateType[] = [
  {
    name: 'node',
    title: 'Node by id',
    uriTemplate: 'tree://node/{nodeId}',
    description: 'A node of the library with its payload, tags, path and children. Changes of it are announced.',
    mimeType,
  },
  {
    name: 'path',
    title: 'Node by path',
    uriTemplate: 'tree://path/{+path}',
    description: 'The same by the names from the top of the library down, such as tree://path/Work/Guides.',
    mimeType,
  },
  {
    name: 'bookmark',
    title: 'Node by bookmark',
    uriTemplate: 'tree://bookmark/{label}',
    description: 'The same by the label of a bookmark.',
    mimeType,
  },
];

const nodeUri = (nodeId: string): string => `${PREFIX}node/${encodeURIComponent(nodeId)}`;
const bookmarkUri = (label: string) => `${PREFIX}bookmark/${encodeURIComponent(label)}`;

/** Most children, bookmarks or suggestions that one answer shows. */
const MOST = 100;

/** None for a session that may not read the tree. */
export function treeResources(session: Session): ResourceFamily[] {
  const reads = treeReads(session);
  if (!reads) return [];
  const tree = { session, reads };
  const hasBookmarks = canCall(session, ['list_bookmarks']);
  return [
    {
      prefix: PREFIX,
      templates: hasBookmarks ? templates : templates.filter(({ name }) => name !== 'bookmark'),
      list: () => told(PREFIX, () => list(tree)),
      read: async (uri) => [await told(uri, () => read(tree, uri))],
      complete: (template, asked) => told(template, () => complete(tree, template, asked)),
      affected: async ({ nodeIds, more, bookmarks }) => ({
        uris: nodeIds.map(nodeUri),
        listing: more || bookmarks || nodeIds.includes('library'),
      }),
    },
  ];
}

type Library = { session: Session; reads: TreeReads };

/** A read that failed, as the protocol tells it. */
function told<T>(uri: string, work: () => Promise<T>): Promise<T> {
  return work().catch((thrown: unknown) => {
    throw thrown instanceof ReadFailure ? resourceFailure(uri, thrown.envelope) : thrown;
  });
}

/** The library itself, its bookmarks, and what stands at its top. */
async function list({ session, reads }: Library): Promise<Resource[]> {
  const bookmarks = await bookmarksOf(session, nodeUri('library'));
  const children = await reads.children('library', MOST);
  return [
    { uri: nodeUri('library'), name: 'library', title: 'Library', description: 'The root of the library.', mimeType },
    ...bookmarks.slice(0, MOST).map(({ label }) => ({
      uri: bookmarkUri(label),
      name: label,
      description: 'A bookmark in the library.',
      mimeType,
    })),
    ...children.map(({ nodeId, payloadType, payload }) => ({
      uri: nodeUri(nodeId),
      name: nameOf(payload) ?? nodeId,
      description: `A ${payloadType} at the top of the library.`,
      mimeType,
    })),
  ];
}

async function read(tree: Library, uri: string) {
  const { session, reads } = tree;
  const nodeId = await resolve(tree, uri);
  const found = await session.call('get_node', { nodeId });
  if (!found.success) throw resourceFailure(uri, found);
  const children = await reads.children(nodeId, MOST + 1);
  const shown = children.slice(0, MOST);
  const content = {
    ...found.node,
    uri: nodeUri(nodeId),
    path: await reads.pathOf(nodeId),
    children: shown.map((child) => ({
      nodeId: child.nodeId,
      name: nameOf(child.payload),
      payloadType: child.payloadType,
      childrenCount: child.childrenCount,
      uri: nodeUri(child.nodeId),
    })),
    ...(children.length > MOST && { moreChildren: `Only the first ${MOST} of ${found.node.childrenCount}.` }),
    version: found.version,
  };
  return { uri, mimeType, text: JSON.stringify(content, null, 2) };
}

/** The id of the node that an address stands for. */
async function resolve(tree: Library, uri: string): Promise<string> {
  const [, kind = '', rest = ''] = /^tree:\/\/([^/]*)\/(.*)$/s.exec(uri) ?? [];
  const parts = decoded(rest.split('/'));
  const [first = ''] = parts ?? [];
  if (parts && kind === 'node' && parts.length === 1 && first !== '') return first;
  if (parts && kind === 'bookmark' && parts.length === 1 && first !== '') return byBookmark(tree, uri, first);
  if (parts && kind === 'path') return byPath(tree, uri, parts);
  throw new ResourceNotFoundError(
    uri,
    `Unknown resource '${uri}'. Write ${templates.map(({ uriTemplate }) => uriTemplate).join(', ')}.`,
  );
}

async function byBookmark({ session }: Library, uri: string, label: string): Promise<string> {
  const bookmarks = await bookmarksOf(session, uri);
  const hit = bookmarks.find((bookmark) => bookmark.label === label);
  if (hit) return hit.nodeId;
  throw new ResourceNotFoundError(uri, `No bookmark '${label}'. Use list_bookmarks to see the labels.`);
}

async function byPath({ reads }: Library, uri: string, names: readonly string[]): Promise<string> {
  const [hit, twin] = await reads.atPath(withoutEmpty(names));
  if (hit !== undefined && twin === undefined) return hit;
  const reason = hit ? `stands for several nodes: read ${nodeUri(hit)}, or another by its id` : 'is not there';
  throw new ResourceNotFoundError(uri, `'${names.join(' / ')}' ${reason}`);
}

/** A slash too many means nothing. */
const withoutEmpty = (names: readonly string[]) => names.filter((name) => name !== '');

/** Undefined where a part is no valid encoding. */
function decoded(parts: readonly string[]): string[] | undefined {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

async function complete(tree: Library, template: string, { name, value }: Asked): Promise<string[]> {
  if (template.startsWith('tree://bookmark/') && name === 'label') {
    const labels = (await bookmarksOf(tree.session, template)).map(({ label }) => label);
    return labels.filter((label) => startsAlike(label, value));
  }
  if (template.startsWith('tree://path/') && name === 'path') return completePath(tree, value);
  if (template.startsWith('tree://node/') && name === 'nodeId') return completeId(tree, value);
  return [];
}

/** The last part of a path is completed among the children of what stands before it. */
async function completePath({ reads }: Library, value: string): Promise<string[]> {
  const parts = decoded(value.split('/')) ?? [];
  const begun = parts.at(-1) ?? '';
  const parents = parts.slice(0, -1);
  const [parent] = await reads.atPath(withoutEmpty(parents));
  const children = parent === undefined ? [] : await reads.children(parent, MOST);
  return children
    .flatMap(({ payload }) => nameOf(payload) ?? [])
    .filter((name) => startsAlike(name, begun))
    .map((name) => [...parents, name].map(encodeURIComponent).join('/'));
}

/** By the id itself, or by a part of the name. */
async function completeId({ session, reads }: Library, value: string): Promise<string[]> {
  const exact = value === '' ? undefined : await session.call('get_node', { nodeId: value });
  const ids =
    value === '' ? (await reads.children('library', MOST)).map(({ nodeId }) => nodeId) : await reads.named(value, MOST);
  const root = 'library'.startsWith(value) ? ['library'] : [];
  return [...new Set([...root, ...(exact?.success ? [value] : []), ...ids])];
}

async function bookmarksOf(session: Session, uri: string): Promise<{ label: string; nodeId: string }[]> {
  if (!canCall(session, ['list_bookmarks'])) return [];
  const listed = await session.call('list_bookmarks', {});
  if (!listed.success) throw resourceFailure(uri, listed);
  return listed.bookmarks;
}

const startsAlike = (text: string, begun: string) => text.toLowerCase().startsWith(begun.toLowerCase());
