/** THE table of tools. What is listed here exists at every door; nothing else does. */

import { auditList } from './audit/list.js';
import { auditVerify } from './audit/verify.js';
import { collectionAdd, collectionList, collectionRemove, collectionSync } from './context/collections.js';
import { collectionPack, manifestInit, projectInit } from './context/packages.js';
import { refCollections, refDrop, refList, refOutline, refRead, refSearch } from './context/refs.js';
import type { Tool } from './define.js';
import { defineDocumentType, listDocumentTypes } from './documents/types.js';
import { addFolder } from './folders/add.js';
import { editFolder } from './folders/edit.js';
import { listFolders } from './folders/list.js';
import { moveFolder } from './folders/move.js';
import { removeFolder } from './folders/remove.js';
import { addChild } from './tree/add-child.js';
import { bookmark, listBookmarks, removeBookmark } from './tree/bookmarks.js';
import { getCommonAncestor } from './tree/common-ancestor.js';
import { cloneNode, copySubtree } from './tree/copy.js';
import { diffSubtree, snapshotDiff } from './tree/diffs.js';
import {
  collapseAll,
  collapseNode,
  expandAll,
  expandNode,
  setExpansionRecursive,
  toggleNode,
} from './tree/expansion.js';
import { exportSubtree } from './tree/export-subtree.js';
import { exportView } from './tree/export-view.js';
import { getNode } from './tree/get-node.js';
import { getPath } from './tree/get-path.js';
import { getSubtree } from './tree/get-subtree.js';
import { getView } from './tree/get-view.js';
import { history } from './tree/history.js';
import { importMerge } from './tree/import-merge.js';
import { importView } from './tree/import-view.js';
import { listChildren } from './tree/list-children.js';
import { moveAfter, moveBefore, moveNode } from './tree/move.js';
import { queryByTag } from './tree/query-by-tag.js';
import { removeNode } from './tree/remove-node.js';
import { search } from './tree/search.js';
import { searchAdvanced } from './tree/search-advanced.js';
import { selectNodes } from './tree/select-nodes.js';
import { setFilters } from './tree/set-filters.js';
import { snapshotCreate, snapshotList, snapshotRemove, snapshotRestore } from './tree/snapshots.js';
import { sortChildren } from './tree/sort-children.js';
import { tagNode, untagNode } from './tree/tags.js';
import { redo, undo } from './tree/undo.js';
import { updateNodes } from './tree/update-nodes.js';
import { updatePayload, updatePayloadProperty } from './tree/update-payload.js';
import { lintPayload, validateTree } from './tree/validation.js';

const table = [
  // Documents from elsewhere
  projectInit,
  collectionList,
  collectionAdd,
  collectionRemove,
  collectionSync,
  collectionPack,
  manifestInit,
  refCollections,
  refSearch,
  refRead,
  refOutline,
  refList,
  refDrop,
  // Folders
  listFolders,
  addFolder,
  editFolder,
  removeFolder,
  moveFolder,
  // Types of documents
  listDocumentTypes,
  defineDocumentType,
  // The tree: reading
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
  // The tree: changing
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
  // The tree: snapshots
  snapshotCreate,
  snapshotList,
  snapshotDiff,
  snapshotRestore,
  snapshotRemove,
  // The tree: views
  expandNode,
  collapseNode,
  toggleNode,
  expandAll,
  collapseAll,
  setExpansionRecursive,
  setFilters,
  exportView,
  importView,
  // The tree: the rest
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
  // The audit log
  auditList,
  auditVerify,
] as const;

export const tools: readonly Tool[] = table;

type Table = (typeof table)[number];

export type ToolName = Table['name'];
type Named<Name extends ToolName> = Extract<Table, { name: Name }>;
type Types<Name extends ToolName> = NonNullable<Named<Name>['types']>;
export type ToolInput<Name extends ToolName> = Types<Name>['input'];
export type ToolOutput<Name extends ToolName> = Types<Name>['output'];
