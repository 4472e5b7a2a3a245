/** What listing the documents of a type needs: without it, a rare type is looked for among all nodes. */
export const documents = `
CREATE INDEX documents_by_type ON nodes (type, id) WHERE payload_id IS NOT NULL;
`;
