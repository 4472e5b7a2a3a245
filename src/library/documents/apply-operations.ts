/** Running operations: in order, each on what the one before it left. The document itself stays as it is. */
import { Failure } from '../../errors.js';
import { equalJson, type Path, valueAt, withValueAt } from '../tree/payload.js';
import type { Data } from './document.js';
import { faulty, kindOf, testFailed } from './faults.js';
import type { Operation } from './operations.js';

/** The document after all operations, and the paths of the arrays that they changed. */
export type Operated = { data: Data; arrays: Path[] };

export function applyOperations(data: Data, operations: readonly Operation[]): Operated {
  const arrays: Path[] = [];
  let current = data;
  for (const operation of operations) {
    current = applyOperation(current, operation);
    if (operation.action !== 'test') arrays.push(operation.path);
  }
  return { data: current, arrays };
}

function applyOperation(data: Data, operation: Operation): Data {
  const { path, action, index, value } = operation;
  const found = valueAt(data, path);
  if (action === 'test') return tested(data, found, operation);
  const array = found === undefined ? missingArray(operation) : found;
  if (!Array.isArray(array)) throw fault(operation, `not an array: it is ${kindOf(array)}`);
  const at = index ?? array.length;
  checkBounds(operation, at, array.length);
  return put(
    data,
    operation,
    {
      insert: () => array.toSpliced(at, 0, value),
      replace: () => array.with(at, value),
      delete: () => array.toSpliced(at, 1),
    }[action](),
  );
}

/** Only an insert at the end makes an array where there is none. */
function missingArray(operation: Operation): unknown[] {
  const { action, index = 0 } = operation;
  if (action === 'insert' && index === 0) return [];
  throw fault(operation, `nothing is there to ${action === 'insert' ? `insert at ${index}` : action}`);
}

function checkBounds(operation: Operation, at: number, length: number): void {
  const last = operation.action === 'insert' ? length : length - 1;
  if (at <= last) return;
  const entries = length === 1 ? '1 entry' : `${length} entries`;
  throw fault(operation, `index ${at} is out of bounds: the array has ${entries}`);
}

function put(data: Data, operation: Operation, array: unknown[]): Data {
  try {
    return withValueAt(data, operation.path, array, 'path');
  } catch (thrown) {
    if (thrown instanceof Failure) throw fault(operation, thrown.message.replace(/^path: /, ''));
    throw thrown;
  }
}

function tested(data: Data, found: unknown, operation: Operation): Data {
  const { number, text, index, value } = operation;
  const place = index === undefined ? text : `${text}.${index}`;
  const actual = index === undefined ? found : valueAt(found, [String(index)]);
  if (actual !== undefined && equalJson(actual, value)) return data;
  throw testFailed(number, place);
}

const fault = ({ number, text }: Operation, message: string): Failure =>
  faulty([{ operation: number, path: text, message }]);
