/** The tools of context through MCP: search, read, outline, list and drop. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { clientIn, docs, type InClient } from './context-client.js';

const guide = [
  '# Guide',
  'First words.',
  '## Usage',
  'Call it.',
  '### Options',
  'Pass --dry-run.',
  '## Limits',
  'None that matter.',
  '',
].join('\n');
const files = { 'docs/guide.md': guide, 'docs/b.md': '# Bees', 'docs/c.md': '# Cats', 'docs/deep/d.md': '# Dogs' };
const hash = createHash('sha256').update(guide).digest('hex');

async function synced(): Promise<InClient & { id: string }> {
  const project = await clientIn({ docs }, { files });
  const { results } = await project.call('collection_sync');
  return { ...project, id: (results as { id: string }[])[0]?.id as string };
}

test('C560 ref_search answers where each text came from: collection, document, headings, lines and hash', async () => {
  const { call, id } = await synced();
  const { success, results } = await call('ref_search', { query: '--dry-run', collections: ['docs'] });
  expect(success).toBe(true);
  expect(results).toMatchObject([
    {
      collection: id,
      alias: 'docs',
      document: 'guide.md',
      documentHash: hash,
      title: 'Guide',
      snippet: expect.stringContaining('<mark>--dry-run</mark>'),
    },
  ]);
  expect((await call('ref_search', { query: 'bees cats dogs', limit: 2 })).results).toHaveLength(2);
  expect((await call('ref_search', { query: 'bees', collections: [id] })).results).toHaveLength(1);
  expect(await call('ref_search', { query: 'bees', collections: ['nope'] })).toMatchObject({ error_type: 'not_found' });
  expect(await call('ref_search', { query: 'bees', limit: 0 })).toMatchObject({ error_type: 'invalid_argument' });
});

test('C561 ref_read answers a document whole', async () => {
  const { call, id } = await synced();
  expect(await call('ref_read', { collection: 'docs', path: 'guide.md' })).toEqual({
    success: true,
    collection: id,
    path: 'guide.md',
    documentHash: hash,
    title: 'Guide',
    text: guide,
    startLine: 1,
    endLine: 8,
    lines: 8,
  });
});

test('C561 ref_read answers one section, by its heading or a path of headings', async () => {
  const { call } = await synced();
  const read = (section: string) => call('ref_read', { collection: 'docs', path: 'guide.md', section });
  expect(await read('usage')).toMatchObject({
    startLine: 3,
    endLine: 6,
    text: `${guide.split('\n').slice(2, 6).join('\n')}\n`,
  });
  expect(await read('Usage > Options')).toMatchObject({ startLine: 5, text: '### Options\nPass --dry-run.\n' });
  expect(await read('Limits > Options')).toMatchObject({ success: false, error_type: 'not_found' });
});

test('C562 ref_read keeps to its budget, and nextLine reads on until the end', async () => {
  const { call } = await synced();
  const input = { collection: 'docs', path: 'guide.md', maxTokens: 8 };
  const parts: string[] = [];
  for (let startLine: unknown = 1; startLine !== undefined; ) {
    const { success, text, nextLine } = await call('ref_read', { ...input, startLine });
    expect(success).toBe(true);
    expect(String(text).length).toBeLessThanOrEqual(8 * 4);
    parts.push(String(text));
    startLine = nextLine;
  }
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.join('')).toBe(guide);
  expect(await call('ref_read', { ...input, maxTokens: 1 })).toMatchObject({ text: '# Gu', cut: true, nextLine: 2 });
  expect(await call('ref_read', { ...input, startLine: 99 })).toMatchObject({ error_type: 'not_found' });
});

test('C563 ref_outline answers the headings with their levels and lines', async () => {
  const { call, id } = await synced();
  expect(await call('ref_outline', { collection: 'docs', path: 'guide.md' })).toEqual({
    success: true,
    collection: id,
    path: 'guide.md',
    documentHash: hash,
    title: 'Guide',
    headings: [
      { level: 1, text: 'Guide', startLine: 1, endLine: 8 },
      { level: 2, text: 'Usage', startLine: 3, endLine: 6 },
      { level: 3, text: 'Options', startLine: 5, endLine: 6 },
      { level: 2, text: 'Limits', startLine: 7, endLine: 8 },
    ],
  });
  expect(await call('ref_outline', { collection: 'docs', path: 'gone.md' })).toMatchObject({ error_type: 'not_found' });
});

test('C564 ref_list pages through the documents in the order of their paths, and the last page says that it is', async () => {
  const { call } = await synced();
  const pages: string[][] = [];
  for (let after: unknown = ''; after !== undefined; ) {
    const { documents, nextAfter } = await call('ref_list', { collection: 'docs', after, limit: 2 });
    pages.push((documents as { path: string }[]).map(({ path }) => path));
    after = nextAfter;
  }
  expect(pages).toEqual([
    ['b.md', 'c.md'],
    ['deep/d.md', 'guide.md'],
  ]);
  const { documents } = await call('ref_list', { collection: 'docs' });
  expect(documents).toContainEqual({
    collection: expect.any(String),
    path: 'guide.md',
    title: 'Guide',
    bytes: guide.length,
    hash,
    indexedAt: expect.any(String),
  });
});

test('C565 ref_collections answers every indexed collection with its type, source and documents', async () => {
  const { call, id, folder } = await synced();
  expect(await call('ref_collections')).toMatchObject({
    collections: [{ id, type: 'file', documents: 4, source: expect.stringContaining('docs (**/*.md)'), name: null }],
  });
  expect(JSON.stringify(await call('ref_collections'))).toContain(folder.split('/').at(-1));
});

test('C566 ref_drop drops from the index only; a rehearsal of it drops nothing', async () => {
  const { call, id } = await synced();
  expect(await call('ref_drop', { collection: 'docs', dryRun: true })).toMatchObject({ collection: id, dryRun: true });
  expect((await call('ref_search', { query: 'bees' })).results).toHaveLength(1);
  expect(await call('ref_drop', { collection: 'docs' })).toEqual({ success: true, collection: id });
  expect((await call('ref_search', { query: 'bees' })).results).toEqual([]);
  expect(await call('collection_list')).toMatchObject({ collections: [{ name: 'docs', status: 'not synced' }] });
  expect(await call('ref_drop', { collection: 'docs' })).toMatchObject({ success: false, error_type: 'not_found' });
  expect(await call('ref_read', { collection: 'docs', path: 'b.md' })).toMatchObject({
    error_type: 'not_found',
    instruction: expect.stringContaining('ai-assist collections sync docs'),
  });
});
