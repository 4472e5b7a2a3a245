/** The requirements, edge cases and examples of the document specification, each by its title, through MCP. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Envelope } from '../../src/workspace.js';
import { callOver, connectMcp } from '../support/mcp.js';
import { scratchEnv } from '../support/scratch.js';

let client: Client;
beforeAll(async () => {
  const env = { ...scratchEnv('/nowhere'), AI_ASSIST_DATABASE: ':memory:' };
  client = await connectMcp({ env, args: ['--toolsets', 'documents'] });
  await callOver(client, 'define_document_type', { documentType: 'Actor' });
});
afterAll(() => client.close());

const hero = {
  name: 'Ada',
  system: { hp: 7, bonds: ['sea', 'home', 'debt', 'crew'], features: ['brave', 'quick'], purse: { gold: 3 } },
};

type World = {
  documentId: string;
  call: (more: object) => Promise<Envelope>;
  data: () => Promise<unknown>;
};

/** A new actor, and calls of update_document on it. */
async function world(): Promise<World> {
  const made = await callOver(client, 'create_document', { documentType: 'Actor', data: hero });
  const documentId = String(made.documentId);
  return {
    documentId,
    call: (more) => callOver(client, 'update_document', { documentType: 'Actor', documentId, ...more }),
    data: async () => {
      const { document } = await callOver(client, 'get_document', { documentId });
      return (document as { data: unknown }).data;
    },
  };
}

const changed = (system: object, more: object = {}) => ({ ...hero, ...more, system: { ...hero.system, ...system } });

describe('Functional Requirements', () => {
  test('D1 Req 1: Accept a structured operations array parameter describing array actions', async () => {
    const { call, data, documentId } = await world();
    const { tools } = await client.listTools();
    const schema = tools.find(({ name }) => name === 'update_document')?.inputSchema as unknown as {
      properties: { operations: { items: { properties: object; required: string[] } } };
    };
    expect(schema.properties.operations.items).toMatchObject({
      properties: { path: {}, action: { enum: ['insert', 'replace', 'delete', 'test'] }, index: {}, value: {} },
      required: ['path', 'action'],
    });
    const answer = await call({
      operations: [
        { path: 'system.bonds', action: 'insert', index: 0, value: 'oath' },
        { path: 'system.bonds', action: 'replace', index: 1, value: 'ocean' },
        { path: 'system.bonds', action: 'delete', index: 4 },
      ],
    });
    expect(answer).toMatchObject({
      success: true,
      content: `Updated Actor ${documentId}: system.bonds`,
      display: 'Updated "Ada" (Actor): system.bonds',
      changed: ['system.bonds'],
    });
    expect(answer).not.toHaveProperty('error');
    expect(await data()).toEqual(changed({ bonds: ['oath', 'ocean', 'home', 'debt'] }));
  });

  test('D20 D22 D23 Req 2: Validate each operation (required fields, bounds, supported actions) before applying updates', async () => {
    const { call, data } = await world();
    const wrong = [
      [{ action: 'delete', index: 0 }, 'Operation 2: path is required'],
      [
        { path: 'system.bonds', action: 'shuffle' },
        "Operation 2: system.bonds: unknown action 'shuffle': use insert, replace, delete, test",
      ],
      [
        { path: 'system.bonds', action: 'delete', index: 4 },
        'Operation 2: system.bonds: index 4 is out of bounds: the array has 4 entries',
      ],
      [{ path: 'system.bonds', action: 'insert' }, 'Operation 2: system.bonds: value is required for insert'],
    ] as const;
    for (const [operation, error] of wrong) {
      const good = { path: 'system.features', action: 'insert', value: 'kind' };
      const answer = await call({ updates: { name: 'Eve' }, operations: [good, operation] });
      expect(answer).toMatchObject({ success: false, error, error_type: 'invalid_argument' });
    }
    expect(await data()).toEqual(hero);
  });

  test('D3 Req 3: When operations are present, fetch the target document, apply actions to compute the new array value', async () => {
    const { call, data } = await world();
    await call({ operations: [{ path: 'system.bonds', action: 'delete', index: 3 }] });
    await call({ operations: [{ path: 'system.features', action: 'insert', value: 'kind' }] });
    expect(await data()).toEqual(changed({ bonds: ['sea', 'home', 'debt'], features: ['brave', 'quick', 'kind'] }));
  });

  test('D6 D7 Req 4: Preserve compatibility with existing updates payloads; merge explicit updates and computed results', async () => {
    const { call, data } = await world();
    expect(await call({ updates: { system: { hp: 8 } } })).toMatchObject({ success: true, changed: ['system.hp'] });
    const merged = await call({
      updates: { name: 'Eve', 'system.purse.silver': 5 },
      operations: [{ path: 'system.bonds', action: 'delete', index: 0 }],
    });
    expect(merged).toMatchObject({ changed: ['name', 'system.bonds', 'system.purse.silver'] });
    const purse = { gold: 3, silver: 5 };
    expect(await data()).toEqual(changed({ hp: 8, bonds: ['home', 'debt', 'crew'], purse }, { name: 'Eve' }));
  });
});

