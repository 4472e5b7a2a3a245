/** How processes share the right to write. */
import { expect, test } from 'vitest';
import { givingWay, whenFree } from '../../src/storage/busy.js';
import { type Driver, SQLITE } from '../../src/storage/drivers/connection.js';

/** Writes one after the other: each takes `workMs`, and the next begins `gapMs` later. Answers when it rested. */
async function restsOf(writes: number, workMs: number, gapMs: number): Promise<number[]> {
  let now = 0;
  const rests: number[] = [];
  const rest = async (ms: number) => {
    rests.push(now);
    now += ms;
  };
  const turns = givingWay(rest, () => now);
  for (let write = 0; write < writes; write++) {
    await turns.before();
    now += workMs;
    turns.after();
    now += gapMs;
  }
  return rests;
}

test('G49 who writes without a pause rests now and then', async () => {
  expect(await restsOf(62, 10, 0)).toEqual([300, 606]);
});

test('G49 who leaves gaps that others can find does not rest', async () => {
  expect(await restsOf(100, 10, 6)).toEqual([]);
  expect(await restsOf(1, 1000, 0)).toEqual([]);
});

const busy = Object.assign(new Error('busy'), { code: SQLITE.BUSY });
const driver: Pick<Driver, 'resultCode'> = { resultCode: (error) => (error as typeof busy).code };

/** Fails as often as told, as a file does that another process writes to. */
function busyFor(times: number) {
  let tries = 0;
  return () => {
    if (tries++ < times) throw busy;
    return tries;
  };
}

test('G49 a writer whose process is kept busy makes up for the tries it missed', async () => {
  const attempt = whenFree(driver as Driver, busyFor(3));
  // The timer of the second try is due long before this ends.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  expect(await attempt).toBe(4);
  clearInterval(count);
  expect(turns, 'all three in one turn of the event loop').toBeLessThan(2);
});

test('G49 other errors are not waited for', async () => {
  const broken = () => {
    throw Object.assign(new Error('broken'), { code: SQLITE.CORRUPT });
  };
  await expect(whenFree(driver as Driver, broken)).rejects.toThrow('broken');
});
