/**
 * A deadline for work that others' schemas and patterns decide the length of. A regular expression or a schema
 * can take years on a short text; JavaScript cannot stop it from outside, but a virtual machine's timeout can.
 */
import vm from 'node:vm';

const DEADLINE_MS = 1000;

/** The work was stopped at its deadline. */
export class Overtime extends Error {}

const room: { work?: () => void } = vm.createContext({});
const script = new vm.Script('work()');
let running = false;

/** Runs synchronous work, and throws `Overtime` when it is not done in time. Inside another run, that one's deadline holds. */
export function withinTime<T>(work: () => T, milliseconds = DEADLINE_MS): T {
  if (running) return work();
  let result: { value: T } | undefined;
  room.work = () => {
    result = { value: work() };
  };
  running = true;
  try {
    script.runInContext(room as vm.Context, { timeout: milliseconds });
  } catch (thrown) {
    throw isTimeout(thrown) ? new Overtime(`not done within ${milliseconds} ms`) : thrown;
  } finally {
    running = false;
    delete room.work;
  }
  return (result as { value: T }).value;
}

const isTimeout = (thrown: unknown) => (thrown as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
