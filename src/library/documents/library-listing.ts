/** Listing the documents of the embedded library in the order of their ids, which is that of their making. */
import type { Sql } from '../../storage/sql.js';
import { ROOT_ID } from '../tree/node.js';
import { nameOf, nodeAt } from '../tree/nodes.js';
import { openPage, sealPage } from '../tree/page.js';
import type { Pace } from '../tree/query/pace.js';
import { holds } from '../tree/query/predicate.js';
import { allOf, always, payloadFilter, type SqlCondition } from '../tree/query/prefilter.js';
import { byNode, type Filters } from '../tree/query/scan.js';
import { insideOf } from '../tree/query/subtree.js';
import { type Tree, versionOf } from '../tree/tree.js';
import type { DocumentLine, DocumentPage, DocumentQuery } from './document.js';
import { noFolderFor } from './failures.js';

export async function listLibrary(sql: Sql, query: DocumentQuery, agent: string): Promise<DocumentPage> {
  const listing = { agent, query: ['list_documents', query.asked] };
  const { tree, position = '' } = await openPage<string>(sql, listing, query.pageToken);
  await checkFolder(tree, query.folderId);
  const ids = await matchingIds(tree, query, position, query.limit + 1);
  const page = ids.slice(0, query.limit);
  const documents: DocumentLine[] = [];
  for (const id of page) documents.push(await lineOf(tree, id, query.withData));
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
async function matchingIds(tree: Tree, query: DocumentQuery, after: string, count: number): Promise<string[]> {
  const { predicate, folderId = ROOT_ID } = query;
  const inside = insideOf(tree, folderId);
  const pace: Pick<Pace, 'chunk'> = { chunk: predicate ? 100 : 1000 };
  const options = { after, withPayload: predicate !== undefined, pace: pace as Pace };
  const found: string[] = [];
  for await (const chunk of byNode(tree, filtersOf(query), options)) {
    const wanted = predicate ? chunk.filter(({ payload }) => holds(predicate, payload)) : chunk;
    found.push(...(await inside(wanted)).map(({ id }) => id));
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}

function filtersOf({ documentType, folderId = ROOT_ID, includeChildren, predicate }: DocumentQuery): Filters {
  const isDocument: SqlCondition = { text: 'n.payload_id IS NOT NULL', params: [] };
  const ofType = documentType === undefined ? always : { text: 'n.type = ?', params: [documentType] };
  const within = includeChildren ? always : { text: 'n.parent_id = ?', params: [folderId] };
  return {
    node: allOf([isDocument, ofType, within]),
    payload: predicate ? payloadFilter(predicate) : always,
    own: { text: 'false', params: [] },
  };
}

type Row = { documentType: string; folderId: string | null; name: string | null };

async function lineOf(tree: Tree, documentId: string, withData: boolean): Promise<DocumentLine> {
  if (withData) {
    const node = await nodeAt(tree, documentId);
    if (!node) throw new Error(`The document '${documentId}' was listed, and is not there.`);
    const { type: documentType, parentId, payload: data } = node;
    return { documentType, documentId, name: nameOf(node), folderId: parentId === ROOT_ID ? null : parentId, data };
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
