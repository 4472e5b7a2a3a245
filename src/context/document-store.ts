/** Documents with their chunks and index entries. All of one document is written in one transaction, or nothing. */
import type { Chunk } from '../search/chunk.js';
import { textHash } from '../search/indexed-text.js';
import { addWords, removeWords } from '../search/keyword-index.js';
import type { Sql, SqlValue } from '../storage/sql.js';
import { forgetMark, saveMark } from './marks.js';
import type { FileStat } from './source.js';

export type NewDocument = {
  path: string;
  /** Hex sha256 of the bytes that the source gave. */
  hash: string;
  title: string;
  /** From the front matter. */
  description?: string | undefined;
  tags?: readonly string[] | undefined;
  /** The bytes as text; of HTML, as Markdown. */
  content: string;
  bytes: number;
  /** What the file system said, if that can be trusted: without it, the next sync reads the file again. */
  stat?: FileStat | undefined;
};

/** Writes a document in place of what was stored for its path, with the mark that the next sync compares. */
export async function putDocument(
  sql: Sql,
  collection: string,
  { stat, ...document }: NewDocument,
  chunks: readonly Chunk[],
  now: number,
): Promise<void> {
  await writeDocument(sql, collection, document, chunks, now);
  await saveMark(sql, collection, document.path, { hash: document.hash, stat });
}

