/** Reading stored documents, whole or in part. */
import { expect, test } from 'vitest';
import { ensureCollection } from '../../src/context/collection-store.js';
import { putDocument } from '../../src/context/document-store.js';
import { outlineDocument, type ReadRequest, readDocument } from '../../src/context/read-document.js';
import { chunkDocument } from '../../src/search/chunk.js';
import { scratchDatabase } from '../support/library-port.js';

async function reading(content: string, path = 'a.md') {
  const database = await scratchDatabase();
  await database.write(async (sql) => {
    await ensureCollection(sql, 'pkg:a', { type: 'pkg', url: 'https://x.test/' }, 0);
    const { title, chunks } = chunkDocument(path, content);
    await putDocument(sql, 'pkg:a', { path, hash: 'h', title, content, bytes: content.length }, chunks, 0);
  });
  return {
    read: (more: Partial<ReadRequest> = {}) =>
      database.read((sql) => readDocument(sql, { collection: 'pkg:a', path, maxTokens: 1000, ...more })),
    outline: (name = path) => database.read((sql) => outlineDocument(sql, 'pkg:a', name)),
  };
}

const guide = '# Guide\n\nintro\n\n## Usage\n\nuse it\n\n### Options\n\nmany\n\n## Notes\n\n### Options\n\nother\n';

test('C480 a document is read whole, with where it is from', async () => {
  const { read } = await reading(guide);
  expect(await read()).toEqual({
    ...{ collection: 'pkg:a', path: 'a.md', title: 'Guide', hash: 'h', bytes: guide.length },
    ...{ indexedAt: '1970-01-01T00:00:00.000Z', text: guide, startLine: 1, endLine: 17, lines: 17 },
  });
  expect(await (await reading('')).read()).toMatchObject({ text: '', startLine: 1, endLine: 1, lines: 0 });
});

test('C481 a section is read with what stands below it', async () => {
  const { read } = await reading(guide);
  expect((await read({ section: 'usage' })).text).toBe('## Usage\n\nuse it\n\n### Options\n\nmany\n\n');
  expect((await read({ section: '## Usage' })).startLine).toBe(5);
  expect((await read({ section: 'Options' })).text).toBe('### Options\n\nmany\n\n');
  expect((await read({ section: 'Notes > Options' })).text).toBe('### Options\n\nother\n');
});

test('C481 what is not there is told, with the next move', async () => {
  const { read, outline } = await reading(guide);
  await expect(read({ section: 'Nothing' })).rejects.toMatchObject({
    type: 'not_found',
    message: "'a.md' has no section 'Nothing'.",
  });
  await expect(read({ startLine: 18 })).rejects.toMatchObject({ type: 'not_found' });
  await expect(outline('b.md')).rejects.toMatchObject({
    type: 'not_found',
    message: "There is no document 'b.md' in that collection",
  });
});

test('C482 within a budget, a document is read in whole lines, piece by piece, to its end', async () => {
  const content = Array.from({ length: 50 }, (_, number) => `line ${number} ${'word '.repeat(number % 7)}\n`).join('');
  const { read } = await reading(content);
  let text = '';
  for (let startLine: number | undefined = 1; startLine !== undefined; ) {
    const piece = await read({ startLine, maxTokens: 40 });
    expect(Buffer.byteLength(piece.text)).toBeLessThanOrEqual(40 * 4);
    text += piece.text;
    startLine = piece.nextLine;
  }
  expect(text).toBe(content);
});

test('C482 a line that is longer than the budget is cut, and said', async () => {
  const { read } = await reading(`${'x'.repeat(1000)}\nnext\n`);
  expect(await read({ maxTokens: 10 })).toMatchObject({ text: 'x'.repeat(40), cut: true, nextLine: 2 });
  expect(await read({ maxTokens: 10, startLine: 2 })).not.toHaveProperty('cut');
});

test('C483 the outline has the headings of Markdown, and none for other files', async () => {
  const { headings } = await (await reading(guide)).outline();
  expect(headings.map(({ level, text, startLine, endLine }) => [level, text, startLine, endLine])).toEqual([
    [1, 'Guide', 1, 17],
    [2, 'Usage', 5, 12],
    [3, 'Options', 9, 12],
    [2, 'Notes', 13, 17],
    [3, 'Options', 15, 17],
  ]);
  expect((await (await reading('# comment\n', 'a.py')).outline()).headings).toEqual([]);
});
