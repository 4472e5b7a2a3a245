// @ts-check
/** The tree that the folder benchmarks work on: ten folders at the top, ten in each of those, and so on. */
import { ROOT_ID } from '../../dist/library/tree/node.js';
import { evenRanks } from '../../dist/library/tree/rank.js';

const FAN_OUT = 10;
const ranks = evenRanks(FAN_OUT);

/** @typedef {{ id: string, parentId: string, rank: string, name: string }} PlainFolder */

/**
 * Folders in the order of their depth: each comes after its parent.
 * @param {number} count
 * @param {() => string} newId
 * @returns {PlainFolder[]}
 */
export function plainTree(count, newId) {
  /** @type {PlainFolder[]} */
  const folders = [];
  for (let index = 0; index < count; index++) {
    const parent = folders[Math.floor(index / FAN_OUT) - 1];
    const rank = /** @type {string} */ (ranks[index % FAN_OUT]);
    folders.push({ id: newId(), parentId: parent?.id ?? ROOT_ID, rank, name: `Folder ${index}` });
  }
  return folders;
}

/**
 * Draws folders without putting them back, the same ones in every run.
 * @param {readonly PlainFolder[]} folders
 * @returns {(count: number) => PlainFolder[]}
 */
export function lots(folders) {
  const left = [...folders];
  let state = 1;
  const draw = () => {
    state = (state * 48271) % 2147483647;
    const [drawn] = left.splice(state % left.length, 1);
    if (!drawn) throw new Error('The tree is too small for so many calls.');
    return drawn;
  };
  return (count) => Array.from({ length: count }, draw);
}

/**
 * Folders with nothing in them, and folders with children.
 * @param {readonly PlainFolder[]} folders
 */
export function leavesAndParents(folders) {
  const firstLeaf = Math.max(0, Math.ceil(folders.length / FAN_OUT) - 1);
  return { parents: folders.slice(0, firstLeaf), leaves: folders.slice(firstLeaf) };
}
