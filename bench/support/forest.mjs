// @ts-check
/** The library that the benchmarks of the tree work on: three folders with a bushy tree, a wide node and a chain. */
import { idSource } from '../../dist/library/tree/id.js';
import { ROOT_ID } from '../../dist/library/tree/node.js';
import { evenRanks } from '../../dist/library/tree/rank.js';
import { connectRaw, durably, readNumber } from './raw.mjs';

/** @typedef {import('./raw.mjs').Driver} Driver */
/** @typedef {import('./raw.mjs').Connection} Connection */

/**
 * How many notes there are: in a tree with ten below each, as children of one folder, and below each other.
 * @typedef {{ bushy: number, wide: number, chain: number }} Shape
 */

/** @typedef {{ id: string, parentId: string, rank: string, childCount: number, folder?: string }} Place Of a folder: its name. */

/**
 * What was planted: `notes` has ids from the bushy tree, evenly spread and parents first, `chain` those of its notes.
 * Few are kept, because the memory that many take would slow down what is measured.
 * @typedef {object} Forest
 * @property {{ bushy: string, wide: string, chain: string }} folders
 * @property {string[]} notes
 * @property {string[]} chain
 * @property {number} nodes
 */

const MOST_KEPT = 10_000;
const FAN_OUT = 10;
const WORDS = 'alder ash beech birch cedar elm fir hazel larch lime maple oak pine plane rowan spruce willow yew'.split(
  ' ',
);

/** @param {number} size @returns {Shape} */
export const shapeOf = (size) => ({ bushy: size, wide: Math.min(size, 100_000), chain: 1000 });

/** The name of the note that was planted so manieth: no other has it. @param {number} index */
export const nameOf = (index) => `Note ${index}`;

/** About 200 bytes, with stars from 0 to 9. @param {number} index */
function noteOf(index) {
  const word = (/** @type {number} */ step) => WORDS[(index * 7 + step * 13) % WORDS.length];
  return {
    name: nameOf(index),
    stars: (index * 7919) % FAN_OUT,
    system: { hp: index % 97, kind: word(1) },
    tags: [word(2), word(3)],
    text: Array.from({ length: 20 }, (_, step) => word(step + (index % 5))).join(' '),
  };
}

/**
 * Fills an empty library in one transaction of the raw driver. Its type of documents, `note`, is there already.
 * @param {Driver} driver
 * @param {string} file
 * @param {Shape} shape
 * @returns {Forest}
 */
export function plantForest(driver, file, shape) {
  const connection = connectRaw(driver, file);
  // Only for building: a benchmark whose machine fails begins anew.
  connection.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -500000');
  const newId = idSource(Date.now);
  const folders = { bushy: newId(), wide: newId(), chain: newId() };
  /** @type {Forest} */
  const forest = { folders, notes: [], chain: [], nodes: 1 + 3 + shape.bushy + shape.wide + shape.chain };
  const every = Math.ceil(shape.bushy / MOST_KEPT);
  let index = 0;
  durably(connection, () => {
    const insert = inserter(connection, newId);
    topFolders(folders, shape).forEach(insert);
    for (const place of bushy(shape.bushy, folders.bushy, newId)) {
      insert(place);
      if (index++ % every === 0) forest.notes.push(place.id);
    }
    for (const rank of evenRanks(shape.wide)) insert({ id: newId(), parentId: folders.wide, rank, childCount: 0 });
    for (const place of chain(shape.chain, folders.chain, newId)) {
      insert(place);
      forest.chain.push(place.id);
    }
  });
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  connection.close();
  return forest;
}

/** @param {Forest['folders']} folders @param {Shape} shape @returns {Place[]} */
function topFolders(folders, shape) {
  const [first = '', second = '', third = ''] = evenRanks(3);
  const top = { parentId: ROOT_ID };
  return [
    { ...top, id: folders.bushy, rank: first, childCount: Math.min(FAN_OUT, shape.bushy), folder: 'Bushy' },
    { ...top, id: folders.wide, rank: second, childCount: shape.wide, folder: 'Wide' },
    { ...top, id: folders.chain, rank: third, childCount: Math.min(1, shape.chain), folder: 'Chain' },
  ];
}

/** @param {number} count @param {string} folder @param {() => string} newId @returns {Generator<Place>} */
function* bushy(count, folder, newId) {
  const ranks = evenRanks(FAN_OUT);
  /** @type {string[]} */
  const parents = [];
  for (let index = 0; index < count; index++) {
    const [id, parentId] = [newId(), parents[Math.floor(index / FAN_OUT) - 1] ?? folder];
    const childCount = Math.min(FAN_OUT, Math.max(0, count - FAN_OUT * (index + 1)));
    if (childCount > 0) parents.push(id);
    yield { id, parentId, rank: /** @type {string} */ (ranks[index % FAN_OUT]), childCount };
  }
}

/** @param {number} count @param {string} folder @param {() => string} newId @returns {Generator<Place>} */
function* chain(count, folder, newId) {
  const [rank = ''] = evenRanks(1);
  let parentId = folder;
  for (let index = 0; index < count; index++) {
    const place = { id: newId(), parentId, rank, childCount: index === count - 1 ? 0 : 1 };
    yield place;
    parentId = place.id;
  }
}

/**
 * Writes the rows that adding the nodes one by one would leave behind, as one change.
 * @param {Connection} connection
 * @param {() => string} newId
 * @returns {(place: Place) => void}
 */
function inserter(connection, newId) {
  connection.prepare("INSERT INTO revisions (at, agent, tool) VALUES (?, 'planter', 'bench')").run([Date.now()]);
  const now = readNumber(connection, 'SELECT max(revision) FROM revisions');
  const grow = connection.prepare('UPDATE nodes SET children_changed = ?, child_count = child_count + 1 WHERE id = ?');
  const payload = connection.prepare('INSERT INTO payloads (id, data, since, changed) VALUES (?, ?, ?, ?)');
  const node = connection.prepare(
    `INSERT INTO nodes (id, parent_id, rank, type, name, status, payload_id, since, changed, children_changed, child_count)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  let index = 0;
  return ({ id, parentId, rank, childCount, folder }) => {
    const payloadId = folder === undefined ? newId() : null;
    if (payloadId !== null) payload.run([payloadId, JSON.stringify(noteOf(index++)), now, now]);
    const own = folder === undefined ? ['note', null, null] : ['folder', folder, 'active'];
    node.run([id, parentId, rank, ...own, payloadId, now, now, now, childCount]);
    if (parentId === ROOT_ID) grow.run([now, ROOT_ID]);
  };
}
