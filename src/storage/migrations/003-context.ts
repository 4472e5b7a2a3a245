/** Collections of documents from elsewhere, their chunks, and the keyword index. */
export const context = `
CREATE TABLE collections (
  id            TEXT PRIMARY KEY,
  type          TEXT NOT NULL,
  path          TEXT,
  glob          TEXT,
  url           TEXT,
  manifest_hash TEXT,
  last_sync_at  TEXT,
  created_at    TEXT NOT NULL,
  updated_at    TEXT NOT NULL,
  -- Of the manifest, for people.
  name          TEXT,
  version       TEXT,
  bundle_hash   TEXT,
  etag          TEXT,
  last_modified TEXT,
  -- Whether the last sync got every document, and what went wrong if not.
  complete      INTEGER NOT NULL DEFAULT 0,
  last_error    TEXT,
  -- Which process syncs it now, and until when that claim holds.
  claimed_by    TEXT,
  claimed_until INTEGER
) WITHOUT ROWID;

CREATE TABLE reference_documents (
  id         INTEGER PRIMARY KEY,
  collection TEXT    NOT NULL REFERENCES collections (id),
  path       TEXT    NOT NULL,
  hash       TEXT    NOT NULL,
  title      TEXT,
  bytes      INTEGER NOT NULL,
  content    TEXT    NOT NULL,
  indexed_at TEXT    NOT NULL,
  UNIQUE (collection, path)
);

-- What the file system said of a local file when it was last read.
CREATE TABLE file_stats (
  collection TEXT    NOT NULL,
  path       TEXT    NOT NULL,
  size       INTEGER NOT NULL,
  mtime_ms   REAL    NOT NULL,
  ctime_ms   REAL    NOT NULL,
  inode      INTEGER NOT NULL,
  PRIMARY KEY (collection, path)
) WITHOUT ROWID;

-- The text of a chunk is a range of its document's content. The same text has the same hash everywhere.
CREATE TABLE reference_document_chunks (
  id          INTEGER PRIMARY KEY,
  document_id INTEGER NOT NULL REFERENCES reference_documents (id) ON DELETE CASCADE,
  position    INTEGER NOT NULL,
  headings    TEXT    NOT NULL,
  start_line  INTEGER NOT NULL,
  end_line    INTEGER NOT NULL,
  start_byte  INTEGER NOT NULL,
  end_byte    INTEGER NOT NULL,
  text_hash   TEXT    NOT NULL
);
CREATE UNIQUE INDEX chunks_by_document ON reference_document_chunks (document_id, position);
CREATE INDEX chunks_by_text ON reference_document_chunks (text_hash);

-- Keeps no text of its own: a row's number is the chunk's id.
CREATE VIRTUAL TABLE chunk_words USING fts5 (
  title, headings, body, content = '', contentless_delete = 1, tokenize = "porter unicode61 remove_diacritics 2"
);
`;
