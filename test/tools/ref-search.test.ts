/** The tools of search: ref_search, ref_batch, ref_related. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder, scratchWorkspace } from '../support/scratch.js';

const files: Record<string, string> = {
  'docs/retry.md':
    '---\ndescription: Trying again\ntags: [resilience]\n---\n# Retry\n\nRetry with backoff after a timeout.\n',
  'docs/backoff.md': '# Backoff\n\nBackoff grows after each timeout.\n',
  'docs/api/client.md': `# Client\n\n${'The client sends requests. '.repeat(30)}\n\n## Timeouts\n\n${'A timeout ends a request of the client. '.repeat(14)}\n`,
  'more/garden.md': '# Garden\n\nFlowers in spring, and a timeout for the sprinkler.\n',
};

async function project() {
  const folder = scratchFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const collections = {
    docs: { type: 'file', path: './docs', glob: '**/*.md' },
    more: { type: 'file', path: './more', glob: '**/*.md' },
  };
  writeFileSync(path.join(folder, 'context.json'), JSON.stringify({ collections }));
  const session = (await scratchWorkspace()).session({ project: folder });
  expect(await session.call('collection_sync', {})).toMatchObject({ success: true });
  return session;
}

type Result = { document: string; lines: { start: number; end: number }; explain?: object; queries?: string[] };
const resultsOf = (answer: object) => ('results' in answer ? (answer.results as Result[]) : []);
const documentsOf = (answer: object) => resultsOf(answer).map(({ document }) => document);

test('R40 a result says where it stands, and ref_read from there on gives the very text', async () => {
  const session = await project();
  const found = await session.call('ref_search', { query: 'timeout ends a request', mode: 'keyword' });
  expect(found).toMatchObject({
    results: [
      {
        ...{ document: 'api/client.md', alias: 'docs', title: 'Client', headings: ['Client', 'Timeouts'] },
        ...{
          lines: { start: 5, end: 7 },
          score: expect.any(Number),
          snippet: expect.stringContaining('<mark>timeout</mark>'),
        },
      },
      {},
      {},
      {},
    ],
  });
  const read = await session.call('ref_read', { collection: 'docs', path: 'api/client.md', startLine: 5 });
  expect(read).toMatchObject({ text: expect.stringMatching(/^## Timeouts\n\nA timeout ends/) });
});

test('R41 explain says the ranks and scores behind each result', async () => {
  const session = await project();
  const [first] = resultsOf(await session.call('ref_search', { query: 'backoff', explain: true }));
  expect(first?.explain).toEqual({ keyword: { rank: 1, score: expect.any(Number) } });
  expect(resultsOf(await session.call('ref_search', { query: 'backoff' }))[0]).not.toHaveProperty('explain');
});

test('R42 maxTokens bounds the answer, and says what was left out', async () => {
  const session = await project();
  for (const maxTokens of [50, 120, 250, 500]) {
    const answer = await session.call('ref_search', { query: 'timeout', maxTokens });
    const { results = [], leftOut = 0 } = answer as { results?: object[]; leftOut?: number };
    expect(Buffer.byteLength(JSON.stringify(results))).toBeLessThanOrEqual(maxTokens * 4 + results.length + 2);
    expect(results.length + leftOut).toBe(4);
  }
  expect(await session.call('ref_search', { query: 'timeout', maxTokens: 1 })).toMatchObject({
    error_type: 'invalid_argument',
  });
});

test('R43 a search without results suggests what to try', async () => {
  const session = await project();
  const tried = async (query: string, more: object = {}) =>
    JSON.stringify(await session.call('ref_search', { query, ...more }));
  expect(await tried('"spring flowers"')).toContain('Leave out the quotes');
  expect(await tried('timeout -timeout')).toContain('Leave out the words with a minus');
  expect(await tried('zebra', { collections: ['docs'] })).toContain('Search everything');
  expect(await tried('zebra', { mode: 'vector' })).toContain('no vectors yet');
  expect(await tried('?!')).toContain('at least one word');
  expect(JSON.stringify(await (await scratchWorkspace()).session().call('ref_search', { query: 'x' }))).toContain(
    'Nothing is indexed',
  );
});

test('R44 paths limit a search, in all collections or in those named', async () => {
  const session = await project();
  const found = async (scope: { paths: string[]; collections?: string[] }) =>
    documentsOf(await session.call('ref_search', { query: 'timeout', ...scope })).sort();
  expect(await found({ paths: ['api/**'] })).toEqual(['api/client.md']);
  expect(await found({ paths: ['*.md'], collections: ['more'] })).toEqual(['garden.md']);
  expect(await found({ paths: ['*.md', '!garden.md'] })).toEqual(['backoff.md', 'retry.md']);
  expect(await session.call('ref_search', { query: 'x', paths: ['../x'] })).toMatchObject({
    error_type: 'invalid_argument',
  });
});

test('R45 ref_batch names the queries that found each result', async () => {
  const session = await project();
  const answer = await session.call('ref_batch', { queries: ['backoff', 'flowers', 'zebra', 'backoff'] });
  expect(documentsOf(answer).sort()).toEqual(['backoff.md', 'garden.md', 'retry.md']);
  expect(resultsOf(answer).find(({ document }) => document === 'garden.md')?.queries).toEqual(['flowers']);
  expect(answer).toMatchObject({ found: [{ query: 'backoff', documents: 2 }, { documents: 1 }, { documents: 0 }] });
});

test('R46 ref_related answers documents like one, and a missing one is not_found', async () => {
  const session = await project();
  const answer = await session.call('ref_related', { collection: 'docs', path: 'retry.md', limit: 1 });
  expect(documentsOf(answer)).toEqual(['backoff.md']);
  expect(await session.call('ref_related', { collection: 'docs', path: 'gone.md' })).toMatchObject({
    error_type: 'not_found',
  });
});

test('R8 ref_list shows what front matter says, and a search finds a document by it', async () => {
  const session = await project();
  expect(documentsOf(await session.call('ref_search', { query: 'resilience' }))).toEqual(['retry.md']);
  const listed = await session.call('ref_list', { collection: 'docs' });
  expect(listed).toMatchObject({
    documents: [{ path: 'api/client.md' }, {}, { path: 'retry.md', description: 'Trying again', tags: ['resilience'] }],
  });
});

test('R49 no text of a query is refused, also not one that is no valid Unicode', async () => {
  const session = await project();
  for (const odd of ['timeout \ud800', '\udc00timeout', 'timeout\u0000']) {
    expect(documentsOf(await session.call('ref_search', { query: odd }))).toContain('retry.md');
    expect(documentsOf(await session.call('ref_batch', { queries: [odd, 'garden'] }))).toContain('retry.md');
  }
});
