/** Long work, shown while it runs: a bar that is written over on a terminal, a plain line now and then elsewhere. */
import { monotonic } from '../clock.js';
import type { CallOptions } from '../workspace.js';
import { safe } from './terminal.js';

type Progress = Parameters<NonNullable<CallOptions['onProgress']>>[0];

const WIDTH = 24;
const BAR_EVERY_MS = 80;
const LINE_EVERY_MS = 5000;
const CLEAR = '\r\u001b[2K';

export function progressLine(enabled: boolean, stream: NodeJS.WriteStream = process.stderr, clock = monotonic) {
  const isTerminal = stream.isTTY === true;
  const everyMs = isTerminal ? BAR_EVERY_MS : LINE_EVERY_MS;
  let begun = clock();
  // A bar is there at once. Who reads lines need not hear of work that is soon done.
  let last = isTerminal ? Number.NEGATIVE_INFINITY : begun;
  let done = 0;
  let drawn = false;
  return {
    show(progress: Progress): void {
      const now = clock();
      // The next piece of work begins here: its rate counts from now on.
      if (!progress.total || progress.done < done) begun = now;
      done = progress.done;
      if (!enabled || now - last < everyMs) return;
      last = now;
      drawn = isTerminal;
      const bar = isTerminal ? `${barOf(progress)} ` : '';
      const text = progress.total ? `${bar}${counts(progress, now - begun)} ` : '';
      const line = `${text}${safe(progress.message ?? '')}`;
      stream.write(isTerminal ? CLEAR + line.slice(0, (stream.columns ?? 80) - 1) : `${line}\n`);
    },
    clear(): void {
      if (drawn) stream.write(CLEAR);
      drawn = false;
    },
  };
}

function barOf({ done, total = 1 }: Progress): string {
  const filled = Math.min(WIDTH, Math.round((WIDTH * done) / total));
  return '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
}

function counts({ done, total }: Progress, elapsedMs: number): string {
  const rate = elapsedMs > 0 ? ` (${Math.round((done * 1000) / elapsedMs)}/s)` : '';
  return `${done}/${total}${rate}`;
}
