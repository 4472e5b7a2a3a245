// @ts-check
/** What the benchmark of the tree times in a library: reads, changes, snapshots and searches, each a game of rounds. */
import { nameOf } from './forest.mjs';
import { connectRaw } from './raw.mjs';

/** @typedef {import('./client.mjs').Client} Client */
/** @typedef {import('./forest.mjs').Forest} Forest */
/** @typedef {import('./raw.mjs').Driver} Driver */
/** @typedef {import('./rounds.mjs').Game} Game */
/** @typedef {{ client: Client, forest: Forest, driver: Driver, file: string }} Site */

const PLAIN_SCAN = 'plain SQL scan for one name';
const PLAIN_SORT = 'plain SQL scan for stars > 5, sorted';
const PLAIN_PARSE = 'read and parse every payload';

const SEARCH = '`search`, one match by name';
const SELECT = '`select_nodes`, `note[name="…"]`';
const SORTED = '`search_advanced`, stars > 5 by name';
const BELOW = '`select_nodes`, `folder > note[stars>5]`';

/** Searches, and the plain queries that they are measured against. */
export const comparisons = /** @type {const} */ ([
  [SEARCH, PLAIN_SCAN],
  [SELECT, PLAIN_SCAN],
  [SORTED, PLAIN_SCAN],
  [SORTED, PLAIN_SORT],
  [BELOW, PLAIN_SCAN],
]);

/** Draws from a list, the same in every run. @template T @param {readonly T[]} list @returns {() => T} */
function draws(list) {
  let state = 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return /** @type {T} */ (list[state % list.length]);
  };
}

/** Notes without children: a quarter of what is known of the bushy tree. @param {Forest} forest @param {3 | 4} quarter */
const leavesOf = ({ notes }, quarter) =>
  notes.slice(Math.floor((notes.length * (quarter - 1)) / 4), Math.floor((notes.length * quarter) / 4));

/** @param {Site} site @returns {Game} */
export function reads({ client, forest }) {
  const { wide, bushy } = forest.folders;
  const [any, leaf] = [draws(forest.notes), draws(leavesOf(forest, 3))];
  const [children, view] = [
    { nodeId: wide, limit: 50 },
    { rootNodeId: bushy, pageSize: 50 },
  ];
  /** @type {Game['play']} */
  const play = async (time, round) => {
    await time('`get_node`', () => client.read('get_node', { nodeId: any() }));
    const listed = await time('`list_children`, 50 of the wide node', () => client.read('list_children', children));
    const viewed = await time('`get_view`, 50 nodes', () => client.read('get_view', view));
    await time('`get_path`, depth 1,000', () => client.read('get_path', { nodeId: forest.chain.at(-1) }));
    await client.change('update_payload_property', { nodeId: leaf(), propertyName: 'stars', newValue: round });
    await client.change('add_child', { parentNodeId: wide, payloadType: 'note', payloadProps: { name: 'New' } });
    await time('`list_children`, next page after changes', () =>
      client.read('list_children', { ...children, pageToken: listed.nextPageToken }),
    );
    await time('`get_view`, next page after changes', () =>
      client.read('get_view', { ...view, pageToken: viewed.nextPageToken }),
    );
  };
  return { rounds: 60, play };
}

/** @param {Site} site @returns {Game} */
export function changes({ client, forest }) {
  const { folders } = forest;
  const [leaf, tenth] = [draws(leavesOf(forest, 3)), /** @type {string} */ (forest.notes[0])];
  const payloadProps = { name: 'New', stars: 3, system: { hp: 7 }, tags: ['new'], text: 'x'.repeat(120) };
  /** @type {Game['play']} */
  const play = async (time, round) => {
    const note = { payloadType: 'note', payloadProps };
    await time('`add_child`', () => client.change('add_child', { parentNodeId: leaf(), ...note }));
    await time('`add_child`, wide node', () => client.change('add_child', { parentNodeId: folders.wide, ...note }));
    const newParentId = round % 2 === 0 ? folders.chain : folders.bushy;
    await time('`move_node`, a tenth of the tree', () => client.change('move_node', { nodeId: tenth, newParentId }));
    const change = { nodeId: leaf(), propertyName: 'system.hp', newValue: 1000 + round };
    await time('`update_payload_property`', () => client.change('update_payload_property', change));
    await time('`undo`', () => client.change('undo', {}));
  };
  return { rounds: 60, play };
}

