/** The tree with its history, the audit log, idempotency keys, and settings of the database itself. */
export const ground = `
CREATE TABLE settings (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE revisions (
  revision INTEGER PRIMARY KEY,
  at       INTEGER NOT NULL,
  agent    TEXT    NOT NULL,
  tool     TEXT    NOT NULL
);

CREATE TABLE payloads (
  id      TEXT    PRIMARY KEY,
  data    TEXT    NOT NULL,
  since   INTEGER NOT NULL,
  changed INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE payload_history (
  id    TEXT    NOT NULL,
  data  TEXT    NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (id, since)
) WITHOUT ROWID;

-- since: the revision in which this version of the row began to hold.
-- changed: the revision in which the node last changed in a way that a writer must have seen.
-- children_changed: the same for the list of its children.
CREATE TABLE nodes (
  id               TEXT    PRIMARY KEY,
  parent_id        TEXT    REFERENCES nodes (id) DEFERRABLE INITIALLY DEFERRED,
  rank             TEXT    NOT NULL,
  type             TEXT    NOT NULL,
  name             TEXT,
  status           TEXT,
  payload_id       TEXT    REFERENCES payloads (id) DEFERRABLE INITIALLY DEFERRED,
  since            INTEGER NOT NULL,
  changed          INTEGER NOT NULL,
  children_changed INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX nodes_by_parent  ON nodes (parent_id, rank, id);
-- Listings of folders are answered from this index alone.
CREATE INDEX folders_by_parent ON nodes (parent_id, rank, id, name, status) WHERE type = 'folder';
CREATE INDEX nodes_by_name    ON nodes (name) WHERE name IS NOT NULL;
CREATE INDEX nodes_by_payload ON nodes (payload_id) WHERE payload_id IS NOT NULL;
CREATE INDEX nodes_by_change  ON nodes (max(changed, children_changed));

CREATE TABLE node_history (
  id         TEXT    NOT NULL,
  parent_id  TEXT,
  rank       TEXT    NOT NULL,
  type       TEXT    NOT NULL,
  name       TEXT,
  status     TEXT,
  payload_id TEXT,
  since      INTEGER NOT NULL,
  until      INTEGER NOT NULL,
  PRIMARY KEY (id, since)
) WITHOUT ROWID;
CREATE INDEX node_history_by_parent ON node_history (parent_id, until);
CREATE INDEX node_history_by_payload ON node_history (payload_id) WHERE payload_id IS NOT NULL;
CREATE INDEX node_history_by_until  ON node_history (until);
CREATE INDEX payload_history_by_until ON payload_history (until);

CREATE TABLE audit (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  at         INTEGER NOT NULL,
  agent      TEXT    NOT NULL,
  role       TEXT    NOT NULL,
  door       TEXT    NOT NULL,
  tool       TEXT    NOT NULL,
  effect     TEXT    NOT NULL,
  outcome    TEXT    NOT NULL,
  error_type TEXT,
  error      TEXT,
  targets    TEXT    NOT NULL,
  input_hash TEXT    NOT NULL,
  revision   INTEGER,
  previous   TEXT    NOT NULL,
  hash       TEXT    NOT NULL
);
CREATE TRIGGER audit_keeps_rows    BEFORE DELETE ON audit BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_keeps_content BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'the audit log is append-only'); END;

CREATE TABLE idempotency_keys (
  agent      TEXT    NOT NULL,
  tool       TEXT    NOT NULL,
  key        TEXT    NOT NULL,
  input_hash TEXT    NOT NULL,
  result     TEXT,
  expires    INTEGER NOT NULL,
  PRIMARY KEY (agent, tool, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_expiry ON idempotency_keys (expires);

INSERT INTO nodes (id, parent_id, rank, type, name, status, payload_id, since, changed, children_changed)
VALUES ('library', NULL, 'a0', 'library', NULL, NULL, NULL, 0, 0, 0);
`;
