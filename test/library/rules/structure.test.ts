import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addNode, relocate, removeNode, storedNode } from '../../../src/library/tree/edit.js';
import type { Found, Scope } from '../../../src/library/tree/rules/violation.js';
import { saveType } from '../../../src/library/tree/types.js';
import { openDatabase } from '../../../src/storage/open.js';
import type { Sql } from '../../../src/storage/sql.js';
import { factor } from '../../support/effort.js';
import { changeOn, damaged, findingsOf, plantedDatabase } from './planted.js';

const at = (nodeId: string, path: string, message: string): Found => ({ nodeId, path, message });
const cut = 'cannot be reached from the root: an ancestor is cut off';
const circle = 'cannot be reached from the root: its ancestors run in a circle';

/** A kind of damage, and all that is said of it. */
const damages: [string, string[], Found[]][] = [
  [
    'T430 an orphan, and what is below it',
    [
      "UPDATE nodes SET parent_id = 'gone' WHERE id = 'guides'",
      "UPDATE nodes SET child_count = 0 WHERE id = 'projects'",
    ],
    [at('style', 'parent', cut), at('tone', 'parent', cut), at('guides', 'parent', "its parent 'gone' is missing")],
  ],
  [
    'T430 a second root',
    ["UPDATE nodes SET parent_id = NULL WHERE id = 'archive'", "UPDATE nodes SET child_count = 1 WHERE id = 'library'"],
    [at('archive', 'parent', 'has no parent, and is not the root')],
  ],
  [
    'T430 a root below another node',
    [
      "UPDATE nodes SET parent_id = 'archive' WHERE id = 'library'",
      "UPDATE nodes SET child_count = 1 WHERE id = 'archive'",
    ],
    [
      at('library', 'parent', "is the root, and yet stands below 'archive'"),
      at('library', 'parent', "a 'library' may not stand below a 'folder'"),
    ],
  ],
  [
    'T430 a root of another type',
    ["UPDATE nodes SET type = 'folder' WHERE id = 'library'"],
    [at('library', 'payloadType', "the root is a 'library', not a 'folder'")],
  ],
  [
    'T430 a missing root',
    ["DELETE FROM nodes WHERE id = 'library'"],
    [
      at('library', '', 'the root is missing'),
      at('archive', 'parent', "its parent 'library' is missing"),
      at('projects', 'parent', "its parent 'library' is missing"),
    ],
  ],
  [
    'T431 a circle, and what is below it',
    [
      "UPDATE nodes SET parent_id = 'guides', rank = 'z' WHERE id = 'projects'",
      "UPDATE nodes SET child_count = 1 WHERE id = 'library'",
      "UPDATE nodes SET child_count = 3 WHERE id = 'guides'",
    ],
    ['guides', 'projects', 'style', 'tone'].map((id) => at(id, 'parent', circle)),
  ],
  [
    'T431 a node that is its own parent',
    [
      "UPDATE nodes SET parent_id = 'archive', child_count = 1 WHERE id = 'archive'",
      "UPDATE nodes SET child_count = 1 WHERE id = 'library'",
    ],
    [at('archive', 'parent', circle)],
  ],
  [
    'T432 siblings of one rank',
    ["UPDATE nodes SET rank = 'a0' WHERE id IN ('style', 'tone')"],
    [at('tone', 'rank', "has the same rank as its sibling 'style'")],
  ],
  [
    'T432 a wrong number of children',
    ["UPDATE nodes SET child_count = 7 WHERE id = 'guides'"],
    [at('guides', 'childrenCount', 'is not the number of its children: 7 are counted, 2 are there')],
  ],
  [
    'T433 a dangling payload',
    ["UPDATE nodes SET payload_id = 'gone' WHERE id = 'style'"],
    [at('style', 'payload', "its payload 'gone' is missing")],
  ],
  [
    'T433 a folder with a payload',
    ["UPDATE nodes SET payload_id = (SELECT payload_id FROM nodes WHERE id = 'style') WHERE id = 'archive'"],
    [at('archive', 'payload', "a 'folder' keeps its properties itself, and yet points to a payload")],
  ],
  [
    'T433 a document without a payload',
    ["UPDATE nodes SET payload_id = NULL WHERE id = 'style'"],
    [at('style', 'payload', "a 'note' needs a payload, and has none")],
  ],
  [
    'T434 an unknown type',
    ["UPDATE nodes SET type = 'ghost' WHERE id = 'style'"],
    [at('style', 'payloadType', "type 'ghost' is unknown")],
  ],
  [
    'T434 a parent that the type does not allow',
    [
      "UPDATE nodes SET parent_id = 'tone', rank = 'a0' WHERE id = 'style'",
      "UPDATE nodes SET child_count = 1 WHERE id IN ('guides', 'tone')",
    ],
    [at('style', 'parent', "a 'note' may not stand below a 'note'")],
  ],
];