/** The same without the mark: the source of the document was not asked. */
export async function writeDocument(
  sql: Sql,
  collection: string,
  document: Omit<NewDocument, 'stat'>,
  chunks: readonly Chunk[],
  now: number,
): Promise<void> {
  const { path, hash, title, content, bytes, description = null, tags } = document;
  const { oldId, documentId, chunkId } = await nextIds(sql, collection, path);
  const about = [description, tags ? JSON.stringify(tags) : null];
  const values = [hash, title, bytes, content, new Date(now).toISOString(), ...about];
  if (oldId === null) {
    await sql.run(
      `INSERT INTO reference_documents (hash, title, bytes, content, indexed_at, description, tags, id, collection, path)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [...values, documentId, collection, path],
    );
  } else {
    await removeChunks(sql, oldId);
    await sql.run(
      `UPDATE reference_documents
       SET hash = ?, title = ?, bytes = ?, content = ?, indexed_at = ?, description = ?, tags = ? WHERE id = ?`,
      [...values, oldId],
    );
    await sql.run('DELETE FROM outdated_documents WHERE document_id = ?', [oldId]);
  }
  const owner = { documentId: oldId ?? documentId, title, about: [description ?? '', ...(tags ?? [])] };
  for (const [position, chunk] of chunks.entries()) await putChunk(sql, chunkId + position, owner, position, chunk);
}

type NextIds = { oldId: number | null; documentId: number; chunkId: number };

/** Ids are chosen here: to let the database choose and tell them costs several times as much as the insert itself. */
async function nextIds(sql: Sql, collection: string, path: string): Promise<NextIds> {
  const ids = await sql.get<NextIds>(
    `SELECT (SELECT id FROM reference_documents WHERE collection = ? AND path = ?) AS oldId,
       (SELECT coalesce(max(id), 0) + 1 FROM reference_documents) AS documentId,
       (SELECT coalesce(max(id), 0) + 1 FROM reference_document_chunks) AS chunkId`,
    [collection, path],
  );
  return ids as NextIds;
}

type Owner = { documentId: number; title: string; about: readonly string[] };

async function putChunk(sql: Sql, id: number, owner: Owner, position: number, chunk: Chunk): Promise<void> {
  const { headings, startLine, endLine, startByte, endByte, text } = chunk;
  const hash = textHash({ title: owner.title, headings, text });
  await sql.run(
    `INSERT INTO reference_document_chunks
       (id, document_id, position, headings, start_line, end_line, start_byte, end_byte, text_hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [id, owner.documentId, position, JSON.stringify(headings), startLine, endLine, startByte, endByte, hash],
  );
  // What the front matter says of a document is found once, at its beginning.
  await addWords(sql, id, { title: owner.title, headings, text, about: position === 0 ? owner.about : [] });
}

async function removeChunks(sql: Sql, documentId: number): Promise<void> {
  await removeWords(sql, documentId);
  await sql.run('DELETE FROM reference_document_chunks WHERE document_id = ?', [documentId]);
}

/** Removes a document with its chunks and index entries. Answers whether it was there. */
export async function removeDocument(sql: Sql, collection: string, path: string): Promise<boolean> {
  const id = await documentIdOf(sql, collection, path);
  await forgetMark(sql, collection, path);
  if (id === undefined) return false;
  await removeChunks(sql, id);
  await sql.run('DELETE FROM reference_documents WHERE id = ?', [id]);
  return true;
}

export type DocumentRecord = {
  collection: string;
  path: string;
  title: string;
  hash: string;
  bytes: number;
  indexedAt: string;
};

/** The id of a document, or undefined if it is not there. */
export async function documentIdOf(sql: Sql, collection: string, path: string): Promise<number | undefined> {
  const row = await sql.get<{ id: number }>('SELECT id FROM reference_documents WHERE collection = ? AND path = ?', [
    collection,
    path,
  ]);
  return row?.id;
}

export async function countAllDocuments(sql: Sql): Promise<number> {
  return (await sql.get<{ count: number }>('SELECT count(*) AS count FROM reference_documents'))?.count ?? 0;
}

const recordColumns = 'collection, path, title, hash, bytes, indexed_at AS indexedAt';

/** With what its front matter says of it. */
export type ListedDocument = DocumentRecord & { description?: string; tags?: string[] };

type ListedRow = DocumentRecord & { description: string | null; tags: string | null };

const listedColumns = `${recordColumns}, description, tags`;

const listed = ({ description, tags, ...record }: ListedRow): ListedDocument => ({
  ...record,
  ...(description !== null && { description }),
  ...(tags !== null && { tags: JSON.parse(tags) as string[] }),
});

type Page = { after?: string | undefined; limit: number };

/** The documents of a collection in the order of their paths, from after a path on. */
export async function listDocuments(
  sql: Sql,
  collection: string,
  { after = '', limit }: Page,
): Promise<ListedDocument[]> {
  const rows = await sql.all<ListedRow>(
    `SELECT ${listedColumns} FROM reference_documents WHERE collection = ? AND path > ? ORDER BY path LIMIT ?`,
    [collection, after, limit],
  );
  return rows.map(listed);
}

/** The same among documents of several collections. Those that share a path stay on one page, which may grow by that. */
export async function listDocumentsAmong(
  sql: Sql,
  ids: ReadonlySet<number>,
  { after = '', limit }: Page,
): Promise<{ documents: ListedDocument[]; more: boolean }> {
  const among = `SELECT ${listedColumns} FROM reference_documents WHERE id IN (SELECT value FROM json_each(?))`;
  const all = JSON.stringify([...ids]);
  const select = (rest: string, params: SqlValue[]) => sql.all<ListedRow>(`${among} ${rest}`, [all, ...params]);
  const rows = await select('AND path > ? ORDER BY path, collection LIMIT ?', [after, limit + 1]);
  const last = rows[limit - 1];
  if (rows.length <= limit || !last) return { documents: rows.map(listed), more: false };
  const page = rows.filter(({ path }) => path < last.path);
  const twins = await select('AND path = ? ORDER BY collection', [last.path]);
  const [next] = await select('AND path > ? LIMIT 1', [last.path]);
  return { documents: [...page, ...twins].map(listed), more: next !== undefined };
}

export async function countDocuments(sql: Sql, collection: string): Promise<number> {
  const row = await sql.get<{ count: number }>(
    'SELECT count(*) AS count FROM reference_documents WHERE collection = ?',
    [collection],
  );
  return row?.count ?? 0;
}

/** A document with its content, or undefined if it is not there. */
export async function findDocument(
  sql: Sql,
  collection: string,
  path: string,
): Promise<(DocumentRecord & { content: string }) | undefined> {
  return sql.get<DocumentRecord & { content: string }>(
    `SELECT ${recordColumns}, content FROM reference_documents WHERE collection = ? AND path = ?`,
    [collection, path],
  );
}
