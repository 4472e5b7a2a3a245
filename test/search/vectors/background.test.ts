import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cli, scratchEnv, scratchFolder, scratchWorkspace } from '../../support/scratch.js';

/** A project with a few documents. */
function scratchProject(): string {
  const folder = scratchFolder();
  mkdirSync(path.join(folder, 'docs'));
  writeFileSync(path.join(folder, 'docs', 'limits.md'), '# Limits\n\nAn agent may call so many times a minute.');
  writeFileSync(path.join(folder, 'docs', 'cats.md'), '# Cats\n\nA kitten sleeps on the sofa.');
  return folder;
}

const word = { env: { AI_ASSIST_EMBEDDER: 'minilm', AI_ASSIST_EMBED_THREADS: '1' } };

async function projectSession(folder: string, background: boolean) {
  const workspace = await scratchWorkspace({
    folder,
    background,
    settings: { 'search.embedder': 'minilm', 'search.threads': 1 },
  });
  return { workspace, session: workspace.session({ project: folder }) };
}

type Session = Awaited<ReturnType<typeof projectSession>>['session'];

async function addDocs(session: Session) {
  await session.call('project_init', {});
  await session.call('collection_add', { name: 'docs', path: 'docs' });
}

const embedded = async (session: Session) => {
  const status = await session.call('index_status', {});
  return status.success ? `${status.embedded}/${status.chunks}` : status.error;
};

test('V40 vectors follow in the background of a workspace, and follow what another process changes', async () => {
  const folder = scratchProject();
  const { workspace, session } = await projectSession(folder, true);
  await addDocs(session);
  await session.call('collection_sync', {});
  await expect.poll(() => embedded(session), { timeout: 30_000 }).toBe('2/2');

  writeFileSync(path.join(folder, 'docs', 'new.md'), '# New\n\nSomething else.');
  rmSync(path.join(folder, 'docs', 'cats.md'));
  const { code } = await cli(['collections', 'sync'], scratchEnv(folder, word.env), '', folder);
  expect(code).toBe(0);
  await expect.poll(() => embedded(session), { timeout: 30_000 }).toBe('2/2');
  await workspace.close();
});

test('V40 a workspace without it embeds nothing by itself', async () => {
  const { session } = await projectSession(scratchProject(), false);
  await addDocs(session);
  await session.call('collection_sync', {});
  expect(await embedded(session)).toBe('0/2');
});

test('V41 V42 a sync that waits ends with all vectors, tells how far it is, and the status shows it', async () => {
  const folder = scratchProject();
  const { session } = await projectSession(folder, false);
  await addDocs(session);
  const seen: (string | undefined)[] = [];
  const done = await session.call(
    'collection_sync',
    { wait: true },
    { onProgress: ({ message }) => seen.push(message) },
  );
  expect(done).toMatchObject({ success: true, failed: 0, embedded: 2, refused: 0 });
  expect(seen.at(-1)).toBe('embedding');
  expect(await session.call('collection_sync', { wait: true })).toMatchObject({ embedded: 0 });
  expect(await session.call('index_status', {})).toMatchObject({
    embedder: 'minilm-l6-v2',
    chunks: 2,
    embedded: 2,
    pending: 0,
    collections: [{ alias: 'docs', documents: 2, chunks: 2, embedded: 2 }],
  });
});

test('V32 V41 a sync that does not wait still removes the vectors of what is gone', async () => {
  const folder = scratchProject();
  const { session } = await projectSession(folder, false);
  await addDocs(session);
  await session.call('collection_sync', { wait: true });
  const size = async () => {
    const status = await session.call('index_status', {});
    return status.success ? status.bytes : -1;
  };
  const before = await size();
  rmSync(path.join(folder, 'docs', 'cats.md'));
  await session.call('collection_sync', {});
  expect(await size()).toBe(before / 2);
});

