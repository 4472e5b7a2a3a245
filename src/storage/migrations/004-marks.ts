/** What a sync compares, in one small table: to list it from the documents themselves means to read their pages too. */
export const marks = `
CREATE TABLE document_marks (
  collection TEXT NOT NULL,
  path       TEXT NOT NULL,
  -- Of the document's content.
  hash       TEXT NOT NULL,
  -- What the file system said of a local file when it was last read: size, times and inode.
  stat       TEXT,
  PRIMARY KEY (collection, path)
) WITHOUT ROWID;

-- Without their stats, the next sync reads the files once more.
INSERT INTO document_marks (collection, path, hash) SELECT collection, path, hash FROM reference_documents;

DROP TABLE file_stats;
`;
