/** The specification of the collection tools, scenario by scenario, through MCP. */
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch.js';
import { catalogOfFile, failure } from './catalog-client.js';
import { clientOf } from './context-client.js';

const catalog = catalogOfFile();
const { call, read, text, write } = catalog;

const docs = { type: 'file', path: './docs', glob: '**/*.md' };
const start = {
  collections: {
    docs,
    mine: { type: 'group', description: 'Ours', categories: ['a', 'b'] },
    other: { type: 'group', categories: [] },
  },
  categories: { a: { patterns: ['a/**'] }, b: { collection: 'docs', patterns: ['b/**'] }, c: { patterns: ['c/**'] } },
};

beforeEach(() => write(start));

const groupNow = (name: string) => read().collections[name];

/** The call fails as told, and the file keeps every byte. */
async function refused(tool: string, input: Record<string, unknown>, type: string, words = '') {
  const before = text();
  expect(await call(tool, input)).toMatchObject(failure(type, words));
  expect(text()).toBe(before);
}

describe('collection_add Tool', () => {
  test('K10 Create collection with minimal args', async () => {
    expect(await call('collection_add', { name: 'new' })).toMatchObject({
      success: true,
      value: { name: 'new', type: 'group', categories: [] },
    });
    expect(groupNow('new')).toEqual({ type: 'group', categories: [] });
  });

  test('K10 Create collection with categories', async () => {
    const input = { name: 'new', description: 'Both', categories: ['b', 'a', 'b'] };
    expect(await call('collection_add', input)).toMatchObject({ success: true });
    expect(groupNow('new')).toEqual({ type: 'group', description: 'Both', categories: ['b', 'a'] });
  });

  test('K10 Collection already exists', async () => {
    await refused('collection_add', { name: 'mine' }, 'already_exists', "'mine'");
    await refused('collection_add', { name: 'docs' }, 'already_exists', "'docs'");
  });

  test('K10 Invalid name', () => refused('collection_add', { name: 'my group' }, 'invalid_name', "'my group'"));

  test("K10 Category doesn't exist", () =>
    refused('collection_add', { name: 'new', categories: ['a', 'zz'] }, 'category_not_found', "'zz'"));
});

describe('collection_remove Tool', () => {
  test('K12 Remove existing collection', async () => {
    expect(await call('collection_remove', { name: 'mine' })).toMatchObject({
      success: true,
      value: { name: 'mine', type: 'group', description: 'Ours', categories: ['a', 'b'] },
    });
    expect(Object.keys(read().collections)).toEqual(['docs', 'other']);
  });

  test('K12 Collection not found', async () => {
    await refused('collection_remove', { name: 'nope' }, 'not_found', "'nope'");
    await refused('collection_remove', { name: 'constructor' }, 'not_found');
    await refused('collection_remove', { name: 'a' }, 'not_found', "'a'");
  });
});

describe('collection_change Tool', () => {
  test('K14 Rename collection', async () => {
    const answer = await call('collection_change', { name: 'mine', new_name: 'ours' });
    expect(answer).toMatchObject({
      success: true,
      value: { name: 'ours', description: 'Ours', categories: ['a', 'b'] },
    });
    expect(Object.keys(read().collections)).toEqual(['docs', 'ours', 'other']);
    expect(groupNow('ours')).toEqual(start.collections.mine);
  });

  test('K14 Replace categories', async () => {
    expect(await call('collection_change', { name: 'mine', categories: ['c', 'a'] })).toMatchObject({ success: true });
    expect(groupNow('mine')).toEqual({ type: 'group', description: 'Ours', categories: ['c', 'a'] });
  });

  test('K14 Clear description', async () => {
    expect(await call('collection_change', { name: 'mine', description: '' })).toMatchObject({ success: true });
    expect(groupNow('mine')).toEqual({ type: 'group', categories: ['a', 'b'] });
  });

  test('K14 New name conflicts', async () => {
    await refused('collection_change', { name: 'mine', new_name: 'other' }, 'name_conflict', "'other'");
    await refused('collection_change', { name: 'mine', new_name: 'a' }, 'name_conflict', "category 'a'");
  });

  test("K14 Category doesn't exist", () =>
    refused('collection_change', { name: 'mine', categories: ['zz'] }, 'category_not_found', "'zz'"));
});

describe('collection_update Tool', () => {
  test('K15 Add categories', async () => {
    expect(await call('collection_update', { name: 'mine', add_categories: ['c'] })).toMatchObject({
      success: true,
      value: { categories: ['a', 'b', 'c'] },
    });
    expect(groupNow('mine')).toEqual({ ...start.collections.mine, categories: ['a', 'b', 'c'] });
  });

  test('K15 Remove categories', async () => {
    await call('collection_update', { name: 'mine', remove_categories: ['a'] });
    expect(groupNow('mine')).toMatchObject({ categories: ['b'] });
  });

  test('K15 Add and remove categories', async () => {
    const input = { name: 'mine', add_categories: ['a', 'c'], remove_categories: ['a'] };
    expect(await call('collection_update', input)).toMatchObject({ success: true });
    expect(groupNow('mine')).toMatchObject({ categories: ['b', 'a', 'c'] });
  });

  test('K15 Category not found for removal', async () => {
    const before = text();
    expect(await call('collection_update', { name: 'mine', remove_categories: ['zz'] })).toMatchObject({
      success: true,
    });
    expect(text()).toBe(before);
  });

  test("K15 Added category doesn't exist", () =>
    refused('collection_update', { name: 'mine', add_categories: ['c', 'zz'] }, 'category_not_found', "'zz'"));

  test('K16 adding what is there already changes nothing and keeps the order', async () => {
    const before = text();
    expect(await call('collection_update', { name: 'mine', add_categories: ['a'] })).toMatchObject({ success: true });
    expect(text()).toBe(before);
  });
});

