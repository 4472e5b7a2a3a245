/** Which state of the documents has all its vectors, so that a search need not count them. */
export const complete = `
-- The count of document changes at which no text was without a vector of this embedder.
ALTER TABLE embedders ADD COLUMN complete INTEGER;
`;
