/** Updating a document: the request is checked first, then the document is fetched once, changed and written. */
import { invalidArgument, plainFailure } from '../../errors.js';
import { isRecord } from '../tree/payload.js';
import { applyOperations } from './apply-operations.js';
import { applyPatch } from './apply-patch.js';
import { differencesOf } from './differences.js';
import type { ChangedDocument, Data, Difference, DocumentPort } from './document.js';
import { layArrays, mergeUpdates } from './merge.js';
import { parseOperations } from './operations.js';
import { parsePatch } from './patch.js';

export type UpdateRequest = {
  documentType: string;
  documentId: string;
  updates?: Data | undefined;
  operations?: readonly unknown[] | undefined;
  patch?: readonly unknown[] | undefined;
};

export type UpdateLimits = { maxDepth: number; maxInputBytes: number };

export type UpdatedDocument = ChangedDocument & { differences: readonly Difference[] };

/** What a request makes of a document. */
type Plan = (data: Data) => Promise<unknown>;

export async function updateDocument(
  port: DocumentPort,
  request: UpdateRequest,
  limits: UpdateLimits,
): Promise<UpdatedDocument> {
  await port.checkType(request.documentType);
  const plan = planOf(request, limits);
  const document = await port.get(request);
  const data = checkResult(await plan(document.data), document.data, limits);
  const differences = differencesOf(document.data, data);
  return { ...(await port.update(document, { data, differences })), differences };
}

/** Everything about a request that can be wrong without the document is refused here. */
function planOf(request: UpdateRequest, { maxInputBytes }: UpdateLimits): Plan {
  const { updates = {}, operations, patch } = request;
  if (patch !== undefined) {
    if (request.updates !== undefined || operations !== undefined) throw twoWays();
    const parsed = parsePatch(patch);
    return (data) => applyPatch(data, parsed, maxInputBytes);
  }
  const parsed = parseOperations(operations ?? []);
  if (parsed.length === 0 && Object.keys(updates).length === 0) throw nothingToDo();
  // Bad paths are found on an empty document as well as on any other.
  checkKeys(updates);
  return async (data) => {
    const operated = applyOperations(data, parsed);
    return layArrays(mergeUpdates(data, updates), updates, operated.data, operated.arrays);
  };
}

const checkKeys = (updates: Data): unknown => mergeUpdates({}, updates);

function checkResult(data: unknown, before: Data, { maxDepth }: UpdateLimits): Data {
  if (!isRecord(data)) throw plainFailure('invalid_argument', 'The document would be no object any more');
  if (isDeeper(data, before, maxDepth)) {
    throw invalidArgument`The document would be nested deeper than ${maxDepth} levels`.advise('Flatten what you add.');
  }
  return data;
}

/** Parts that the document had before are not looked into. The recursion ends where the limit is passed. */
function isDeeper(value: unknown, before: unknown, room: number): boolean {
  if (value === before || typeof value !== 'object' || value === null) return false;
  if (room < 0) return true;
  const old = (typeof before === 'object' && before !== null ? before : {}) as Data;
  if (Array.isArray(value)) return value.some((entry, index) => isDeeper(entry, old[index], room - 1));
  return Object.entries(value).some(([key, inner]) => isDeeper(inner, old[key], room - 1));
}

const twoWays = () =>
  plainFailure('invalid_argument', 'patch: cannot be used together with updates or operations').advise(
    'Put everything into the patch, or leave it out.',
  );

const nothingToDo = () =>
  plainFailure('invalid_argument', 'Nothing to change: pass updates, operations or patch').advise(
    'Name at least one property or one operation.',
  );