describe('Collection Name Validation', () => {
  test('K1 Valid name', async () => {
    expect(await call('collection_add', { name: 'my-collection_123' })).toMatchObject({ success: true });
    expect(await call('category_add', { name: 'my-category_123' })).toMatchObject({ success: true });
  });

  test('K1 Invalid characters', async () => {
    for (const name of [
      'a b',
      'a.b',
      'a/b',
      'a,b',
      'ä',
      '٣',
      'a\n',
      '',
      '-a',
      'a-',
      '_a',
      'a_',
      '__proto__',
      'a\u0000',
      '\ud83d',
    ]) {
      await refused('collection_add', { name }, 'invalid_name');
      await refused('category_add', { name }, 'invalid_name');
      await refused('collection_change', { name: 'mine', new_name: name }, 'invalid_name');
      await refused('category_change', { name: 'a', new_name: name }, 'invalid_name');
    }
  });

  test('K1 Name too long', async () => {
    await refused('collection_add', { name: 'x'.repeat(31) }, 'invalid_name', '30');
    expect(await call('collection_add', { name: 'x'.repeat(30) })).toMatchObject({ success: true });
  });
});

describe('Description Validation', () => {
  test('K2 Valid description', async () => {
    const description = `“Größe” 中文 ${'😀'.repeat(488)}`;
    expect(await call('collection_add', { name: 'new', description })).toMatchObject({ value: { description } });
    expect([...description]).toHaveLength(499);
  });

  test('K2 Description too long', async () => {
    const description = '😀'.repeat(501);
    await refused('collection_add', { name: 'new', description }, 'description_too_long', '501');
    await refused('category_change', { name: 'a', description }, 'description_too_long');
  });

  test('K2 Contains quotes', async () => {
    for (const description of ['say "hi"', "it's", 'line\nbreak', 'bell\u0007', 'NUL\u0000', 'half \ud83d', '\udc00']) {
      await refused('collection_add', { name: 'new', description }, 'invalid_characters');
      await refused('collection_change', { name: 'mine', description }, 'invalid_characters');
      await refused('category_add', { name: 'new', description }, 'invalid_characters');
      await refused('category_change', { name: 'a', description }, 'invalid_characters');
    }
    await refused('collection_add', { name: 'new', path: 'x', description: '"' }, 'invalid_characters');
  });

  test('K2 Empty description allowed', async () => {
    expect(await call('collection_add', { name: 'new', description: '' })).toMatchObject({ success: true });
    expect(groupNow('new')).toEqual({ type: 'group', categories: [] });
  });
});

describe('Category Reference Validation', () => {
  test('K10 All categories exist', async () => {
    expect(await call('collection_add', { name: 'new', categories: ['a', 'b', 'c'] })).toMatchObject({ success: true });
  });

  test("K10 Category doesn't exist, whatever its name is", () =>
    refused(
      'collection_add',
      { name: 'new', categories: ['docs', '', 'toString'] },
      'category_not_found',
      "'docs', '', 'toString'",
    ));

  test('K10 Multiple missing categories', async () => {
    const answer = await call('collection_add', { name: 'new', categories: ['x', 'a', 'y', 'x'] });
    expect(answer).toMatchObject({ ...failure('category_not_found', "'x', 'y'"), missing: ['x', 'y'] });
  });
});

describe('Configuration Persistence', () => {
  test('K17 Successful persistence', async () => {
    const { version } = await call('collection_add', { name: 'new' });
    expect(await call('collection_list')).toMatchObject({ version });
    expect(groupNow('new')).toBeDefined();
  });

  test('K40 Write error', async () => {
    chmodSync(catalog.file, 0o444);
    await refused('collection_add', { name: 'new' }, 'write_error', 'read-only');
    await refused('collection_add', { name: 'new', dryRun: true }, 'write_error', 'read-only');
    chmodSync(catalog.file, 0o644);
    chmodSync(catalog.folder, 0o555);
    await refused('collection_add', { name: 'new' }, 'write_error', 'folder');
    chmodSync(catalog.folder, 0o755);
  });

  test('K41 Concurrent access', async () => {
    const lock = path.join(catalog.folder, '.context.json.lock');
    const owner = { pid: process.pid, host: os.hostname(), time: Date.now(), token: 'of the test' };
    writeFileSync(lock, JSON.stringify(owner));
    const waiting = call('collection_add', { name: 'new' });
    await call('collection_list');
    rmSync(lock);
    expect(await waiting).toMatchObject({ success: true });

    writeFileSync(lock, JSON.stringify(owner));
    const hasty = await clientOf(catalog.folder, { env: { AI_ASSIST_PROJECT_LOCK_SECONDS: '0' } });
    const before = text();
    expect(await hasty.call('collection_add', { name: 'late' })).toMatchObject(
      failure('lock_error', `locked by process ${process.pid}`),
    );
    expect(text()).toBe(before);
    rmSync(lock);
  });

  test('K42 Invalid configuration', async () => {
    write('{ "collections": { "x": { "type": "npm" } } }');
    await refused('collection_add', { name: 'new' }, 'invalid_argument', 'collections.x.type');
    await refused('category_add', { name: 'new' }, 'invalid_argument', 'collections.x.type');
  });
});

