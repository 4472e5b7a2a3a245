/** Running a JSON Patch on a copy of a document, operation by operation. */
import { type Failure, invalidArgument } from '../../errors.js';
import { isRecord } from '../tree/payload.js';
import { faulty, testFailed } from './faults.js';
import { type PatchOperation, pointerKeys } from './patch.js';

/** What stands at a pointer: nothing, or the value, and what it stands in. */
type Found = { exists: boolean; value: unknown; parent: unknown; key: string };

/** `copyBytes`: how much `copy` may add in all, since a few of them could double a document over and over. */
export async function applyPatch(
  document: unknown,
  patch: readonly PatchOperation[],
  copyBytes: number,
): Promise<unknown> {
  const { default: library } = await import('fast-json-patch');
  let current = structuredClone(document);
  let room = copyBytes;
  for (const { number, ...operation } of structuredClone(patch)) {
    const source = check(current, { number, ...operation });
    if (operation.op === 'copy') room -= JSON.stringify(source?.value)?.length ?? 0;
    if (room < 0) throw tooMuchCopied(number, copyBytes);
    const tested = attempt(() => library.applyOperation(current, operation as never, true, true, true));
    if (tested instanceof Error) throw refusal({ number, ...operation }, tested);
    current = tested.newDocument;
  }
  return current;
}

function attempt<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (thrown) {
    return thrown as Error;
  }
}

/** What the library is lenient about: inherited keys, numbers with leading zeros, a move into itself. */
function check(document: unknown, operation: PatchOperation): Found | undefined {
  const { op, path, from } = operation;
  const source = from === undefined ? undefined : locate(document, from);
  if (source && !source.exists) throw fault(operation, `nothing is at '${from}'`);
  if (op === 'move' && path.startsWith(`${from}/`)) throw fault(operation, 'a value cannot be moved into itself');
  const target = locate(document, path);
  if (op !== 'add' && op !== 'move' && op !== 'copy' && !target.exists) throw fault(operation, 'nothing is there');
  if (path !== '' && !isRecord(target.parent) && !Array.isArray(target.parent)) {
    throw fault(operation, 'nothing is there that could hold it');
  }
  if (Array.isArray(target.parent) && !isPlace(target))
    throw fault(operation, `'${target.key}' is no place in the array`);
  return source;
}

/** An entry of an array, or the place behind its last. */
const isPlace = ({ key }: Found) => key === '-' || /^(0|[1-9]\d*)$/.test(key);

function locate(document: unknown, pointer: string): Found {
  const found: Found = { exists: true, value: document, parent: undefined, key: '' };
  for (const key of pointerKeys(pointer)) {
    found.parent = found.exists ? found.value : undefined;
    found.key = key;
    found.exists = has(found.parent, key);
    found.value = found.exists ? (found.parent as Record<string, unknown>)[key] : undefined;
  }
  return found;
}

function has(parent: unknown, key: string): boolean {
  if (Array.isArray(parent)) return /^(0|[1-9]\d*)$/.test(key) && Number(key) < parent.length;
  return isRecord(parent) && Object.hasOwn(parent, key);
}

const fault = ({ number, path }: PatchOperation, message: string): Failure =>
  faulty([{ operation: number, path, message }]);

function refusal(operation: PatchOperation, { name, message }: Error): Failure {
  const { number, path } = operation;
  if (name !== 'TEST_OPERATION_FAILED') return fault(operation, message.split('\n')[0] as string);
  return testFailed(number, path);
}

const tooMuchCopied = (number: number, most: number): Failure =>
  invalidArgument`Operation ${number}: the patch copies more than ${most} bytes`.advise(
    'Copy less, or make several calls.',
  );