test.each(damages)(
  '%s is found by validate_tree checks structure, at the node and the path',
  async (_, damage, all) => {
    const database = await plantedDatabase();
    expect(await damaged(database, damage, (sql) => findingsOf(sql, 'structure'))).toEqual(all);
    expect(await database.read((sql) => findingsOf(sql, 'structure'))).toEqual([]);
  },
);

const byNode = (found: readonly Found[], id: string) => found.filter(({ nodeId }) => nodeId === id);

test.each(damages)(
  'T435 %s: what is said of one node alone is what is said of it in the whole',
  async (_, damage, all) => {
    const database = await plantedDatabase();
    await damaged(database, damage, async (sql) => {
      for (const { id } of await sql.all<{ id: string }>('SELECT id FROM nodes')) {
        expect(await findingsOf(sql, 'structure', { of: 'node', id })).toEqual(byNode(all, id));
      }
    });
  },
);

test('T436 a subtree is looked at without what is beside it, also when it is cut off itself', async () => {
  const database = await plantedDatabase();
  const damage = [
    "UPDATE nodes SET parent_id = 'gone' WHERE id = 'projects'",
    "UPDATE nodes SET rank = 'a0' WHERE type = 'note'",
  ];
  const within = (id: string): Scope => ({ of: 'subtree', id });
  await damaged(database, damage, async (sql) => {
    expect(await findingsOf(sql, 'structure', within('archive'))).toEqual([]);
    expect(await findingsOf(sql, 'structure', within('guides'))).toEqual([
      at('guides', 'parent', cut),
      at('style', 'parent', cut),
      at('tone', 'parent', cut),
      at('tone', 'rank', "has the same rank as its sibling 'style'"),
    ]);
    const orphan = at('projects', 'parent', "its parent 'gone' is missing");
    expect(await findingsOf(sql, 'structure', within('projects'))).toContainEqual(orphan);
  });
});

test('T437 a hundred thousand nodes in one chain are neither too deep nor unreachable', async () => {
  const database = await plantedDatabase();
  await damaged(
    database,
    [
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000)
       INSERT INTO nodes (id, parent_id, rank, type, name, status, since, changed, children_changed, child_count)
       SELECT 'deep-' || n, iif(n = 1, 'archive', 'deep-' || (n - 1)), 'a0', 'folder', 'deep', 'active', 1, 1, 1, n < 100000
       FROM numbers`,
      "UPDATE nodes SET child_count = 1 WHERE id = 'archive'",
    ],
    async (sql) => {
      expect(await findingsOf(sql, 'structure')).toEqual([]);
      expect(await findingsOf(sql, 'structure', { of: 'node', id: 'deep-100000' })).toEqual([]);
      await sql.run("UPDATE nodes SET parent_id = 'deep-100000' WHERE id = 'deep-1'");
      expect(await findingsOf(sql, 'structure')).toHaveLength(1000);
    },
  );
});

type Step = {
  kind: 'add' | 'remove' | 'move';
  pick: number;
  target: number;
  type: 'folder' | 'page';
  edge: 'first' | 'last';
};

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom('add', 'add', 'add', 'move', 'remove'),
    pick: fc.nat(1000),
    target: fc.nat(1000),
    type: fc.constantFrom('folder', 'page'),
    edge: fc.constantFrom('first', 'last'),
  }),
  { maxLength: 40 },
);

/** One step. Those that the tree refuses, such as a move below itself, leave it as it is. */
async function take(sql: Sql, { kind, pick, target, type, edge }: Step): Promise<void> {
  const change = changeOn(sql);
  const ids = (await sql.all<{ id: string }>('SELECT id FROM nodes ORDER BY id')).map(({ id }) => id);
  const id = ids[pick % ids.length] as string;
  const place = { parent: await storedNode(change, ids[target % ids.length] as string), edge };
  const refused = (thrown: { type?: string }) => expect(thrown.type).toBe('invalid_argument');
  if (kind === 'add') await addNode(change, place, type, { name: 'x' }).catch(refused);
  else if (kind === 'remove') await removeNode(change, id).catch(refused);
  else await relocate(change, id, place).catch(refused);
}

test('T438 whatever the tree has been through, a healthy one has no violations', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const database = await openDatabase({ location: ':memory:' });
      try {
        await database.write(async (sql) => {
          const page = { name: 'page', schema: { type: 'object', required: ['name'] }, protectedPaths: [] };
          await saveType(sql, { ...page, allowedParents: ['folder', 'page'] });
          for (const step of list) await take(sql, step);
          expect(await findingsOf(sql, 'structure')).toEqual([]);
          expect(await findingsOf(sql, 'schema')).toEqual([]);
        });
      } finally {
        await database.close();
      }
    }),
    { numRuns: 60 * factor },
  );
});