describe('Result Pattern Responses', () => {
  test('K17 Success response', async () => {
    expect(await call('collection_add', { name: 'new' })).toEqual({
      success: true,
      value: { name: 'new', type: 'group', categories: [] },
      message: expect.stringContaining("'new'"),
      version: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('K17 Validation failure', async () => {
    expect(await call('collection_add', { name: 'a b' })).toEqual({
      success: false,
      error: expect.stringContaining("'a b'"),
      error_type: 'invalid_name',
      instruction: expect.stringContaining('letters, digits, hyphens and underscores'),
    });
  });

  test('K17 Not found error', async () => {
    for (const tool of ['collection_remove', 'collection_change', 'collection_update'])
      expect(await call(tool, { name: 'nope' })).toMatchObject(failure('not_found', "'nope'"));
    for (const tool of ['category_remove', 'category_change', 'category_update'])
      expect(await call(tool, { name: 'nope' })).toMatchObject(failure('not_found', "'nope'"));
  });
});

describe('Tool Argument Schemas', () => {
  const tools = ['collection_add', 'collection_remove', 'collection_change', 'collection_update'];

  test('K18 Required argument validation', async () => {
    write('no JSON at all: nothing is read before the arguments are right');
    for (const tool of [
      ...tools,
      'category_add',
      'category_remove',
      'category_change',
      'category_update',
      'get_content',
    ])
      await refused(tool, {}, 'invalid_argument', 'name: Invalid input: expected string');
  });

  test('K18 Type validation', async () => {
    for (const tool of tools)
      await refused(tool, { name: 5 }, 'invalid_argument', 'name: Invalid input: expected string');
    await refused(
      'collection_add',
      { name: 'x', categories: 'a' },
      'invalid_argument',
      'categories: Invalid input: expected array',
    );
    await refused(
      'collection_add',
      { name: 'x', categories: [1] },
      'invalid_argument',
      'categories.0: Invalid input: expected string',
    );
    await refused('collection_update', { name: 'x', add_categories: {} }, 'invalid_argument', 'add_categories');
    await refused(
      'collection_change',
      { name: 'x', description: null },
      'invalid_argument',
      'description: Invalid input: expected string',
    );
  });

  test('K18 Optional argument handling', async () => {
    const before = text();
    expect(await call('collection_change', { name: 'mine' })).toMatchObject({
      success: true,
      message: "Collection 'mine' is as it was: nothing to change.",
    });
    expect(await call('collection_update', { name: 'mine' })).toMatchObject({ success: true });
    expect(await call('collection_update', { name: 'docs' })).toMatchObject({ success: true });
    expect(text()).toBe(before);
  });
});

describe('Session Integration', () => {
  test('K19 Active session', async () => {
    expect(await call('collection_list')).toMatchObject({
      collections: [{ name: 'docs' }, { name: 'mine' }, { name: 'other' }],
    });
  });

  test('K19 No active session', async () => {
    const nowhere = await clientOf(scratchFolder(), {});
    const inputs = { collection_list: {}, category_list: {} };
    for (const tool of [
      'collection_add',
      'collection_remove',
      'collection_change',
      'collection_update',
      'category_add',
      'category_remove',
      'category_change',
      'category_update',
      'get_content',
    ])
      Object.assign(inputs, { [tool]: { name: 'x' } });
    for (const [tool, input] of Object.entries(inputs))
      expect(await nowhere.call(tool, input), tool).toMatchObject(failure('no_session', 'context.json'));
  });
});

describe('Change vs Update Semantics', () => {
  test('K14 Change replaces categories', async () => {
    await call('collection_change', { name: 'mine', categories: [] });
    expect(groupNow('mine')).toEqual({ ...start.collections.mine, categories: [] });
  });

  test('K15 Update adds categories', async () => {
    await call('collection_update', { name: 'other', add_categories: ['c', 'a'] });
    expect(groupNow('other')).toEqual({ type: 'group', categories: ['c', 'a'] });
  });

  test('K15 Update removes categories', async () => {
    await call('collection_update', { name: 'mine', remove_categories: ['b', 'a'] });
    expect(groupNow('mine')).toMatchObject({ categories: [] });
  });
});