test('V41 V42 the commands say the same', async () => {
  const folder = scratchProject();
  const env = scratchEnv(folder, word.env);
  const run = (...args: string[]) => cli(args, env, '', folder);
  await run('collections', 'init');
  await run('collections', 'add', 'docs', './docs');
  await run('collections', 'sync');
  const before = await run('index', 'status');
  expect(before.stdout).toContain('Vectors: 0 of 2 chunks (0%)');
  expect(before.stdout).toContain('2 texts are left. Next: ai-assist collections sync --wait');

  const waited = await run('collections', 'sync', '--wait');
  expect([waited.code, waited.stderr]).toEqual([0, '']);
  expect(waited.stdout).toContain('✓ All texts can be found by meaning (2 new)');
  const after = await run('index', 'status');
  expect(after.stdout).toContain('Vectors: 2 of 2 chunks (100%)');
  expect(after.stdout).toMatch(/docs +│ 2 +│ 2 +│ 2 \(100%\)/);
  expect(JSON.parse((await run('index', 'status', '--json')).stdout)).toMatchObject({ embedded: 2 });
  const wrong = await run('index', 'stats');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("Unknown index command 'stats'")]);
  expect(wrong.stderr).toContain("Did you mean 'ai-assist index status'?");
});

test('R43 results that have none of the words say so', async () => {
  const { session } = await projectSession(scratchProject(), false);
  await addDocs(session);
  await session.call('collection_sync', { wait: true });
  const note = ['None of these has the words that were asked for: they are near in meaning.'];
  expect(await session.call('ref_search', { query: 'zebra' })).toMatchObject({ suggestions: note });
  expect(await session.call('ref_batch', { queries: ['zebra', 'qux'] })).toMatchObject({ suggestions: note });
  expect(await session.call('ref_search', { query: 'zebra', mode: 'vector' })).not.toHaveProperty('suggestions');
  expect(await session.call('ref_search', { query: 'cats zebra' })).not.toHaveProperty('suggestions');
});

test('V14 V42 with the embedder none the status says so, and a sync that waits makes nothing', async () => {
  const folder = scratchProject();
  const workspace = await scratchWorkspace({ folder, settings: { 'search.embedder': 'none' }, background: true });
  const session = workspace.session({ project: folder });
  await addDocs(session);
  expect(await session.call('collection_sync', { wait: true })).toMatchObject({ success: true, embedded: 0 });
  expect(await session.call('index_status', {})).toMatchObject({
    embedder: 'none',
    chunks: 2,
    embedded: 0,
    pending: 0,
  });
});

test('V43 when vectors cannot be made, the sync is done and the command says what failed', async () => {
  const folder = scratchProject();
  const env = scratchEnv(folder, {
    AI_ASSIST_EMBEDDER: 'openai',
    AI_ASSIST_OPENAI_URL: 'http://127.0.0.1:9/v1',
    AI_ASSIST_NETWORK_TIMEOUT: '1',
  });
  const run = (...args: string[]) => cli(args, env, '', folder);
  await run('collections', 'init');
  await run('collections', 'add', 'docs', './docs');
  const synced = await run('collections', 'sync', '--wait');
  expect(synced.code).toBe(1);
  expect(synced.stdout).toContain('✓ 2 documents (2 added, 0 updated, 0 removed)');
  expect(synced.stderr).toContain('The embedding server http://127.0.0.1:9 cannot be reached');
});

test('V43 settings that make no sense leave search by words, and are told', async () => {
  const folder = scratchProject();
  const settings = { 'search.embedder': 'openai', 'search.openai.url': 'nonsense' } as const;
  const session = (await scratchWorkspace({ folder, settings, background: true })).session({ project: folder });
  await addDocs(session);
  const fault = "The URL of the embedding server 'nonsense' is not valid";
  expect(await session.call('collection_sync', { wait: true })).toMatchObject({ success: true, failed: 0, fault });
  expect(await session.call('ref_search', { query: 'kitten' })).toMatchObject({ results: [{ title: 'Cats' }] });
  expect(await session.call('index_status', {})).toMatchObject({ embedder: 'none', fault });
});
