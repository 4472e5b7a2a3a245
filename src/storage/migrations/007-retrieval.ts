/** What front matter says of a document, and the documents that were cut into chunks by older rules. */
export const retrieval = `
ALTER TABLE reference_documents ADD COLUMN description TEXT;
-- A JSON list.
ALTER TABLE reference_documents ADD COLUMN tags TEXT;

-- Filled by every step that comes with new rules. A sync cuts these anew, from what is stored.
CREATE TABLE outdated_documents (
  document_id INTEGER PRIMARY KEY REFERENCES reference_documents (id) ON DELETE CASCADE
);
INSERT INTO outdated_documents (document_id) SELECT id FROM reference_documents;
`;
