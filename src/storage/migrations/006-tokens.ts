/** Tokens that clients prove themselves with over HTTP. The token itself is nowhere: only its hash is. */
export const tokens = `
CREATE TABLE tokens (
  id        TEXT    PRIMARY KEY,
  hash      TEXT    NOT NULL UNIQUE,
  agent     TEXT    NOT NULL,
  role      TEXT    NOT NULL,
  read_only INTEGER NOT NULL,
  toolsets  TEXT,
  project   TEXT,
  created   INTEGER NOT NULL,
  expires   INTEGER,
  revoked   INTEGER
) WITHOUT ROWID;
`;
