/** The arguments and answers that the document tools share. */
import { z } from 'zod';
import { invalidArgument } from '../../errors.js';
import type { Data } from '../../library/documents/document.js';
import { parsePath, valueAt } from '../../library/tree/payload.js';

export const data = z.record(z.string(), z.unknown());

export const documentType = z.string().describe('Type of the document: one that list_document_types shows.');

export const documentId = z.string().describe('Id of the document.');

export const optionalType = documentType
  .optional()
  .describe('Type of the document. Where it is given, the document must be of this type.');

export const version = z.string().optional().describe('The version that was read, or that holds after the change.');

export const folderId = z.string().nullable().describe('The folder it stands in; null at the top.');

export const paths = z
  .array(z.string())
  .min(1)
  .max(100)
  .optional()
  .describe(
    'Answer only the values at these paths, such as system.bonds or system.items.2.tags: data then has them by path.',
  );

export const changedDocument = {
  documentType: z.string(),
  documentId: z.string(),
  name: z.string().optional(),
  version,
};

/** The values at some paths, by the paths as they were written. Where nothing stands, the path is left out. */
export function picked(whole: Data, paths: readonly string[] | undefined): Data {
  if (paths === undefined) return whole;
  const values = paths.map((text, index) => [text, valueAt(whole, parsePath(text, `paths.${index}`))] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Bad paths are refused before anything is fetched. */
export function checkPaths(paths: readonly string[] = []): void {
  for (const [index, text] of paths.entries()) parsePath(text, `paths.${index}`);
}

/** Those of the paths where nothing stands. */
export function missingPaths(whole: Data, paths: readonly string[] = []): string[] {
  return paths.filter((text) => valueAt(whole, parsePath(text, 'paths')) === undefined);
}

export function checkId(id: string): void {
  if (id === '') throw invalidArgument`documentId: must not be empty`;
}
