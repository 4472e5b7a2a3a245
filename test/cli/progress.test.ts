/** The line that shows long work. A stream that says it is a terminal stands for one: tests have none. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { progressLine } from '../../src/cli/progress.js';

/** What stands on the stream after so many documents, one of them each second. */
function written(isTTY: boolean, { enabled = true, seconds = 5, columns = 80 } = {}): string {
  const stream = Object.assign(new PassThrough(), { isTTY, columns });
  let now = 0;
  const line = progressLine(enabled, stream as unknown as NodeJS.WriteStream, () => now);
  line.show({ done: 0, message: 'docs: Listing files' });
  for (let done = 1; done <= seconds; done++) {
    now = done * 1000;
    line.show({ done, total: 10, message: 'docs: add: a\u001b[2J.md' });
  }
  line.clear();
  return (stream.read() ?? '').toString();
}

test('C519 on a terminal, long work shows a bar with counts, rate and what is being done, and clears it', () => {
  const text = written(true);
  expect(text.startsWith('\r\u001b[2Kdocs: Listing files\r\u001b[2K')).toBe(true);
  expect(text).toContain(`${'█'.repeat(12)}${'░'.repeat(12)} 5/10 (1/s) docs: add: a\\u001b[2J.md`);
  expect(text.endsWith('\r\u001b[2K')).toBe(true);
});

test('C519 a bar is never wider than the terminal', () => {
  for (const line of written(true, { columns: 30 }).split('\r\u001b[2K')) expect(line.length).toBeLessThan(30);
});

test('C519 elsewhere a plain line stands every five seconds, and none for short work', () => {
  expect(written(false, { seconds: 10 })).toBe(
    '5/10 (1/s) docs: add: a\\u001b[2J.md\n10/10 (1/s) docs: add: a\\u001b[2J.md\n',
  );
  expect(written(false, { seconds: 4 })).toBe('');
});

test('C519 with --json nothing is shown', () => {
  expect(written(true, { enabled: false })).toBe('');
  expect(written(false, { enabled: false, seconds: 10 })).toBe('');
});
