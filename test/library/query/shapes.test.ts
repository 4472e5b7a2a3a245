/** Trees of extreme shapes: nothing recurses as deep as the tree, and nothing goes through siblings again and again. */
import { expect, test } from 'vitest';
import { commonAncestor } from '../../../src/library/tree/query/ancestor.js';
import { foundNodes, MOST_STEPS } from '../../../src/library/tree/query/found.js';
import { parseSelector } from '../../../src/library/tree/query/parse-selector.js';
import type { Predicate } from '../../../src/library/tree/query/predicate.js';
import { firstMatches } from '../../../src/library/tree/query/search.js';
import { selectAll, selectBehind } from '../../../src/library/tree/query/select.js';
import { currentTree, type Tree } from '../../../src/library/tree/tree.js';
import type { Database } from '../../../src/storage/sql.js';
import { scratchDatabase } from '../../support/library-port.js';

/** Folders named 1, 2, 3 and so on, whose ids are the names with zeros before; `parent` is SQL on i. */
async function foldersUnder(parent: string, size: number): Promise<Database> {
  const database = await scratchDatabase();
  await database.write(async (sql) => {
    await sql.run(`INSERT INTO revisions (at, agent, tool) VALUES (0, 'test', 'test')`);
    await sql.run(
      `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ?)
       INSERT INTO nodes (id, parent_id, rank, type, name, status, since, changed, children_changed)
       SELECT printf('%06d', i), ${parent}, printf('a%06d', i), 'folder', i, 'active', 1, 1, 1 FROM numbers`,
      [size],
    );
    await sql.run(
      'UPDATE nodes SET child_count = (SELECT count(*) FROM nodes AS child WHERE child.parent_id = nodes.id)',
    );
  });
  return database;
}

const select = (tree: Tree, text: string) => selectAll(tree, parseSelector(text, 'queryDsl'));

test('T138 a chain of 100,000 nodes breaks no query', async () => {
  const database = await foldersUnder(`CASE i WHEN 1 THEN 'library' ELSE printf('%06d', i - 1) END`, 100_000);
  const last = '100000';
  await database.read(async (sql) => {
    const tree = await currentTree(sql);
    expect(await select(tree, `folder[name="1"] folder[name="${last}"]`)).toEqual([last]);
    expect(await select(tree, `folder[name="none"] folder`)).toEqual([]);
    expect(await select(tree, `:has([name="${last}"])`)).toHaveLength(100_000);
    expect(await selectBehind(tree, parseSelector('folder', 'q'), '050000', 2)).toEqual(['050001', '050002']);
    expect(await commonAncestor(tree, [last, '050000'])).toBe('050000');
    const predicate: Predicate = { path: ['name'], op: 'eq', value: last };
    expect(await firstMatches(tree, { rootId: '000005', predicate }, '', 5)).toMatchObject([{ id: last }]);
    const [found] = await foundNodes(tree, [last]);
    expect(found).toMatchObject({ cut: true, node: { id: last } });
    expect(found?.path).toHaveLength(MOST_STEPS);
    expect(found?.path.at(-1)).toEqual({ nodeId: last, name: last, depth: 100_000 });
  });
});

test('T138 a node with 30,000 children breaks no query', async () => {
  const database = await foldersUnder(`'library'`, 30_000);
  const last = '030000';
  await database.read(async (sql) => {
    const tree = await currentTree(sql);
    expect(await select(tree, 'folder:nth-last-child(1)')).toEqual([last]);
    expect(await select(tree, 'folder[name="none"] ~ folder')).toEqual([]);
    expect(await select(tree, `folder[name="29999"] + folder`)).toEqual([last]);
    expect(await select(tree, 'library:has(> folder:first-child)')).toEqual(['library']);
    expect(await selectBehind(tree, parseSelector('library > folder', 'q'), '015000', 1)).toEqual(['015001']);
  });
});
