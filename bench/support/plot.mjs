// @ts-check
/** A plot of cost against size as SVG: both axes logarithmic, one line a series, names at the ends of the lines. */

/** @typedef {{ label: string, points: readonly (readonly [number, number])[], dashed?: boolean }} Series */
/** @typedef {{ title: string, x: string, y: string, series: readonly Series[] }} Plot */
/** @typedef {{ low: number, high: number, from: number, to: number }} Axis Powers of ten, and where they lie. */

const [WIDTH, HEIGHT] = [1080, 720];
const area = { left: 100, right: 700, top: 64, bottom: 648 };
const LINE_HEIGHT = 19;
/** Colours that differ for most eyes, dark enough for white paper. */
const colours = ['#0b5fa5', '#c2410c', '#15803d', '#7e22ce', '#b91c1c', '#0f766e', '#a16207', '#be185d', '#475569'];

/** @param {Plot} plot */
export function drawPlot({ title, x, y, series }) {
  const points = series.flatMap((one) => one.points);
  const across = axisOf(
    points.map(([size]) => size),
    area.left,
    area.right,
  );
  const up = axisOf(
    points.map(([, cost]) => cost),
    area.bottom,
    area.top,
  );
  const parts = [
    ...grid(across, up),
    text({ x: area.left, y: 34, body: title, size: 19, weight: 600 }),
    text({ x: (area.left + area.right) / 2, y: HEIGHT - 22, body: x, anchor: 'middle' }),
    `<g transform="translate(20 ${(area.top + area.bottom) / 2}) rotate(-90)">${text({ x: 0, y: 0, body: y, anchor: 'middle' })}</g>`,
    ...lines(series, across, up),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="Helvetica, Arial, sans-serif">
<title>Cost of a call against the size of the tree</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${parts.join('\n')}
</svg>
`;
}

/** @param {number[]} values @param {number} from @param {number} to @returns {Axis} */
function axisOf(values, from, to) {
  const low = Math.floor(Math.log10(Math.min(...values)) + 1e-9);
  const high = Math.ceil(Math.log10(Math.max(...values)) - 1e-9);
  return { low, high: Math.max(high, low + 1), from, to };
}

/** @param {Axis} axis @param {number} value */
const at = ({ low, high, from, to }, value) => round(from + ((Math.log10(value) - low) / (high - low)) * (to - from));

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** @param {Axis} axis */
const powers = ({ low, high }) => Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step));

/** @param {Axis} across @param {Axis} up */
function grid(across, up) {
  const stroke = 'stroke="#e2e8f0"';
  const upright = powers(across).flatMap((value) => {
    const place = at(across, value);
    return [
      `<line x1="${place}" x2="${place}" y1="${area.top}" y2="${area.bottom}" ${stroke}/>`,
      text({ x: place, y: area.bottom + 22, body: value.toLocaleString('en-US'), anchor: 'middle' }),
    ];
  });
  const level = powers(up).flatMap((value) => {
    const place = at(up, value);
    return [
      `<line x1="${area.left}" x2="${area.right}" y1="${place}" y2="${place}" ${stroke}/>`,
      text({ x: area.left - 10, y: place + 4, body: duration(value), anchor: 'end' }),
    ];
  });
  return [...upright, ...level];
}

/** @param {number} milliseconds */
const duration = (milliseconds) => (milliseconds < 1000 ? `${round(milliseconds)} ms` : `${milliseconds / 1000} s`);

/** @param {readonly Series[]} series @param {Axis} across @param {Axis} up */
function lines(series, across, up) {
  const ends = series.map(({ points }) => at(up, points.at(-1)?.[1] ?? 1));
  const places = spread(ends);
  return series.flatMap(({ label, points, dashed }, index) => {
    const colour = /** @type {string} */ (colours[index % colours.length]);
    const corners = points.map(([size, cost]) => [at(across, size), at(up, cost)]);
    const [endX = 0, endY = 0] = corners.at(-1) ?? [];
    const place = /** @type {number} */ (places[index]);
    const dash = dashed ? ' stroke-dasharray="6 5"' : '';
    return [
      `<polyline points="${corners.map((corner) => corner.join(',')).join(' ')}" fill="none" stroke="${colour}" stroke-width="2"${dash}/>`,
      ...corners.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`),
      `<path d="M${endX + 5} ${endY} L${area.right + 34} ${place}" stroke="${colour}" stroke-width="0.8" fill="none"/>`,
      text({ x: area.right + 39, y: place + 4.5, body: label, colour }),
    ];
  });
}

/** Heights for the names of lines: near the ends of their lines, and apart from each other. @param {readonly number[]} ends */
function spread(ends) {
  const order = [...ends.keys()].sort((a, b) => /** @type {number} */ (ends[a]) - /** @type {number} */ (ends[b]));
  const places = new Array(ends.length).fill(0);
  let above = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    above = Math.max(/** @type {number} */ (ends[index]), above + LINE_HEIGHT);
    places[index] = above;
  }
  // What was pushed below the plot pushes the others back up.
  let below = area.bottom;
  for (const index of order.reverse()) {
    below = Math.min(places[index], below - LINE_HEIGHT);
    places[index] = round(below);
  }
  return places;
}

/** @param {{ x: number, y: number, body: string, anchor?: string, size?: number, weight?: number, colour?: string }} text */
function text({ x, y, body, anchor = 'start', size = 13.5, weight = 400, colour = '#1e293b' }) {
  const safe = body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="${size}" font-weight="${weight}" fill="${colour}">${safe}</text>`;
}
