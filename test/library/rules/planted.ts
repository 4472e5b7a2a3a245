/** A small tree for the tests of rulesets, and changes on it outside of any tool. */
import { type Change, openChange } from '../../../src/library/tree/change.js';
import { addNode, storedNode } from '../../../src/library/tree/edit.js';
import { idSource } from '../../../src/library/tree/id.js';
import type { Payload } from '../../../src/library/tree/payload.js';
import { runRuleset } from '../../../src/library/tree/rules/lint.js';
import type { BuiltInRuleset, Ruleset } from '../../../src/library/tree/rules/ruleset.js';
import type { Found, Scope } from '../../../src/library/tree/rules/violation.js';
import { saveType } from '../../../src/library/tree/types.js';
import type { Database, Sql } from '../../../src/storage/sql.js';
import { scratchDatabase } from '../../support/library-port.js';

const newId = idSource(Date.now);

export const changeOn = (sql: Sql, mayChangeProtected = false): Change =>
  openChange({ sql, agent: 'test', tool: 'test', at: Date.now(), newId, mayChangeProtected });

export async function plant(sql: Sql, parentId: string, id: string, type: string, payload: Payload): Promise<void> {
  const change = changeOn(sql);
  await addNode(change, { parent: await storedNode(change, parentId), edge: 'last' }, type, payload, id);
}

export const noteSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, stars: { type: 'number' } },
  required: ['name'],
};

/** library > projects > guides > (style, tone: notes), library > archive. Notes stand below folders. */
export async function plantedDatabase(): Promise<Database> {
  const database = await scratchDatabase();
  await database.write(async (sql) => {
    await saveType(sql, {
      name: 'note',
      schema: noteSchema,
      protectedPaths: ['secret.key'],
      allowedParents: ['folder'],
    });
    await plant(sql, 'library', 'projects', 'folder', { name: 'Projects' });
    await plant(sql, 'library', 'archive', 'folder', { name: 'Archive' });
    await plant(sql, 'projects', 'guides', 'folder', { name: 'Guides' });
    await plant(sql, 'guides', 'style', 'note', { name: 'Style', stars: 3 });
    await plant(sql, 'guides', 'tone', 'note', { name: 'Tone' });
  });
  return database;
}

const everywhere: Scope = { of: 'all' };

export async function findingsOf(sql: Sql, ruleset: BuiltInRuleset | Ruleset, scope = everywhere): Promise<Found[]> {
  return (await runRuleset({ sql, scope, pause: async () => {} }, ruleset)).violations;
}

/** Damages the tree with statements that no tool would make, looks at it, and takes the damage back. */
export function damaged<T>(database: Database, damage: readonly string[], look: (sql: Sql) => Promise<T>): Promise<T> {
  return database.rehearse(async (sql) => {
    for (const statement of damage) await sql.run(statement);
    return look(sql);
  });
}
