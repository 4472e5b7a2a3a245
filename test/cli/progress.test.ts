/** The line that shows long work. A stream that says it is a terminal stands for one: tests have none. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { progressLine } from '../../src/cli/progress.js';

function written(isTTY: boolean, enabled = true): string {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const line = progressLine(enabled, stream as unknown as NodeJS.WriteStream);
  line.show({ done: 5, total: 10, message: 'docs: add: a\u001b[2J.md' });
  line.clear();
  return (stream.read() ?? '').toString();
}

test('C519 on a terminal, long work shows a bar with counts, rate and what is being done, and clears it', () => {
  const text = written(true);
  expect(text).toMatch(/█{12}░{12} 5\/10 \(\d+\/s\) docs: add: a\\u001b\[2J\.md/);
  expect(text.endsWith('\r\u001b[2K')).toBe(true);
});

test('C519 elsewhere, and with --json, nothing is shown', () => {
  expect(written(false)).toBe('');
  expect(written(true, false)).toBe('');
});
