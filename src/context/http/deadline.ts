/** How long one fetch may take, with all its tries. */
import { monotonic } from '../../clock.js';

/** A transfer that is at least this fast may go on after its time: large files are not slow ones. */
const bytesPerSecond = 64 * 1024;

export interface Deadline {
  /** Aborts when the time is up, or when one of the given signals does. */
  readonly signal: AbortSignal;
  readonly passed: boolean;
  /** Milliseconds until the time is up. */
  left(): number;
  /** Counts bytes that have arrived. */
  arrived(bytes: number): void;
  end(): void;
}

export function startDeadline(timeoutMs: number, signals: readonly AbortSignal[]): Deadline {
  const controller = new AbortController();
  const started = monotonic();
  let received = 0;
  let passed = false;
  let timer: NodeJS.Timeout;

  const allowed = () => timeoutMs + (received / bytesPerSecond) * 1000;
  const left = () => started + allowed() - monotonic();
  const check = () => {
    const rest = left();
    // A timer may fire a moment early.
    if (rest > 1) {
      timer = setTimeout(check, rest);
      return;
    }
    passed = true;
    controller.abort(new Error('The time is up'));
  };
  timer = setTimeout(check, timeoutMs);

  return {
    signal: AbortSignal.any([controller.signal, ...signals]),
    get passed() {
      return passed;
    },
    left,
    arrived: (bytes) => {
      received += bytes;
    },
    end: () => clearTimeout(timer),
  };
}