/** @param {Site} site @returns {Game} */
export function snapshots({ client, forest }) {
  // Not the quarter that got new children before: what is removed here must be one node.
  const leaf = draws(leavesOf(forest, 4));
  /** @type {Game['play']} */
  const play = async (time, round) => {
    const label = `Round ${round}`;
    const { snapshotId } = await time('`snapshot_create`', () => client.change('snapshot_create', { label }));
    await tenChanges(client, forest, leaf, round);
    const compare = { a: snapshotId, b: 'now' };
    const { diff } = await time('`snapshot_diff`, 10 changes', () => client.read('snapshot_diff', compare));
    expectTen(diff);
    await time('`snapshot_restore`, 10 changes', () => client.change('snapshot_restore', { snapshotId }));
    expectNone((await client.read('snapshot_diff', compare)).diff);
  };
  return { rounds: 20, play };
}

/** Four values, three new notes, two moves and a removal. @param {Client} client @param {Forest} forest @param {() => string} leaf @param {number} round */
async function tenChanges(client, { folders }, leaf, round) {
  const ids = new Set();
  while (ids.size < 10) ids.add(leaf());
  const [a, b, c, d, e, f, g, h, i, j] = ids;
  for (const nodeId of [a, b, c, d]) {
    await client.change('update_payload_property', { nodeId, propertyName: 'text', newValue: `Changed ${round}` });
  }
  for (const parentNodeId of [e, f, g]) {
    await client.change('add_child', { parentNodeId, payloadType: 'note', payloadProps: { name: 'Another' } });
  }
  await client.change('move_node', { nodeId: h, newParentId: folders.wide });
  await client.change('move_node', { nodeId: i, newParentId: folders.wide });
  await client.change('remove_node', { nodeId: j });
}

/** @param {Record<string, unknown[]>} diff */
const countsOf = ({ added, removed, moved, reordered, changed }) =>
  [added, removed, moved, reordered, changed].map((list) => list?.length).join(' ');

/** @param {Record<string, unknown[]>} diff */
function expectTen(diff) {
  const counts = countsOf(diff);
  if (counts !== '3 1 2 0 4') throw new Error(`The diff has other changes than were made: ${counts}.`);
}

/** @param {Record<string, unknown[]>} diff */
function expectNone(diff) {
  const counts = countsOf(diff);
  if (counts !== '0 0 0 0 0') throw new Error(`The restored tree differs from its snapshot: ${counts}.`);
}

/** @param {Site} site @returns {Game} */
export function searches({ client, forest, driver, file }) {
  const name = nameOf(Math.floor(forest.nodes / 2));
  const [raw, rootNodeId] = [plainQueries(driver, file), 'library'];
  const byName = { rootNodeId, filters: [{ path: 'name', op: 'eq', value: name }] };
  const starred = { path: 'stars', op: 'gt', value: 5 };
  const sorted = { rootId: rootNodeId, predicates: starred, sortBy: [{ path: 'name' }], limit: 50 };
  const select = (/** @type {string} */ queryDsl) => client.read('select_nodes', { queryDsl, limit: 50 });
  /** @type {Game['play']} */
  const play = async (time) => {
    const found = [
      await time(SEARCH, () => client.read('search', byName)),
      await time(SELECT, () => select(`note[name="${name}"]`)),
    ];
    for (const { nodes } of found) if (nodes.length !== 1) throw new Error(`Found ${nodes.length} instead of one.`);
    await time(PLAIN_SCAN, () => raw.count(name));
    await time(SORTED, () => client.read('search_advanced', sorted));
    await time(PLAIN_SORT, () => raw.sort());
    await time(BELOW, () => select('folder > note[stars>5]'));
    await time(PLAIN_PARSE, () => raw.parse());
  };
  return { rounds: 7, play, end: raw.close };
}

/** The raw driver at the same payloads. @param {Driver} driver @param {string} file */
function plainQueries(driver, file) {
  const connection = connectRaw(driver, file);
  const count = connection.prepare("SELECT count(*) FROM payloads WHERE json_extract(data, '$.name') = ?");
  const sort = connection.prepare(
    "SELECT id FROM payloads WHERE json_extract(data, '$.stars') > 5 ORDER BY json_extract(data, '$.name'), id LIMIT 50",
  );
  const chunk = connection.prepare('SELECT id, data FROM payloads WHERE id > ? ORDER BY id LIMIT 10000');
  return {
    /** @param {string} name */
    count: (name) => count.get([name]),
    sort: () => sort.all([]),
    parse: () => {
      for (let last = ''; last !== undefined; ) {
        const rows = /** @type {{ id: string, data: string }[]} */ (chunk.all([last]));
        for (const { data } of rows) JSON.parse(data);
        last = /** @type {string} */ (rows.at(-1)?.id);
      }
    },
    close: () => connection.close(),
  };
}
