/**
 * What differs between two revisions, row by row. Found by indexes over row versions, so that it
 * costs what changed and not what exists.
 */
import type { Sql } from '../../../storage/sql.js';
import type { Node } from '../node.js';
import type { Bookmark } from '../tags.js';
import { groupedBy } from './group.js';

/** A row on both sides: undefined where there is none. */
export type Pair<Row> = { before: Row | undefined; after: Row | undefined };

export type TagRow = { nodeId: string; tag: string };

export type PayloadRow = { id: string; data: string };

/** The rows that differ, by their keys. */
export type Differences = {
  nodes: Map<string, Pair<Node>>;
  payloads: Map<string, Pair<PayloadRow>>;
  tags: Map<string, Pair<TagRow>>;
  bookmarks: Map<string, Pair<Bookmark>>;
};

type Table<Row> = { current: string; history: string; columns: string; keyOf: (row: Row) => string };

const nodes: Table<Node> = {
  current: 'nodes',
  history: 'node_history',
  columns: 'id, parent_id AS parentId, rank, type, name, status, payload_id AS payloadId',
  keyOf: ({ id }) => id,
};

const payloads: Table<PayloadRow> = {
  current: 'payloads',
  history: 'payload_history',
  columns: 'id, data',
  keyOf: ({ id }) => id,
};

const tags: Table<TagRow> = {
  current: 'tags',
  history: 'tag_history',
  columns: 'node_id AS nodeId, tag',
  keyOf: ({ nodeId, tag }) => JSON.stringify([nodeId, tag]),
};

const bookmarks: Table<Bookmark> = {
  current: 'bookmarks',
  history: 'bookmark_history',
  columns: 'label, node_id AS nodeId',
  keyOf: ({ label }) => label,
};

/** What differs between the tree as of one revision and as of another, which may be the earlier one. */
export async function differencesBetween(sql: Sql, from: number, to: number): Promise<Differences> {
  if (from > to) return inverse(await differencesBetween(sql, to, from));
  return {
    nodes: await pairs(sql, nodes, from, to),
    payloads: await pairs(sql, payloads, from, to),
    tags: await pairs(sql, tags, from, to),
    bookmarks: await pairs(sql, bookmarks, from, to),
  };
}

/**
 * A row that differs either ended after `from`, or began after it, or both. Versions in between
 * do not matter, so the ones that a retention has dropped are not missed.
 */
async function pairs<Row>(sql: Sql, table: Table<Row>, from: number, to: number): Promise<Map<string, Pair<Row>>> {
  const { current, history, columns } = table;
  const ended = await sql.all<Row>(`SELECT ${columns} FROM ${history} WHERE until > ? AND until <= ? AND since <= ?`, [
    from,
    to,
    from,
  ]);
  const begun = await sql.all<Row>(
    `SELECT ${columns} FROM ${current} WHERE since > ? AND since <= ?
     UNION ALL
     SELECT ${columns} FROM ${history} WHERE since > ? AND since <= ? AND until > ?`,
    [from, to, from, to, to],
  );
  return paired(ended, begun, table.keyOf);
}

function paired<Row>(ended: Row[], begun: Row[], keyOf: (row: Row) => string): Map<string, Pair<Row>> {
  const found = new Map<string, Pair<Row>>(ended.map((row) => [keyOf(row), { before: row, after: undefined }]));
  for (const row of begun) {
    const key = keyOf(row);
    const before = found.get(key)?.before;
    // A row that became again what it was is no difference.
    if (before && JSON.stringify(before) === JSON.stringify(row)) found.delete(key);
    else found.set(key, { before, after: row });
  }
  return found;
}

export function inverse({ nodes, payloads, tags, bookmarks }: Differences): Differences {
  return {
    nodes: turned(nodes),
    payloads: turned(payloads),
    tags: turned(tags),
    bookmarks: turned(bookmarks),
  };
}

const turned = <Row>(pairs: Map<string, Pair<Row>>): Map<string, Pair<Row>> =>
  new Map([...pairs].map(([key, { before, after }]) => [key, { before: after, after: before }]));

export const isEmpty = ({ nodes, payloads, tags, bookmarks }: Differences): boolean =>
  nodes.size + payloads.size + tags.size + bookmarks.size === 0;

type Version<Row> = { row: Row; since: number; until: number | null };

/** What one revision changed. Of payloads it has the ids that got another value, and not the values. */
export type Touching = Omit<Differences, 'payloads'> & { replaced: string[] };

/** What each revision from `first` to `last` changed, read in one go. */
export async function touchingByRevision(sql: Sql, first: number, last: number): Promise<Map<number, Touching>> {
  const read = {
    nodes: await versions(sql, nodes, first, last),
    replaced: groupedBy(await replacements(sql, first, last), ({ revision }) => revision),
    tags: await versions(sql, tags, first, last),
    bookmarks: await versions(sql, bookmarks, first, last),
  };
  const found = new Map<number, Touching>();
  for (let revision = first; revision <= last; revision++) {
    found.set(revision, {
      nodes: pairsAt(read.nodes, nodes, revision),
      replaced: (read.replaced.get(revision) ?? []).map(({ id }) => id),
      tags: pairsAt(read.tags, tags, revision),
      bookmarks: pairsAt(read.bookmarks, bookmarks, revision),
    });
  }
  return found;
}

/** The payloads that revisions replaced. The database compares the values, which may be large. */
async function replacements(sql: Sql, first: number, last: number): Promise<{ id: string; revision: number }[]> {
  return sql.all(
    `SELECT old.id, old.until AS revision FROM payload_history AS old WHERE old.until >= ? AND old.until <= ? AND (
       EXISTS (SELECT 1 FROM payloads AS new WHERE new.id = old.id AND new.since = old.until AND new.data <> old.data)
       OR EXISTS (SELECT 1 FROM payload_history AS new
                  WHERE new.id = old.id AND new.since = old.until AND new.data <> old.data)
     )`,
    [first, last],
  );
}

type Versions<Row> = { ending: Map<number | null, Row[]>; beginning: Map<number | null, Row[]> };

async function versions<Row>(sql: Sql, table: Table<Row>, first: number, last: number): Promise<Versions<Row>> {
  const { current, history, columns } = table;
  const rows = await sql.all<Row & { since: number; until: number | null }>(
    `SELECT ${columns}, since, NULL AS until FROM ${current} WHERE since >= ? AND since <= ?
     UNION ALL
     SELECT ${columns}, since, until FROM ${history} WHERE until >= ? AND until <= ?
     UNION ALL
     SELECT ${columns}, since, until FROM ${history} WHERE since >= ? AND since <= ? AND until > ?`,
    [first, last, first, last, first, last, last],
  );
  const split = rows.map(({ since, until, ...row }) => ({ row: row as Row, since, until }));
  const rowsBy = (revisionOf: (version: Version<Row>) => number | null) =>
    new Map([...groupedBy(split, revisionOf)].map(([revision, group]) => [revision, group.map(({ row }) => row)]));
  return { ending: rowsBy(({ until }) => until), beginning: rowsBy(({ since }) => since) };
}

const pairsAt = <Row>({ ending, beginning }: Versions<Row>, { keyOf }: Table<Row>, revision: number) =>
  paired(ending.get(revision) ?? [], beginning.get(revision) ?? [], keyOf);
