/** Reading the payloads of many nodes, a bounded part at a time. */
import type { Sql, SqlValue } from '../../../storage/sql.js';
import { inScope } from './scope.js';
import type { Scope } from './violation.js';

/** A node's payload as it is stored: `data` is JSON text, or null where the node keeps name and status itself. */
export type StoredPayload = {
  nodeId: string;
  type: string;
  name: string | null;
  status: string | null;
  data: string | null;
};

/** Which nodes: of which scope, and of which types (undefined: all). */
export type Walk = { scope: Scope; types: readonly string[] | undefined };

const IDS_AT_ONCE = 50_000;
const PAYLOADS_AT_ONCE = 500;
const BYTES_AT_ONCE = 16 * 1024 * 1024;

/** The payloads of a walk in the order of their ids. A part is small in number and in size. */
export async function* payloadParts(sql: Sql, walk: Walk): AsyncGenerator<StoredPayload[]> {
  let last: string | undefined;
  for (;;) {
    const ids = await nextIds(sql, walk, last);
    for (let from = 0; from < ids.length; ) {
      const part = await readPayloads(sql, ids.slice(from, from + PAYLOADS_AT_ONCE));
      yield part;
      from += part.length;
    }
    if (ids.length < IDS_AT_ONCE) return;
    last = ids.at(-1);
  }
}

/** Finding a subtree costs what the subtree holds, so many ids are taken each time. */
async function nextIds(sql: Sql, { scope, types }: Walk, last: string | undefined): Promise<string[]> {
  const within = inScope(scope);
  const conditions: [string, readonly SqlValue[]][] = [
    [within.text, within.params],
    ...(last === undefined ? [] : [['n.id > ?', [last]] as [string, SqlValue[]]]),
    ...(types ? [['n.type IN (SELECT value FROM json_each(?))', [JSON.stringify(types)]] as [string, SqlValue[]]] : []),
  ];
  const rows = await sql.all<{ id: string }>(
    `SELECT n.id FROM nodes AS n WHERE ${conditions.map(([text]) => text).join(' AND ')}
     ORDER BY n.id LIMIT ${IDS_AT_ONCE}`,
    conditions.flatMap(([, params]) => params),
  );
  return rows.map(({ id }) => id);
}

/** The payloads of these nodes, from the first on, as far as the size of one part allows. */
async function readPayloads(sql: Sql, ids: readonly string[]): Promise<StoredPayload[]> {
  return sql.all<StoredPayload>(
    `WITH sizes (place, id, size) AS (
       SELECT wanted.key, n.id, coalesce(octet_length(p.data), 0) FROM json_each(?) AS wanted
       JOIN nodes AS n ON n.id = wanted.value LEFT JOIN payloads AS p ON p.id = n.payload_id
     ), part (place, id, before) AS (
       SELECT place, id, sum(size) OVER (ORDER BY place) - size FROM sizes
     )
     SELECT n.id AS nodeId, n.type, n.name, n.status, p.data
     FROM part JOIN nodes AS n ON n.id = part.id LEFT JOIN payloads AS p ON p.id = n.payload_id
     WHERE part.before < ${BYTES_AT_ONCE} ORDER BY part.place`,
    [JSON.stringify(ids)],
  );
}
