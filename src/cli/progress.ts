/** Long work, shown while it runs: one line that is written over on a terminal, and nothing elsewhere. */
import type { CallOptions } from '../workspace.js';
import { safe } from './terminal.js';

type Progress = Parameters<NonNullable<CallOptions['onProgress']>>[0];

const WIDTH = 24;
const EVERY_MS = 80;

export function progressLine(enabled: boolean, stream: NodeJS.WriteStream = process.stderr) {
  const live = enabled && stream.isTTY;
  let begun = performance.now();
  let last = 0;
  let done = 0;
  return {
    show(progress: Progress): void {
      const now = performance.now();
      // The next piece of work has begun: its rate counts from here.
      if (progress.done < done) begun = now;
      done = progress.done;
      if (!live || now - last < EVERY_MS) return;
      last = now;
      stream.write(`\r\u001b[2K${line(progress, now - begun).slice(0, (stream.columns ?? 80) - 1)}`);
    },
    clear(): void {
      if (live && last > 0) stream.write('\r\u001b[2K');
    },
  };
}

function line({ done, total, message = '' }: Progress, elapsedMs: number): string {
  if (!total) return safe(message);
  const filled = Math.round((WIDTH * done) / total);
  const rate = Math.round((done * 1000) / Math.max(1, elapsedMs));
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done}/${total} (${rate}/s) ${safe(message)}`;
}
