import { expect, test } from 'vitest';
import { growing, type Step } from '../../src/mcp/progress.js';

test('M30 progress always grows, also where work has several parts', () => {
  const sent: Step[] = [];
  let now = 0;
  const report = growing(
    (step) => sent.push(step),
    () => (now += 200),
  );
  const parts = [0, 0, 1, 2, 2, 0, 1, 3, 0, 0];
  for (const done of parts) report({ done, total: 3, message: `part ${done}` });
  expect(sent.map(({ progress }) => progress)).toEqual([0, 1, 2, 3, 5]);
  expect(sent.at(-1)).toEqual({ progress: 5, total: 5, message: 'part 3' });
});

test('M30 progress that comes faster than anyone reads is thinned out, but the end is told', () => {
  const sent: Step[] = [];
  let now = 0;
  const report = growing(
    (step) => sent.push(step),
    () => now,
  );
  for (let done = 0; done <= 1000; done++, now++) report({ done, total: 1000 });
  expect(sent.length).toBeLessThan(20);
  expect(sent.at(-1)).toEqual({ progress: 1000, total: 1000 });
});
