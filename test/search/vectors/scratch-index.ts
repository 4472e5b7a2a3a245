/** A database with documents that are written row by row, and an embedder that is made up. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Embedder } from '../../../src/search/embed/embedder.js';
import { textHash } from '../../../src/search/indexed-text.js';
import type { DriverName } from '../../../src/storage/drivers/choose.js';
import { openDatabase } from '../../../src/storage/open.js';
import type { Database, Sql } from '../../../src/storage/sql.js';
import { scratchFolder } from '../../support/scratch.js';

const driver = (process.env.AI_ASSIST_SQLITE_DRIVER ?? 'auto') as DriverName;

export type ScratchIndex = {
  file: string;
  database: Database;
  /** Writes a document with one chunk a text, in place of one with this path. Answers its id. */
  put(path: string, texts: readonly string[]): Promise<number>;
  /** The same for many, in one transaction. */
  putAll(documents: readonly (readonly string[])[]): Promise<number[]>;
  remove(path: string): Promise<void>;
  chunks(): Promise<{ id: number; document: number; text: string }[]>;
};

export async function scratchIndex(file = path.join(scratchFolder(), 'index.db')): Promise<ScratchIndex> {
  const database = await openDatabase({ location: file, driver });
  onTestFinished(() => database.close());
  return {
    file,
    database,
    put: (name, texts) => database.write((sql) => putDocument(sql, name, texts)),
    putAll: (documents) =>
      database.write(async (sql) => {
        const ids: number[] = [];
        for (const [at, texts] of documents.entries()) ids.push(await putDocument(sql, `${at}.md`, texts));
        return ids;
      }),
    remove: (name) => database.write((sql) => removeDocument(sql, name)),
    chunks: () => database.read(readChunks),
  };
}

const COLLECTION = 'file:scratch';

async function putDocument(sql: Sql, name: string, texts: readonly string[]): Promise<number> {
  await removeDocument(sql, name);
  await sql.run(
    `INSERT OR IGNORE INTO collections (id, type, created_at, updated_at) VALUES ('${COLLECTION}', 'file', '', '')`,
  );
  const content = texts.join('\n');
  await sql.run(
    `INSERT INTO reference_documents (collection, path, hash, title, bytes, content, indexed_at)
     VALUES ('${COLLECTION}', ?, '', 'T', ?, ?, '')`,
    [name, content.length, content],
  );
  const row = await sql.get<{ id: number }>('SELECT id FROM reference_documents WHERE path = ?', [name]);
  const document = row?.id as number;
  let from = 0;
  for (const [position, text] of texts.entries()) {
    const to = from + Buffer.byteLength(text);
    await sql.run(
      `INSERT INTO reference_document_chunks
         (document_id, position, headings, start_line, end_line, start_byte, end_byte, text_hash)
       VALUES (?, ?, '[]', 1, 1, ?, ?, ?)`,
      [document, position, from, to, textHash({ title: 'T', headings: [], text })],
    );
    from = to + 1;
  }
  return document;
}

async function removeDocument(sql: Sql, name: string): Promise<void> {
  const old = await sql.get<{ id: number }>('SELECT id FROM reference_documents WHERE path = ?', [name]);
  if (!old) return;
  await sql.run('DELETE FROM reference_document_chunks WHERE document_id = ?', [old.id]);
  await sql.run('DELETE FROM reference_documents WHERE id = ?', [old.id]);
}

const readChunks = (sql: Sql) =>
  sql.all<{ id: number; document: number; text: string }>(
    `SELECT c.id, c.document_id AS document,
       CAST(substr(CAST(d.content AS BLOB), c.start_byte + 1, c.end_byte - c.start_byte) AS TEXT) AS text
     FROM reference_document_chunks c JOIN reference_documents d ON d.id = c.document_id ORDER BY c.id`,
  );

/** The text of a chunk as it reaches the embedder. */
export const asEmbedded = (text: string): string => `T\n\n${text}`;

export type FakeEmbedder = Embedder & { readonly asked: string[] };

/** Not a model: a direction that follows from the hash of the text. Equal texts are near, others are not. */
export function fakeEmbedder(name = 'fake', dimensions = 32): FakeEmbedder {
  const asked: string[] = [];
  const embed = async (texts: readonly string[]) => {
    asked.push(...texts);
    return texts.map((text) => fakeVector(text, dimensions));
  };
  return {
    name,
    engine: 'made up',
    batch: 8,
    asked,
    embed,
    embedQuery: async (text) => (await embed([text]))[0] as Float32Array,
    close: async () => {},
  };
}

export function fakeVector(text: string, dimensions = 32): Float32Array {
  let state = createHash('sha256').update(text).digest().readUInt32LE(0) || 1;
  const vector = new Float32Array(dimensions).map(() => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state | 0) / 2 ** 31;
  });
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
