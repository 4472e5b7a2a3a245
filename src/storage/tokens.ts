/** Tokens of clients, by the hash of each. */
import type { Sql } from './sql.js';

export type StoredToken = {
  id: string;
  agent: string;
  role: string;
  readOnly: boolean;
  /** Names of toolsets. Null: what the server has. */
  toolsets: string[] | null;
  project: string | null;
  created: number;
  expires: number | null;
  revoked: number | null;
};

type Row = Omit<StoredToken, 'readOnly' | 'toolsets'> & { readOnly: number; toolsets: string | null };

const columns = 'id, agent, role, read_only AS readOnly, toolsets, project, created, expires, revoked';

const fromRow = ({ id, agent, role, readOnly, toolsets, project, created, expires, revoked }: Row): StoredToken => ({
  id,
  agent,
  role,
  readOnly: readOnly === 1,
  toolsets: toolsets === null ? null : (JSON.parse(toolsets) as string[]),
  project,
  created,
  expires,
  revoked,
});

export async function insertToken(sql: Sql, hash: string, token: StoredToken): Promise<void> {
  const { id, agent, role, readOnly, toolsets, project, created, expires, revoked } = token;
  await sql.run(
    `INSERT INTO tokens (id, hash, agent, role, read_only, toolsets, project, created, expires, revoked)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [id, hash, agent, role, readOnly ? 1 : 0, toolsets && JSON.stringify(toolsets), project, created, expires, revoked],
  );
}

export async function findToken(sql: Sql, hash: string): Promise<StoredToken | undefined> {
  const row = await sql.get<Row>(`SELECT ${columns} FROM tokens WHERE hash = ?`, [hash]);
  return row && fromRow(row);
}

export async function listTokens(sql: Sql): Promise<StoredToken[]> {
  return (await sql.all<Row>(`SELECT ${columns} FROM tokens ORDER BY created, id`)).map(fromRow);
}

/** Answers whether there is such a token. One that was revoked before keeps its first time. */
export async function markRevoked(sql: Sql, id: string, at: number): Promise<boolean> {
  return (await sql.run('UPDATE tokens SET revoked = coalesce(revoked, ?) WHERE id = ?', [at, id])) > 0;
}
