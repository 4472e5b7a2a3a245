/** Version tokens: a revision of the tree, opaque to callers. */
import { invalidArgument } from '../../errors.js';
import type { Sql } from '../../storage/sql.js';

const TOKEN = /^r(0|[1-9]\d{0,14})$/;

export const formatVersion = (revision: number): string => `r${revision}`;

/** `argument` names it in failures. */
export function parseVersion(token: string, argument = 'version'): number {
  const match = TOKEN.exec(token);
  if (!match) {
    throw invalidArgument`Invalid ${argument} '${token}': not a version token`.advise(
      'Use the version that a read returned, exactly as it was.',
    );
  }
  return Number(match[1]);
}

export async function currentRevision(sql: Sql): Promise<number> {
  const row = await sql.get<{ revision: number }>('SELECT coalesce(max(revision), 0) AS revision FROM revisions');
  return row?.revision ?? 0;
}

export const currentVersion = async (sql: Sql): Promise<string> => formatVersion(await currentRevision(sql));
