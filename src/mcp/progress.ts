/** Progress as the protocol wants it: always growing, and not more often than anyone can read. */
import { monotonic } from '../clock.js';
import type { CallOptions } from '../workspace.js';

type Progress = Parameters<NonNullable<CallOptions['onProgress']>>[0];
export type Step = { progress: number; total?: number; message?: string };

const EVERY_MS = 100;

/** Work in several parts counts each from 0; here the parts add up. */
export function growing(send: (step: Step) => void, now: () => number = monotonic) {
  let before = 0;
  let last = 0;
  let sent = -1;
  let sentAt = Number.NEGATIVE_INFINITY;
  return ({ done, total, message }: Progress): void => {
    if (done < last) before += last;
    last = done;
    const progress = before + done;
    const isDue = now() - sentAt >= EVERY_MS || done === total;
    if (progress <= sent || !isDue) return;
    sent = progress;
    sentAt = now();
    send({ progress, ...(total !== undefined && { total: before + total }), ...(message && { message }) });
  };
}
