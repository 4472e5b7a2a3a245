import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ROOT_ID } from '../../../src/library/tree/node.js';
import { openDatabase } from '../../../src/storage/open.js';
import type { Sql } from '../../../src/storage/sql.js';
import { factor } from '../../support/effort.js';
import { findingsOf } from './planted.js';

type Row = { id: string; parentId: string | null; rank: string; type: string; payloadId: string | null; count: number };

const ids = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6'];
const rows = fc
  .tuple(
    ...ids.map((id) =>
      fc.record<Row>({
        id: fc.constant(id),
        parentId: fc.constantFrom(ROOT_ID, ROOT_ID, ROOT_ID, ...ids, ...ids, 'gone', null),
        rank: fc.constantFrom('a0', 'a1', 'a2', 'a3', 'a4', 'a5'),
        type: fc.constantFrom('folder', 'folder', 'folder', 'page', 'page', 'ghost'),
        payloadId: fc.constantFrom('p', 'gone', null),
        count: fc.nat(2),
      }),
    ),
  )
  .map((nodes): Row[] => [
    { id: ROOT_ID, parentId: null, rank: 'a0', type: 'library', payloadId: null, count: 0 },
    ...nodes,
  ]);

async function store(sql: Sql, nodes: readonly Row[]): Promise<void> {
  await sql.run('DELETE FROM nodes');
  await sql.run(`INSERT INTO payloads (id, data, since, changed) VALUES ('p', '{}', 1, 1)`);
  await sql.run(
    `INSERT INTO payload_types (name, protected_paths, allowed_parents) VALUES ('page', '[]', '["folder"]')`,
  );
  for (const { id, parentId, rank, type, payloadId, count } of nodes) {
    await sql.run(
      `INSERT INTO nodes (id, parent_id, rank, type, payload_id, child_count, since, changed, children_changed)
       VALUES (?, ?, ?, ?, ?, ?, 1, 1, 1)`,
      [id, parentId, rank, type, payloadId, count],
    );
  }
}

/** Every check written out plainly: the nodes and paths that are at fault, each as often as something is. */
function naive(nodes: readonly Row[]): string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents: Record<string, string[]> = { folder: ['library', 'folder'], page: ['folder'], library: [] };
  return nodes.flatMap((node) => {
    const { id, parentId, rank, type, payloadId, count } = node;
    const parent = parentId === null ? undefined : byId.get(parentId);
    const holdsItself = type === 'folder' || type === 'library';
    const faults: [string, boolean][] = [
      ['parent', id !== ROOT_ID && !parent],
      ['parent', parent !== undefined && !reachesRoot(byId, node)],
      ['parent', parent !== undefined && parents[type]?.includes(parent.type) === false],
      [
        'rank',
        nodes.some((twin) => parentId !== null && twin.parentId === parentId && twin.rank === rank && twin.id < id),
      ],
      ['childrenCount', nodes.filter((child) => child.parentId === id).length !== count],
      ['payload', payloadId === 'gone'],
      ['payload', holdsItself === (payloadId !== null)],
      ['payloadType', type === 'ghost'],
    ];
    return faults.flatMap(([path, holds]) => (holds ? [`${id} ${path}`] : []));
  });
}

function reachesRoot(byId: Map<string, Row>, node: Row): boolean {
  const seen = new Set<string>();
  let at: Row | undefined = node;
  for (; at && !seen.has(at.id); at = byId.get(at.parentId ?? '')) seen.add(at.id);
  return seen.has(ROOT_ID);
}

/** A node with all below it, found by looking again and again. */
function subtree(nodes: readonly Row[], id: string): Set<string> {
  const inside = new Set([id]);
  for (const _ of nodes) for (const node of nodes) if (inside.has(node.parentId ?? '')) inside.add(node.id);
  return inside;
}

test('T439 on trees of any damage, the statements find what plain loops find: in all, in a subtree, at a node', async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom(ROOT_ID, ...ids), async (nodes, root) => {
      const database = await openDatabase({ location: ':memory:' });
      try {
        await database.rehearse(async (sql) => {
          await store(sql, nodes);
          const expected = naive(nodes).sort();
          const found = async (scope: Parameters<typeof findingsOf>[2]) =>
            (await findingsOf(sql, 'structure', scope)).map(({ nodeId, path }) => `${nodeId} ${path}`).sort();
          const inside = (set: Set<string>) => expected.filter((fault) => set.has(fault.split(' ')[0] as string));
          expect(await found({ of: 'all' })).toEqual(expected);
          expect(await found({ of: 'subtree', id: root })).toEqual(inside(subtree(nodes, root)));
          expect(await found({ of: 'node', id: root })).toEqual(inside(new Set([root])));
        });
      } finally {
        await database.close();
      }
    }),
    { numRuns: 100 * factor },
  );
});
