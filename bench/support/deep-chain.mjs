// @ts-check
/** A chain of notes far deeper than any answer: what each call takes, and what it answers. */
import { nameOf } from './forest.mjs';
import { markdown } from './growth.mjs';

/** @typedef {import('./client.mjs').Client} Client */
/** @typedef {import('./forest.mjs').Forest} Forest */
/** @typedef {{ tool: string, where?: string, input: Record<string, unknown>, tell?: (answer: any) => string }} Step */

/** @param {Client} client @param {Forest} forest */
export async function walkDeepChain(client, forest) {
  /** @type {string[][]} */
  const lines = [];
  /** @param {Step} step */
  const walk = async ({ tool, where, input, tell = () => 'done' }) => {
    const { version } = await client.read('get_node', { nodeId: 'library' });
    const isChange = /move|remove|undo|create|restore/.test(tool);
    const begin = performance.now();
    const answer = await client.attempt(tool, isChange ? { ...input, version } : input);
    const time = performance.now() - begin;
    const told = answer.success ? tell(answer) : `\`${answer.error_type}\`: ${answer.error}`;
    lines.push([`\`${tool}\`${where ? `, ${where}` : ''}`, told, time < 10 ? time.toFixed(1) : time.toFixed(0)]);
    return answer;
  };
  await readChain(walk, forest);
  await changeChain(walk, forest);
  return markdown([['call', 'answer', 'ms'], ...lines], 2);
}

/** @typedef {(step: Step) => Promise<any>} Walk */

/** @param {Walk} walk @param {Forest} forest */
async function readChain(walk, { folders, chain }) {
  const [middle, last] = [chain[Math.floor(chain.length / 2)], chain.at(-1)];
  const tell = (/** @type {any} */ { view, nextPageToken }) =>
    `${levelsOf(view)} levels, ${nextPageToken ? 'more to come' : 'no next page'}`;
  const name = { path: 'name', op: 'eq', value: nameOf(19 + chain.length) };
  await walk({ tool: 'get_node', where: 'the last', input: { nodeId: last } });
  await walk({ tool: 'get_path', where: 'the last', input: { nodeId: last }, tell: pathLength });
  for (const [where, rootNodeId] of /** @type {const} */ ([
    ['the whole chain', folders.chain],
    ['the lower half', middle],
  ])) {
    const input = { rootNodeId, pageSize: 50 };
    const { nextPageToken } = await walk({ tool: 'get_view', where, input, tell });
    await walk({ tool: 'get_view', where: 'next page', input: { ...input, pageToken: nextPageToken }, tell });
  }
  await walk({ tool: 'search', where: 'the last', input: { rootNodeId: folders.chain, filters: [name] }, tell: found });
  await walk({ tool: 'export_subtree', input: { nodeId: folders.chain } });
}

/** @param {Walk} walk @param {Forest} forest */
async function changeChain(walk, { folders, chain }) {
  const [first, middle, last] = [chain[0], chain[Math.floor(chain.length / 2)], chain.at(-1)];
  const touched = (/** @type {any} */ { nodeCount }) => `${nodeCount} nodes`;
  const { snapshotId } = await walk({ tool: 'snapshot_create', input: { label: 'Whole' } });
  await walk({ tool: 'move_node', where: 'the whole chain', input: { nodeId: first, newParentId: folders.wide } });
  await walk({ tool: 'move_node', where: 'the chain below its last', input: { nodeId: first, newParentId: last } });
  await walk({ tool: 'remove_node', where: 'the lower half', input: { nodeId: middle } });
  await walk({ tool: 'undo', where: 'the removal', input: {}, tell: touched });
  await walk({ tool: 'remove_node', where: 'the whole chain', input: { nodeId: first } });
  const tell = (/** @type {any} */ { diff }) => `${diff.removed.length} removed are listed`;
  await walk({ tool: 'snapshot_diff', input: { a: snapshotId, b: 'now' }, tell });
  await walk({ tool: 'snapshot_restore', input: { snapshotId }, tell: touched });
  await walk({ tool: 'get_path', where: 'the last', input: { nodeId: last }, tell: pathLength });
  const count = (/** @type {any} */ { violations }) => `${violations.length} violations`;
  await walk({ tool: 'validate_tree', input: { rulesetId: 'structure' }, tell: count });
}

/** @param {any} answer */
const pathLength = ({ path }) => `${path.length} nodes`;

/** @param {any} answer */
const found = ({ nodes }) => `${nodes.length} found, its path has ${nodes[0]?.path.length} nodes`;

/** @param {{ children?: any[] } | undefined} nested */
function levelsOf(nested) {
  let levels = 0;
  for (let at = nested; at; at = at.children?.at(-1)) levels++;
  return levels;
}
