/** Reads what the program for folders answered, and gives its refusals the words that every provider uses. */
import { z } from 'zod';
import type { Failure } from '../../errors.js';
import {
  ambiguousName,
  circularMove,
  libraryIsNoTarget,
  noFolder,
  notASibling,
} from '../../library/folders/failures.js';
import { folderStatuses } from '../../library/folders/folder.js';
import { programError, unreadable } from './failures.js';
import type { FolderAnswer, Refusal } from './folder-program.js';

const folder = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(folderStatuses),
  parentId: z.string().nullable(),
});

const refusal = z.discriminatedUnion('reason', [
  z.object({
    reason: z.literal('not_found'),
    field: z.enum(['id', 'name', 'parentId', 'relativeTo']),
    value: z.string(),
  }),
  z.object({ reason: z.literal('ambiguous'), name: z.string(), matchingIds: z.array(z.string()) }),
  z.object({ reason: z.enum(['not_a_sibling', 'circular']), id: z.string() }),
  z.object({ reason: z.literal('library'), action: z.enum(['delete', 'move']) }),
]);

const answer: z.ZodType<FolderAnswer> = z.union([
  z.object({ success: z.literal(true), folders: z.array(folder) }),
  z.object({ success: z.literal(true), id: z.string(), name: z.string() }),
  z.object({ success: z.literal(false), refused: refusal }),
  z.object({ success: z.literal(false), error: z.string(), changing: z.boolean() }),
]);

export type Success = Extract<FolderAnswer, { success: true }>;

export function readAnswer(text: string, isChange: boolean): Success {
  if (text === '') throw unreadable('an empty answer', isChange);
  const result = answer.safeParse(parsed(text));
  if (!result.success) throw unreadable('an answer that cannot be read', isChange);
  if (result.data.success) return result.data;
  if ('refused' in result.data) throw refusalFailure(result.data.refused);
  throw programError(result.data.error, result.data.changing);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusalFailure(refused: Refusal): Failure {
  if (refused.reason === 'not_found') return noFolder[refused.field](refused.value);
  if (refused.reason === 'ambiguous') return ambiguousName(refused.name, refused.matchingIds);
  if (refused.reason === 'library') return libraryIsNoTarget(refused.action);
  return refused.reason === 'circular' ? circularMove(refused.id) : notASibling(refused.id);
}
