/** The texts that have no vector yet, in the order of their chunks. */
import type { Sql } from '../../storage/sql.js';
import { indexedText } from '../indexed-text.js';
import { findEmbedder } from './store.js';

export type PendingText = { readonly hash: string; readonly text: string };
export type PendingPage = { readonly texts: readonly PendingText[]; readonly last: number };

type ChunkRow = { id: number; hash: string; document: number; headings: string; start: number; end: number };

/** Up to `limit` texts of chunks after the chunk `after`. `last` is where to go on; without texts it is the end. */
export async function pendingTexts(sql: Sql, name: string, after: number, limit: number): Promise<PendingPage> {
  const embedder = await findEmbedder(sql, name);
  const chunks = await sql.all<ChunkRow>(
    `SELECT c.id, c.text_hash AS hash, c.document_id AS document, c.headings, c.start_byte AS start, c.end_byte AS end
     FROM reference_document_chunks c
     WHERE c.id > ? AND NOT EXISTS (SELECT 1 FROM text_vectors v WHERE v.embedder = ? AND v.text_hash = c.text_hash)
     ORDER BY c.id LIMIT ?`,
    [after, embedder?.id ?? -1, limit],
  );
  const texts = new Map<string, string>();
  let open: Document | undefined;
  for (const chunk of chunks) {
    if (texts.has(chunk.hash)) continue;
    if (open?.id !== chunk.document) open = await readDocument(sql, chunk.document);
    const text = open.content.subarray(chunk.start, chunk.end).toString('utf8');
    const headings = JSON.parse(chunk.headings) as string[];
    texts.set(chunk.hash, indexedText({ title: open.title, headings, text }));
  }
  return { texts: [...texts].map(([hash, text]) => ({ hash, text })), last: chunks.at(-1)?.id ?? after };
}

type Document = { id: number; title: string; content: Buffer };

/** Whole: cutting chunk after chunk out of it inside the database would copy it each time. */
async function readDocument(sql: Sql, id: number): Promise<Document> {
  const row = await sql.get<{ title: string | null; content: string }>(
    'SELECT title, content FROM reference_documents WHERE id = ?',
    [id],
  );
  return { id, title: row?.title ?? '', content: Buffer.from(row?.content ?? '', 'utf8') };
}
