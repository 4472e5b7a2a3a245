/** Vectors of texts, and the packed form of them that is searched. */
export const vectors = `
CREATE TABLE embedders (
  id            INTEGER PRIMARY KEY,
  name          TEXT    NOT NULL UNIQUE,
  -- 0 until the first vector is there.
  dimensions    INTEGER NOT NULL DEFAULT 0,
  -- Up to which change of the documents vectors of texts that are gone were removed.
  swept         INTEGER NOT NULL DEFAULT -1,
  -- Which process embeds now, and until when that claim holds.
  claimed_by    TEXT,
  claimed_until INTEGER
);

-- The same text has one vector, however many chunks have it. 16-bit integers after a 32-bit float, their scale.
CREATE TABLE text_vectors (
  id        INTEGER PRIMARY KEY,
  embedder  INTEGER NOT NULL REFERENCES embedders (id),
  text_hash TEXT    NOT NULL,
  vector    BLOB    NOT NULL,
  UNIQUE (embedder, text_hash)
);

-- What is scanned: many vectors in one row, so that they load quickly. A block is never changed, and its id never used
-- again: who has loaded one may keep it.
CREATE TABLE vector_blocks (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  embedder INTEGER NOT NULL REFERENCES embedders (id),
  count    INTEGER NOT NULL,
  -- 32-bit integers: of text_vectors.
  ids      BLOB    NOT NULL,
  -- 32-bit floats.
  scales   BLOB    NOT NULL,
  -- 8-bit integers, padded to a multiple of sixteen for each vector.
  vectors  BLOB    NOT NULL
);
CREATE INDEX blocks_by_embedder ON vector_blocks (embedder, count);

-- One row that counts changes, so that what was computed can be kept while nothing has changed.
CREATE TABLE index_changes (documents INTEGER NOT NULL, vectors INTEGER NOT NULL);
INSERT INTO index_changes (documents, vectors) VALUES (0, 0);
CREATE TRIGGER document_added AFTER INSERT ON reference_documents
  BEGIN UPDATE index_changes SET documents = documents + 1; END;
CREATE TRIGGER document_changed AFTER UPDATE ON reference_documents
  BEGIN UPDATE index_changes SET documents = documents + 1; END;
CREATE TRIGGER document_removed AFTER DELETE ON reference_documents
  BEGIN UPDATE index_changes SET documents = documents + 1; END;
`;
