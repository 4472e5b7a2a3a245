// @ts-check
/** Results by size as Markdown: times with their growth, and searches against a plain scan of the same size. */

/** @typedef {{ size: number, times: ReadonlyMap<string, number> }} Result Medians in milliseconds, by label. */

/** Times by size, and how much larger the last is than the first. @param {readonly Result[]} results */
export function growthTable(results) {
  const head = ['median, ms', ...results.map(({ size }) => thousands(size)), 'growth'];
  const labels = [...(results[0]?.times.keys() ?? [])];
  const lines = labels.map((label) => {
    const times = timesOf(results, label);
    return [label, ...times.map(digits), `**${digits(Number(times.at(-1)) / Number(times[0]))}**`];
  });
  return markdown([head, ...lines]);
}

/**
 * Ratios to a baseline, of the same size and the same rounds.
 * @param {readonly Result[]} results
 * @param {readonly (readonly [label: string, baseline: string])[]} pairs
 */
export function ratioTable(results, pairs) {
  const head = ['ratio', ...results.map(({ size }) => thousands(size))];
  const lines = pairs.map(([label, baseline]) => {
    const below = timesOf(results, baseline);
    return [`${label} ÷ ${baseline}`, ...timesOf(results, label).map((time, at) => digits(time / Number(below[at])))];
  });
  return markdown([head, ...lines]);
}

/** @param {readonly Result[]} results @param {string} label */
const timesOf = (results, label) => results.map(({ times }) => times.get(label) ?? Number.NaN);

/** @param {number} value */
const thousands = (value) => value.toLocaleString('en-US');

/** @param {number} value */
const digits = (value) =>
  value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : thousands(Math.round(value));

/**
 * A table. Its first columns are texts, the others numbers.
 * @param {readonly (readonly string[])[]} lines
 * @param {number} [texts]
 */
export function markdown([head = [], ...lines], texts = 1) {
  const rule = head.map((_, column) => (column < texts ? '---' : '---:'));
  return [head, rule, ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n');
}
