// @ts-check
/** Results as Markdown: ratios first, with their spread over the rounds, and times beside them. */
import { median, quantile } from './measure.mjs';

/**
 * One row of a comparison.
 * @typedef {object} Row
 * @property {string} label
 * @property {readonly (readonly number[])[]} times Nanoseconds: for each contestant, one number a round.
 */

/**
 * The first contestant against each of the others.
 * @param {string} heading
 * @param {readonly [string, ...string[]]} contestants
 * @param {readonly Row[]} rows
 */
export function ratioTable(heading, contestants, rows) {
  const [first, ...others] = contestants;
  const head = [heading, ...others.map((other) => `${first} ÷ ${other}`), ...contestants];
  return markdown([head, ...rows.map(cells)]);
}

/** @param {Row} row */
function cells({ label, times }) {
  const [first = [], ...others] = times;
  return [label, ...others.map((other) => ratio(first, other)), ...times.map((rounds) => duration(median(rounds)))];
}

/**
 * The median of the ratios of single rounds, and the middle half of them.
 * @param {readonly number[]} times
 * @param {readonly number[]} baseline
 */
function ratio(times, baseline) {
  const single = times.map((time, round) => time / (baseline[round] ?? Number.NaN));
  return `**${fixed(median(single))}** (${fixed(quantile(single, 0.25))}–${fixed(quantile(single, 0.75))})`;
}

/** @param {number} value */
const fixed = (value) => value.toFixed(value < 10 ? 2 : 1);

/** @param {number} nanoseconds */
function duration(nanoseconds) {
  if (nanoseconds < 1e6) return `${fixed(nanoseconds / 1e3)} µs`;
  return nanoseconds < 1e9 ? `${fixed(nanoseconds / 1e6)} ms` : `${fixed(nanoseconds / 1e9)} s`;
}

/** @param {readonly (readonly string[])[]} lines */
function markdown([head = [], ...lines]) {
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, rule, ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n');
}
