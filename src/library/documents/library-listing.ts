/** Listing the documents of the embedded library in the order of their ids, which is that of their making. */
import type { Sql } from '../../storage/sql.js';
import { ROOT_ID } from '../tree/node.js';
import { nameOf, nodeAt } from '../tree/nodes.js';
import { openPage, sealPage } from '../tree/page.js';
import { compareText } from '../tree/query/comparison.js';
import { type Pace, usualPace } from '../tree/query/pace.js';
import { holds } from '../tree/query/predicate.js';
import { allOf, always, payloadFilter, type SqlCondition } from '../tree/query/prefilter.js';
import { byNode, type Filters, type Scanned } from '../tree/query/scan.js';
import { insideOf, smallSubtree } from '../tree/query/subtree.js';
import { type Tree, versionOf } from '../tree/tree.js';
import type { DocumentLine, DocumentPage, DocumentQuery } from './document.js';
import { noFolderFor } from './failures.js';

export async function listLibrary(
  sql: Sql,
  query: DocumentQuery,
  agent: string,
  pace: Pace = usualPace,
): Promise<DocumentPage> {
  const listing = { agent, query: ['list_documents', query.asked] };
  const { tree, position = '' } = await openPage<string>(sql, listing, query.pageToken);
  await checkFolder(tree, query.folderId);
  const ids = await matchingIds(tree, query, { after: position, count: query.limit + 1, pace });
  const page = ids.slice(0, query.limit);
  const documents: DocumentLine[] = [];
  for (const id of page) documents.push(await lineOf(tree, id, query.pick));
  const last = ids.length > query.limit ? page.at(-1) : undefined;
  const nextPageToken = last && (await sealPage(tree, listing, last));
  return { documents, version: versionOf(tree), ...(nextPageToken !== undefined && { nextPageToken }) };
}

async function checkFolder(tree: Tree, folderId: string | undefined): Promise<void> {
  if (folderId === undefined || folderId === ROOT_ID) return;
  const folder = await nodeAt(tree, folderId);
  if (folder?.type !== 'folder') throw noFolderFor(folderId);
}

/** Payloads may be large: few are read at once, and none where no filter asks for them. */
const PAYLOADS_AT_ONCE = 100;
const NODES_AT_ONCE = 1000;

/** Where to begin, and how many are wanted. */
type Reach = { after: string; count: number; pace: Pace };

async function matchingIds(tree: Tree, query: DocumentQuery, reach: Reach): Promise<string[]> {
  const { count } = reach;
  const found: string[] = [];
  for await (const chunk of chunksOf(tree, query, reach)) {
    found.push(...chunk.map(({ id }) => id));
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}

/** What a query means, in the order of ids. A folder with little in it is read by what is in it, not by all there is. */
async function* chunksOf(tree: Tree, query: DocumentQuery, reach: Reach): AsyncGenerator<Scanned[]> {
  const { after, count, pace } = reach;
  const { predicate, folderId = ROOT_ID, includeChildren } = query;
  const isWanted = ({ payload }: Scanned) => !predicate || holds(predicate, payload);
  const withPayload = predicate !== undefined;
  const isDeep = includeChildren && folderId !== ROOT_ID;
  const below = isDeep ? await smallSubtree(tree, folderId, pace.small) : undefined;
  if (below) {
    const ids = below.filter((id) => compareText(id, after) > 0).sort(compareText);
    for (let start = 0; start < ids.length; start += PAYLOADS_AT_ONCE) {
      const among = filtersOf(query, ids.slice(start, start + PAYLOADS_AT_ONCE));
      for await (const chunk of byNode(tree, among, { withPayload })) yield chunk.filter(isWanted);
    }
    return;
  }
  const inside = insideOf(tree, isDeep ? folderId : ROOT_ID);
  const chunk = predicate ? PAYLOADS_AT_ONCE : isDeep ? NODES_AT_ONCE : count;
  const options = { after, withPayload, pace: { ...pace, chunk } };
  for await (const nodes of byNode(tree, filtersOf(query), options)) yield inside(nodes.filter(isWanted));
}

/** `ids` are those that the documents are among, where that is known. */
function filtersOf(query: DocumentQuery, ids?: readonly string[]): Filters {
  const { documentType, folderId = ROOT_ID, includeChildren, predicate } = query;
  const isDocument: SqlCondition = { text: 'n.payload_id IS NOT NULL', params: [] };
  const among = ids && { text: 'n.id IN (SELECT value FROM json_each(?))', params: [JSON.stringify(ids)] };
  const within = includeChildren ? undefined : { text: 'n.parent_id = ?', params: [folderId] };
  // The plus keeps SQLite from going through all documents of the type where there is a shorter way.
  const type = among || within ? '+n.type = ?' : 'n.type = ?';
  const ofType = documentType === undefined ? always : { text: type, params: [documentType] };
  return {
    node: allOf([isDocument, ofType, among ?? within ?? always]),
    payload: predicate ? payloadFilter(predicate) : always,
    own: { text: 'false', params: [] },
  };
}

type Row = { documentType: string; folderId: string | null; name: string | null };

async function lineOf(tree: Tree, documentId: string, pick: DocumentQuery['pick']): Promise<DocumentLine> {
  if (pick) {
    const node = await nodeAt(tree, documentId);
    if (!node) throw new Error(`The document '${documentId}' was listed, and is not there.`);
    const { type: documentType, parentId, payload } = node;
    return {
      documentType,
      documentId,
      name: nameOf(node),
      folderId: parentId === ROOT_ID ? null : parentId,
      data: pick(payload),
    };
  }
  const row = (await tree.sql.get<Row>(lineQuery(tree), [ROOT_ID, documentId])) as Row;
  const { documentType, folderId, name } = row;
  return { documentType, documentId, folderId, ...(name !== null && { name }) };
}

/** The name alone is taken out of the payload: the rest may be megabytes. */
const lineQuery = ({ from }: Tree) => `SELECT n.type AS documentType, nullif(n.parent_id, ?1) AS folderId,
    (SELECT iif(json_type(p.data, '$.name') = 'text', json_extract(p.data, '$.name'), NULL)
     FROM ${from.payloads} AS p WHERE p.id = n.payload_id) AS name
  FROM ${from.nodes} AS n WHERE n.id = ?2`;
