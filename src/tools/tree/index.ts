/** The tree. */
import { addChild } from './add-child.js';
import { bookmark, listBookmarks, removeBookmark } from './bookmarks.js';
import { getCommonAncestor } from './common-ancestor.js';
import { cloneNode, copySubtree } from './copy.js';
import { diffSubtree, snapshotDiff } from './diffs.js';
import { collapseAll, collapseNode, expandAll, expandNode, setExpansionRecursive, toggleNode } from './expansion.js';
import { exportSubtree } from './export-subtree.js';
import { exportView } from './export-view.js';
import { getNode } from './get-node.js';
import { getPath } from './get-path.js';
import { getSubtree } from './get-subtree.js';
import { getView } from './get-view.js';
import { history } from './history.js';
import { importMerge } from './import-merge.js';
import { importView } from './import-view.js';
import { listChildren } from './list-children.js';
import { moveAfter, moveBefore, moveNode } from './move.js';
import { queryByTag } from './query-by-tag.js';
import { removeNode } from './remove-node.js';
import { search } from './search.js';
import { searchAdvanced } from './search-advanced.js';
import { selectNodes } from './select-nodes.js';
import { setFilters } from './set-filters.js';
import { snapshotCreate, snapshotList, snapshotRemove, snapshotRestore } from './snapshots.js';
import { sortChildren } from './sort-children.js';
import { tagNode, untagNode } from './tags.js';
import { redo, undo } from './undo.js';
import { updateNodes } from './update-nodes.js';
import { updatePayload, updatePayloadProperty } from './update-payload.js';
import { lintPayload, validateTree } from './validation.js';

export const treeTools = [
  // Reading
  getNode,
  getView,
  getSubtree,
  listChildren,
  getPath,
  search,
  searchAdvanced,
  selectNodes,
  queryByTag,
  listBookmarks,
  history,
  // Changing
  addChild,
  updatePayloadProperty,
  updatePayload,
  removeNode,
  moveNode,
  moveBefore,
  moveAfter,
  tagNode,
  untagNode,
  bookmark,
  removeBookmark,
  undo,
  redo,
  // Snapshots
  snapshotCreate,
  snapshotList,
  snapshotDiff,
  snapshotRestore,
  snapshotRemove,
  // Views
  expandNode,
  collapseNode,
  toggleNode,
  expandAll,
  collapseAll,
  setExpansionRecursive,
  setFilters,
  exportView,
  importView,
  // The rest
  getCommonAncestor,
  exportSubtree,
  importMerge,
  updateNodes,
  sortChildren,
  cloneNode,
  copySubtree,
  diffSubtree,
  validateTree,
  lintPayload,
] as const;
