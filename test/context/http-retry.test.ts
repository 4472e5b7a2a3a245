import { describe, expect, test, vi } from 'vitest';
import { startDeadline } from '../../src/context/http/deadline.js';
import { retryAfterMs, retryDelay } from '../../src/context/http/retry.js';
import { openSlots } from '../../src/context/http/slots.js';

const now = Date.parse('2026-01-14T12:00:00Z');

describe('what is tried again', () => {
  test.each([429, 500, 502, 503, 504])('C310 status %i', (status) => {
    expect(retryDelay({ status }, 1, now, 0.5)).toBeGreaterThan(0);
  });

  test.each([400, 401, 403, 404, 410, 418, 501])('C310 not status %i', (status) => {
    expect(retryDelay({ status }, 1, now, 0.5)).toBeUndefined();
  });

  test.each(['ECONNRESET', 'ECONNREFUSED', 'UND_ERR_SOCKET', 'UND_ERR_BODY_TIMEOUT', 'EAI_AGAIN'])(
    'C310 %s',
    (code) => {
      expect(retryDelay({ code }, 1, now, 0.5)).toBeGreaterThan(0);
    },
  );

  test.each(['ENOTFOUND', 'CERT_HAS_EXPIRED', 'Z_DATA_ERROR', ''])("C310 not '%s'", (code) => {
    expect(retryDelay({ code }, 1, now, 0.5)).toBeUndefined();
  });

  test('C310 never after the third try', () => {
    expect(retryDelay({ status: 503 }, 2, now, 0.5)).toBeDefined();
    expect(retryDelay({ status: 503 }, 3, now, 0.5)).toBeUndefined();
  });
});

describe('how long it waits', () => {
  test('C311 twice as long each time, with jitter', () => {
    const delays = (random: number) => [1, 2].map((tries) => retryDelay({ status: 503 }, tries, now, random));
    expect(delays(0)).toEqual([125, 250]);
    expect(delays(1)).toEqual([250, 500]);
  });

  test('C311 as long as Retry-After asks, in seconds or until a date', () => {
    const delayFor = (retryAfter: string) => retryDelay({ status: 429, retryAfter }, 1, now, 0);
    expect(delayFor('7')).toBe(7000);
    expect(delayFor('Wed, 14 Jan 2026 12:00:09 GMT')).toBe(9000);
    expect(delayFor('0')).toBe(0);
  });

  test('C311 never longer than half a minute', () => {
    const delayFor = (retryAfter: string) => retryDelay({ status: 503, retryAfter }, 1, now, 0);
    expect(delayFor('86400')).toBe(30_000);
    expect(delayFor('Wed, 14 Jan 2027 12:00:00 GMT')).toBe(30_000);
    expect(delayFor('9'.repeat(400))).toBe(30_000);
  });

  test.each(['soon', '-5', '1.5', '', 'NaN'])("C311 an unreadable Retry-After '%s' counts as none", (retryAfter) => {
    expect(retryAfterMs(retryAfter, now)).toBeUndefined();
    expect(retryDelay({ status: 429, retryAfter }, 1, now, 0)).toBe(125);
  });

  test('C311 a date in the past means now', () => {
    expect(retryAfterMs('Wed, 14 Jan 2026 11:00:00 GMT', now)).toBe(0);
  });
});

describe('the time for one fetch', () => {
  test('C312 ends it, also when nothing arrives', () => {
    vi.useFakeTimers();
    try {
      const deadline = startDeadline(1000, []);
      vi.advanceTimersByTime(990);
      expect(deadline.signal.aborted).toBe(false);
      vi.advanceTimersByTime(20);
      expect([deadline.signal.aborted, deadline.passed]).toEqual([true, true]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('C312 is longer for a transfer that goes on well, and not for one that trickles', () => {
    vi.useFakeTimers();
    try {
      const [fast, slow] = [startDeadline(1000, []), startDeadline(1000, [])];
      fast.arrived(10 * 64 * 1024);
      slow.arrived(10);
      vi.advanceTimersByTime(10_000);
      expect([fast.passed, slow.passed]).toEqual([false, true]);
      vi.advanceTimersByTime(1010);
      expect(fast.passed).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  test('C312 is not passed when the caller stops', () => {
    const stop = new AbortController();
    const deadline = startDeadline(60_000, [stop.signal]);
    stop.abort();
    expect([deadline.signal.aborted, deadline.passed]).toEqual([true, false]);
    deadline.end();
  });
});

describe('slots', () => {
  const never = new AbortController().signal;

  test('C313 at most so many at once, in the order of asking', async () => {
    const slots = openSlots(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const work = (id: number) =>
      slots.run(never, () => {
        begun.push(id);
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const all = [1, 2, 3, 4].map(work);
    await Promise.resolve();
    expect(begun).toEqual([1, 2]);
    ends[0]?.();
    await all[0];
    expect(begun).toEqual([1, 2, 3]);
    ends[1]?.();
    await all[1];
    expect(begun).toEqual([1, 2, 3, 4]);
    for (const end of ends) end();
    await Promise.all(all);
  });

  test('C313 a failure frees its slot, and so does a wait that is given up', async () => {
    const slots = openSlots(1);
    await expect(slots.run(never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const stop = new AbortController();
    let end = () => {};
    const first = slots.run(never, () => new Promise<void>((resolve) => (end = resolve)));
    const second = slots.run(stop.signal, async () => 'second');
    stop.abort(new Error('stopped'));
    await expect(second).rejects.toThrow('stopped');
    end();
    await first;
    expect(await slots.run(never, async () => 'third')).toBe('third');
  });
});
