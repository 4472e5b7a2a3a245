// @ts-check
// Records the quickstart as docs/quickstart.svg: what a terminal shows, line by line. Build first.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const WIDTH = 96;
const LINE = 19;
const MARGIN = 20;
const TOP = 52;

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Lines that fit, each with the indent of the one that it goes on from.
 * @param {string} line
 */
function wrapped(line) {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines = [''];
  for (const word of line.slice(indent.length).split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && indent.length + last.length + word.length + 1 > WIDTH) lines.push(`  ${word}`);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((part) => indent + part);
}

/** @param {string} line */
function styleOf(line) {
  if (/^\d+\. /.test(line)) return 'step';
  if (line.startsWith('  $ ')) return 'command';
  if (/refused|he is told/.test(line)) return 'refused';
  if (/intact|same bytes|Nobody lost/.test(line)) return 'good';
  return 'plain';
}

function record() {
  const env = { ...process.env, NO_COLOR: '1' };
  const text = execFileSync(process.execPath, [path.join(root, 'dist/cli/main.cjs'), 'quickstart'], {
    env,
    encoding: 'utf8',
  });
  return text.trim().split('\n');
}

/** @param {readonly string[]} lines */
function picture(lines) {
  const rows = [
    { text: '$ npm start', style: 'command' },
    { text: '', style: 'plain' },
  ].concat(lines.flatMap((line) => wrapped(line).map((text) => ({ text, style: styleOf(line) }))));
  const height = TOP + rows.length * LINE + MARGIN;
  const width = Math.round(MARGIN * 2 + WIDTH * 8.45);
  let at = 0.3;
  const texts = rows.map(({ text, style }, index) => {
    at += style === 'step' ? 0.9 : 0.12;
    if (text === '') return '';
    const place = `x="${MARGIN}" y="${TOP + index * LINE}"`;
    return `<text class="${style}" ${place} style="animation-delay:${at.toFixed(2)}s" xml:space="preserve">${escaped(text)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="What npm start prints">
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d7dae0; animation: show 0.2s both; }
.step { font-weight: bold; fill: #ffffff; } .command { fill: #7f8694; } .refused { fill: #f0a45d; } .good { fill: #84c98b; }
@keyframes show { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { text { animation: none; } }
</style>
<rect width="100%" height="100%" rx="8" fill="#1d2027"/>
<circle cx="22" cy="20" r="6" fill="#e0685f"/><circle cx="42" cy="20" r="6" fill="#e4b455"/><circle cx="62" cy="20" r="6" fill="#6fbf6a"/>
${texts.filter((text) => text !== '').join('\n')}
</svg>
`;
}

writeFileSync(path.join(root, 'docs', 'quickstart.svg'), picture(record()));
