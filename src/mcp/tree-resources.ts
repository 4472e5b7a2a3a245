/** Nodes of the library as resources: by id, by the names on the way to them, and by bookmark. */
import { type Resource, ResourceNotFoundError, type ResourceTemplateType } from '@modelcontextprotocol/server';
import type { Session } from '../workspace.js';
import { type Asked, canCall, type ResourceFamily, resourceFailure } from './resource-family.js';

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

const needed = ['get_node', 'select_nodes'];

/** None for a session that may not read the tree. */
export function treeResources(session: Session): ResourceFamily[] {
  if (!canCall(session, needed)) return [];
  const hasBookmarks = canCall(session, ['list_bookmarks']);
  return [
    {
      prefix: PREFIX,
      templates: hasBookmarks ? templates : templates.filter(({ name }) => name !== 'bookmark'),
      list: () => list(session),
      read: async (uri) => [await read(session, uri)],
      complete: (template, asked) => complete(session, template, asked),
      affected: async ({ nodeIds, more, bookmarks }) => ({
        uris: nodeIds.map(nodeUri),
        listing: more || bookmarks || nodeIds.includes('library'),
      }),
    },
  ];
}

/** The library itself, its bookmarks, and what stands at its top. */
async function list(session: Session): Promise<Resource[]> {
  const bookmarks = await bookmarksOf(session, nodeUri('library'));
  const children = await childrenOf(session, 'library', nodeUri('library'));
  return [
    { uri: nodeUri('library'), name: 'library', title: 'Library', description: 'The root of the library.', mimeType },
    ...bookmarks.slice(0, MOST).map(({ label }) => ({
      uri: bookmarkUri(label),
      name: label,
      description: 'A bookmark in the library.',
      mimeType,
    })),
    ...children.slice(0, MOST).map(({ nodeId, payloadType, payload }) => ({
      uri: nodeUri(nodeId),
      name: nameOf(payload) ?? nodeId,
      description: `A ${payloadType} at the top of the library.`,
      mimeType,
    })),
  ];
}

async function read(session: Session, uri: string) {
  const nodeId = await resolve(session, uri);
  const found = await session.call('get_node', { nodeId });
  if (!found.success) throw resourceFailure(uri, found);
  const [itself] = await select(session, `#${escaped(nodeId)}`, 1, uri);
  const children = await childrenOf(session, nodeId, uri);
  const shown = children.slice(0, MOST);
  const content = {
    ...found.node,
    uri: nodeUri(nodeId),
    path: (itself?.path ?? []).map((step) => step.name ?? step.nodeId),
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
async function resolve(session: Session, uri: string): Promise<string> {
  const [, kind = '', rest = ''] = /^tree:\/\/([^/]*)\/(.*)$/s.exec(uri) ?? [];
  const parts = decoded(rest.split('/'));
  const [first = ''] = parts ?? [];
  if (parts && kind === 'node' && parts.length === 1 && first !== '') return first;
  if (parts && kind === 'bookmark' && parts.length === 1 && first !== '') return byBookmark(session, uri, first);
  if (parts && kind === 'path') return byPath(session, uri, parts);
  throw new ResourceNotFoundError(
    uri,
    `Unknown resource '${uri}'. Write ${templates.map(({ uriTemplate }) => uriTemplate).join(', ')}.`,
  );
}

async function byBookmark(session: Session, uri: string, label: string): Promise<string> {
  const bookmarks = await bookmarksOf(session, uri);
  const hit = bookmarks.find((bookmark) => bookmark.label === label);
  if (hit) return hit.nodeId;
  throw new ResourceNotFoundError(uri, `No bookmark '${label}'. Use list_bookmarks to see the labels.`);
}

async function byPath(session: Session, uri: string, names: readonly string[]): Promise<string> {
  const [hit, twin] = await select(session, selectorFor(names), 2, uri);
  if (hit && !twin) return hit.nodeId;
  const reason = hit ? `stands for several nodes: read ${nodeUri(hit.nodeId)}, or another by its id` : 'is not there';
  throw new ResourceNotFoundError(uri, `'${names.join(' / ')}' ${reason}`);
}

/** Names of nodes as a selector: each below the one before, from the root. */
function selectorFor(names: readonly string[]): string {
  const steps = names.filter((name) => name !== '').map((name) => ` > [name="${quoted(name)}"]`);
  return `:root${steps.join('')}`;
}

const quoted = (text: string) =>
  text.replace(/["\\]/g, '\\$&').replace(/[\n\r\f]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `);

/** Undefined where a part is no valid encoding. */
function decoded(parts: readonly string[]): string[] | undefined {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

async function complete(session: Session, template: string, { name, value }: Asked): Promise<string[]> {
  if (template.startsWith('tree://bookmark/') && name === 'label') {
    const labels = (await bookmarksOf(session, template)).map(({ label }) => label);
    return labels.filter((label) => startsAlike(label, value));
  }
  if (template.startsWith('tree://path/') && name === 'path') return completePath(session, value);
  if (template.startsWith('tree://node/') && name === 'nodeId') return completeId(session, value);
  return [];
}

/** The last part of a path is completed among the children of what stands before it. */
async function completePath(session: Session, value: string): Promise<string[]> {
  const parts = decoded(value.split('/')) ?? [];
  const begun = parts.at(-1) ?? '';
  const parents = parts.slice(0, -1);
  const [parent] = await select(session, selectorFor(parents), 1, PREFIX);
  if (!parent) return [];
  const children = await childrenOf(session, parent.nodeId, PREFIX);
  return children
    .flatMap(({ payload }) => nameOf(payload) ?? [])
    .filter((name) => startsAlike(name, begun))
    .map((name) => [...parents, name].map(encodeURIComponent).join('/'));
}

/** By the beginning of the id, or by a part of the name. */
async function completeId(session: Session, value: string): Promise<string[]> {
  const named = await select(session, value === '' ? ':root > *' : `[name*="${quoted(value)}"]`, MOST, PREFIX);
  const ids = named.map(({ nodeId }) => nodeId);
  const exact = value === '' ? undefined : await session.call('get_node', { nodeId: value });
  return [
    ...new Set([...('library'.startsWith(value) ? ['library'] : []), ...(exact?.success ? [value] : []), ...ids]),
  ];
}

async function bookmarksOf(session: Session, uri: string): Promise<{ label: string; nodeId: string }[]> {
  if (!canCall(session, ['list_bookmarks'])) return [];
  const listed = await session.call('list_bookmarks', {});
  if (!listed.success) throw resourceFailure(uri, listed);
  return listed.bookmarks;
}

async function select(session: Session, queryDsl: string, limit: number, uri: string) {
  const found = await session.call('select_nodes', { queryDsl, limit });
  if (!found.success) throw resourceFailure(uri, found);
  return found.nodes;
}

/** One more than is shown, which tells whether there are more. */
const childrenOf = (session: Session, nodeId: string, uri: string) =>
  select(session, `#${escaped(nodeId)} > *`, MOST + 1, uri);

/** An id as a selector has it: what is no letter or digit is written by its number. */
const escaped = (id: string) =>
  id.replace(/[^\p{L}\d]|^\d/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `);

const nameOf = ({ name }: Record<string, unknown>) => (typeof name === 'string' ? name : undefined);
const startsAlike = (text: string, begun: string) => text.toLowerCase().startsWith(begun.toLowerCase());
