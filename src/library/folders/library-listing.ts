/** Listing the embedded library's folders, always in tree order: a folder, then all in it. */
import type { Sql } from '../../storage/sql.js';
import { ROOT_ID } from '../tree/node.js';
import { noFolder } from './failures.js';
import type { Folder, FolderQuery, FolderStatus } from './folder.js';

type FolderRow = { id: string; parentId: string; name: string; status: FolderStatus };

const columns = 'id, parent_id AS parentId, name, status';
const allFolders = `SELECT ${columns} FROM nodes WHERE type = 'folder' ORDER BY parent_id, rank, id`;
const childFolders = `SELECT ${columns} FROM nodes WHERE type = 'folder' AND parent_id = ? ORDER BY rank, id`;
const foldersBelow = `WITH RECURSIVE below (id) AS (
    SELECT ? UNION ALL SELECT nodes.id FROM below JOIN nodes ON nodes.parent_id = below.id AND nodes.type = 'folder'
  )
  SELECT ${columns} FROM nodes WHERE type = 'folder' AND parent_id IN (SELECT id FROM below) ORDER BY parent_id, rank, id`;

export async function listFolders(
  sql: Sql,
  { parentId = ROOT_ID, includeChildren, status }: FolderQuery,
): Promise<Folder[]> {
  await checkParent(sql, parentId);
  const rows = includeChildren ? await descendants(sql, parentId) : await sql.all<FolderRow>(childFolders, [parentId]);
  const wanted = status === undefined ? rows : rows.filter((row) => row.status === status);
  return wanted.map(toFolder);
}

/** The ids of all folders with exactly this name, in tree order. */
export async function findFolderIds(sql: Sql, name: string): Promise<string[]> {
  const rows = await sql.all<{ id: string }>("SELECT id FROM nodes WHERE name = ? AND type = 'folder'", [name]);
  if (rows.length < 2) return rows.map((row) => row.id);
  const folders = await listFolders(sql, { includeChildren: true });
  return folders.filter((folder) => folder.name === name).map((folder) => folder.id);
}

async function checkParent(sql: Sql, parentId: string): Promise<void> {
  if (parentId === ROOT_ID) return;
  const parent = await sql.get("SELECT 1 FROM nodes WHERE id = ? AND type = 'folder'", [parentId]);
  if (!parent) throw noFolder.parentId(parentId);
}

async function descendants(sql: Sql, parentId: string): Promise<FolderRow[]> {
  const rows =
    parentId === ROOT_ID ? await sql.all<FolderRow>(allFolders) : await sql.all<FolderRow>(foldersBelow, [parentId]);
  return inTreeOrder(rows, parentId);
}

/** Depth first from a parent. The rows of one parent must stand together, in sibling order. */
function inTreeOrder(rows: readonly FolderRow[], rootId: string): FolderRow[] {
  const children = new Map<string, FolderRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.parentId);
    if (siblings) siblings.push(row);
    else children.set(row.parentId, [row]);
  }
  const ordered: FolderRow[] = [];
  // A stack instead of recursion: a chain of folders may be deeper than the call stack.
  const pending = (children.get(rootId) ?? []).toReversed();
  for (let row = pending.pop(); row; row = pending.pop()) {
    ordered.push(row);
    for (const child of (children.get(row.id) ?? []).toReversed()) pending.push(child);
  }
  return ordered;
}

const toFolder = ({ id, name, status, parentId }: FolderRow): Folder => ({
  id,
  name,
  status,
  parentId: parentId === ROOT_ID ? null : parentId,
});
