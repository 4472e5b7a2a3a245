/** How many chunks have a vector. Counting takes a while in a large index, so it is done again only after a change. */
import type { Sql } from '../../storage/sql.js';
import type { Coverage } from './port.js';
import { type Changes, findEmbedder, readChanges } from './store.js';

export type CoverageCounter = (sql: Sql, documents?: ReadonlySet<number>) => Promise<Coverage>;

export function coverageOf(name: string | undefined): CoverageCounter {
  let known: { key: string; coverage: Coverage } | undefined;
  const whole = async (sql: Sql): Promise<Coverage> => {
    const changes = await readChanges(sql);
    const key = `${changes.documents}/${changes.vectors}`;
    if (known?.key !== key) known = { key, coverage: await countAll(sql, name, changes) };
    return known.coverage;
  };
  return async (sql, documents) => {
    const all = await whole(sql);
    if (!documents) return all;
    // Most of the time all have vectors or none, and the chunks of the scope need not be looked at one by one.
    const chunks = await countIn(sql, documents);
    if (all.embedded === 0 || all.embedded === all.chunks) return { chunks, embedded: all.embedded && chunks };
    return { chunks, embedded: await embeddedIn(sql, name, documents) };
  };
}

type Count = { count: number };
const counted = (row: Count | undefined): number => row?.count ?? 0;

async function countAll(sql: Sql, name: string | undefined, { documents }: Changes): Promise<Coverage> {
  const chunks = counted(await sql.get<Count>('SELECT count(*) AS count FROM reference_document_chunks'));
  const embedder = name === undefined ? undefined : await findEmbedder(sql, name);
  if (!embedder) return { chunks, embedded: 0 };
  if (embedder.complete === documents) return { chunks, embedded: chunks };
  const row = await sql.get<Count>(
    `SELECT count(*) AS count FROM reference_document_chunks c
     WHERE EXISTS (SELECT 1 FROM text_vectors v WHERE v.embedder = ? AND v.text_hash = c.text_hash)`,
    [embedder.id],
  );
  return { chunks, embedded: counted(row) };
}

const countIn = async (sql: Sql, documents: ReadonlySet<number>): Promise<number> =>
  counted(
    await sql.get<Count>(
      `SELECT count(*) AS count FROM reference_document_chunks
       WHERE document_id IN (SELECT value FROM json_each(?))`,
      [JSON.stringify([...documents])],
    ),
  );

async function embeddedIn(sql: Sql, name: string | undefined, documents: ReadonlySet<number>): Promise<number> {
  const embedder = name === undefined ? undefined : await findEmbedder(sql, name);
  if (!embedder) return 0;
  return counted(
    await sql.get<Count>(
      `SELECT count(*) AS count FROM reference_document_chunks c
       JOIN text_vectors v ON v.embedder = ? AND v.text_hash = c.text_hash
       WHERE c.document_id IN (SELECT value FROM json_each(?))`,
      [embedder.id, JSON.stringify([...documents])],
    ),
  );
}
