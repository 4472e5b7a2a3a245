// @ts-check
/** Bars side by side as SVG, in groups, with their values. */

/** @typedef {{ title: string, groups: readonly { name: string, bars: readonly { label: string, value: number }[] }[] }} Bars */

const [WIDTH, BAR, GAP, LEFT, TOP] = [860, 26, 34, 170, 64];
const colours = ['#0b5fa5', '#7e22ce', '#15803d', '#94a3b8', '#94a3b8', '#94a3b8'];

/** @param {Bars} bars */
export function drawBars({ title, groups }) {
  const highest = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
  const scale = (WIDTH - LEFT - 80) / highest;
  let at = TOP;
  const parts = [`<text x="20" y="34" font-size="17" font-weight="600">${title}</text>`];
  for (const { name, bars } of groups) {
    parts.push(`<text x="20" y="${at}" font-size="15" font-weight="600">${name}</text>`);
    at += 12;
    for (const [index, { label, value }] of bars.entries()) {
      const [middle, width] = [at + BAR / 2 + 3, (value * scale).toFixed(1)];
      parts.push(
        `<text x="${LEFT - 10}" y="${middle}" font-size="13" text-anchor="end">${label}</text>`,
        `<rect x="${LEFT}" y="${at}" width="${width}" height="${BAR - 8}" fill="${colours[index % colours.length]}"/>`,
        `<text x="${LEFT + Number(width) + 8}" y="${middle}" font-size="13">${value.toFixed(3)}</text>`,
      );
      at += BAR;
    }
    at += GAP;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${at}" font-family="Helvetica, Arial, sans-serif">
<title>${title}</title>
<rect width="${WIDTH}" height="${at}" fill="#fff"/>
${parts.join('\n')}
</svg>
`;
}