describe('Edge cases', () => {
  test('D21 Case 1: Unknown document type', async () => {
    const { documentId } = await world();
    const operations = [{ path: 'system.bonds', action: 'delete' }];
    const answer = await callOver(client, 'update_document', { documentType: 'Ghost', documentId, operations });
    expect(answer).toMatchObject({
      error: "Invalid documentType 'Ghost': unknown type",
      error_type: 'invalid_argument',
    });
    const missing = { documentType: 'Actor', documentId: 'nobody', updates: { name: 'x' } };
    expect(await callOver(client, 'update_document', missing)).toMatchObject({
      error: "Invalid documentId 'nobody': document not found",
      error_type: 'not_found',
    });
  });

  test('D24 Case 2: Operation references non-array path', async () => {
    const { call, data } = await world();
    const answer = await call({ operations: [{ path: 'system.hp', action: 'insert', value: 1 }] });
    expect(answer).toMatchObject({ error: 'Operation 1: system.hp: not an array: it is a number' });
    expect(await data()).toEqual(hero);
  });

  test('D26 Case 3: Delete/replace with out-of-bounds index', async () => {
    const { call, data } = await world();
    for (const more of [{ action: 'delete' }, { action: 'replace', value: 'x' }]) {
      const answer = await call({ operations: [{ path: 'system.bonds', index: 7, ...more }] });
      expect(answer).toMatchObject({
        error: 'Operation 1: system.bonds: index 7 is out of bounds: the array has 4 entries',
        error_type: 'invalid_argument',
      });
    }
    expect(await data()).toEqual(hero);
  });

  test('D7 Case 4: Conflicting updates for same path resolved deterministically (operation results override)', async () => {
    const { call, data } = await world();
    for (const updates of [{ 'system.bonds': ['lost'] }, { system: { bonds: ['lost'] } }]) {
      await call({ updates, operations: [{ path: 'system.bonds', action: 'delete', index: 0 }] });
    }
    expect(await data()).toEqual(changed({ bonds: ['debt', 'crew'] }));
  });
});

describe('Examples (Acceptance Cases)', () => {
  test('D3 Example 1: Delete the third bond from system.bonds array produces payload with array lacking that entry', async () => {
    const { call, data } = await world();
    await call({ operations: [{ path: 'system.bonds', action: 'delete', index: 2 }] });
    expect(await data()).toEqual(changed({ bonds: ['sea', 'home', 'crew'] }));
  });

  test('D3 Example 2: Insert new feature at index 1 for system.features array', async () => {
    const { call, data } = await world();
    await call({ operations: [{ path: 'system.features', action: 'insert', index: 1, value: { name: 'Kind' } }] });
    expect(await data()).toEqual(changed({ features: ['brave', { name: 'Kind' }, 'quick'] }));
  });

  test('D23 Example 3 (Edge Case): Delete with missing index returns validation error message and aborts update', async () => {
    const { call, data } = await world();
    const answer = await call({ updates: { name: 'Eve' }, operations: [{ path: 'system.bonds', action: 'delete' }] });
    expect(answer).toMatchObject({
      success: false,
      error: 'Operation 1: system.bonds: index is required for delete',
      error_type: 'invalid_argument',
      instruction: expect.stringContaining('Nothing was changed'),
    });
    expect(await data()).toEqual(hero);
  });
});
