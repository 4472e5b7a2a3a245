/** The tools of context on packages behind HTTP: what is fetched, shared, refused and kept. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type HttpServer, httpServer, page, status } from '../support/http-server.js';
import { scratchFolder } from '../support/scratch.js';
import { type Answer, clientIn, type InClient } from './context-client.js';

const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const manifest = (files: unknown[], more: object = {}) =>
  page(JSON.stringify({ name: 'fruit', version: '1.0', sources: { files }, ...more }), { etag: true });

const MANIFEST = '/pkg/manifest.json';
const remote = (server: HttpServer) => ({ type: 'pkg', url: server.url(MANIFEST) });

const fruit = (files: unknown[] = ['apple.md', 'pear.md']) =>
  httpServer({ [MANIFEST]: manifest(files), '/pkg/apple.md': '# Apple', '/pkg/pear.md': '# Pear' });

async function synced(server: HttpServer, name = 'fruit', home?: string): Promise<InClient> {
  const project = await clientIn({ [name]: remote(server) }, home === undefined ? {} : { home });
  expect(await project.call('collection_sync')).toMatchObject({ success: true });
  return project;
}

type Result = { status: string; documents: number; added: string[]; warnings: { path: string; message: string }[] };
const first = ({ results }: Answer) => (results as Result[])[0] as Result;

async function texts({ call }: InClient, name = 'fruit'): Promise<Record<string, unknown>> {
  const { documents } = await call('ref_list', { collection: name });
  const read = async ({ path }: { path: string }) => [path, (await call('ref_read', { collection: name, path })).text];
  return Object.fromEntries(await Promise.all((documents as { path: string }[]).map(read)));
}

test("C570 the project's own URL on loopback works, and the origin of its documents is told", async () => {
  const server = await fruit();
  const project = await synced(server);
  expect(await texts(project)).toEqual({ 'apple.md': '# Apple', 'pear.md': '# Pear' });
  expect(await project.call('collection_list')).toMatchObject({
    collections: [{ status: 'synced', version: '1.0', documents: 2, source: server.url(MANIFEST) }],
  });
  expect(await project.call('ref_collections')).toMatchObject({
    collections: [{ id: `pkg:${server.url(MANIFEST)}`, type: 'pkg', name: 'fruit', version: '1.0' }],
  });
});

test('C571 an unchanged package costs one conditional request', async () => {
  const server = await fruit();
  const project = await synced(server);
  const before = server.count();
  expect(first(await project.call('collection_sync'))).toMatchObject({ status: 'unchanged', documents: 2 });
  expect(server.count() - before).toBe(1);
  expect(server.headers(MANIFEST).at(-1)?.['if-none-match']).toMatch(/^".+"$/);
});

test('C572 two projects with other names for one package share its documents: the second sync fetches nothing', async () => {
  const server = await fruit();
  const home = scratchFolder();
  await synced(server, 'fruit', home);
  const before = server.count();
  const other = await synced(server, 'obst', home);
  expect(server.count() - before).toBe(1);
  expect(server.headers(MANIFEST).at(-1)).toHaveProperty('if-none-match');
  expect(await texts(other, 'obst')).toEqual({ 'apple.md': '# Apple', 'pear.md': '# Pear' });
  expect((await other.call('ref_collections')).collections).toHaveLength(1);
  expect(await other.call('ref_search', { query: 'apple', collections: ['fruit'] })).toMatchObject({ success: false });
});

test('C573 with a new manifest, only files whose hash changed are fetched; what left it is removed', async () => {
  const server = await fruit([{ path: 'apple.md', hash: sha256('# Apple') }, 'pear.md']);
  const project = await synced(server);
  server.set('/pkg/plum.md', '# Plum');
  server.set(MANIFEST, manifest([{ path: 'apple.md', hash: sha256('# Apple') }, { url: server.url('/pkg/plum.md') }]));
  expect(first(await project.call('collection_sync'))).toMatchObject({
    added: [server.url('/pkg/plum.md')],
    updated: [],
    removed: ['pear.md'],
  });
  expect(server.count('/pkg/apple.md')).toBe(1);
  await project.call('collection_sync', { force: true });
  expect(server.count('/pkg/apple.md')).toBe(2);
});

test('C574 baseUrl and query are followed; entries are string, path and url', async () => {
  const server = await httpServer({ '/far/x.md': '# X', '/far/deep/y.md': '# Y', '/z.md?v=1': '# Z' });
  const files = ['x.md', { path: 'deep/y.md' }, { url: server.url('/z.md?v=1') }];
  server.set(MANIFEST, manifest(files, { baseUrl: server.url('/far/') }));
  const project = await synced(server);
  expect(await texts(project)).toEqual({ 'x.md': '# X', 'deep/y.md': '# Y', [server.url('/z.md?v=1')]: '# Z' });
});

test.each([404, 500])('C575 a manifest that answers %i keeps everything, and the error is surfaced', async (code) => {
  const server = await fruit();
  const project = await synced(server);
  server.set(MANIFEST, status(code, { 'retry-after': '0' }));
  const failed = await project.call('collection_sync');
  expect(failed).toMatchObject({ success: false, error: expect.stringContaining(String(code)), failed: 1 });
  expect(first(failed)).toMatchObject({ status: 'failed', documents: 2 });
  expect(await texts(project)).toEqual({ 'apple.md': '# Apple', 'pear.md': '# Pear' });
  expect(await project.call('collection_list')).toMatchObject({
    collections: [{ status: 'error', error: expect.stringContaining(String(code)), documents: 2 }],
  });
  server.set(MANIFEST, manifest(['apple.md', 'pear.md']));
  await project.call('collection_sync');
  expect(await project.call('collection_list')).toMatchObject({ collections: [{ status: 'synced', error: null }] });
});

test('C575 a manifest that is none keeps everything too', async () => {
  const server = await fruit();
  const project = await synced(server);
  for (const body of ['<html>', '{"name":"fruit"}', '{"name":"n","version":"1","sources":{"glob":["*.md"]}}']) {
    server.set(MANIFEST, body);
    const failed = await project.call('collection_sync');
    expect({ body, ...failed }).toMatchObject({ body, success: false, instruction: expect.any(String) });
  }
  expect(Object.keys(await texts(project))).toEqual(['apple.md', 'pear.md']);
});

test('C576 a file that answers 404 is a warning and keeps its old document; the next sync asks again', async () => {
  const server = await fruit();
  const project = await synced(server);
  server.set('/pkg/apple.md', status(404));
  server.set(MANIFEST, manifest(['apple.md', 'pear.md'], { version: '1.1' }));
  const warned = await project.call('collection_sync');
  expect(warned).toMatchObject({ success: true, failed: 0 });
  expect(first(warned).warnings).toEqual([{ path: 'apple.md', message: expect.stringContaining('404') }]);
  expect(await texts(project)).toEqual({ 'apple.md': '# Apple', 'pear.md': '# Pear' });
  expect(await project.call('collection_list')).toMatchObject({
    collections: [{ status: 'error', error: expect.stringContaining("'apple.md'") }],
  });
  server.set('/pkg/apple.md', '# Apple again');
  expect(first(await project.call('collection_sync'))).toMatchObject({ updated: ['apple.md'], warnings: [] });
});

test('C577 content that has not the declared hash is not indexed, and what was indexed stays', async () => {
  const server = await fruit([{ path: 'apple.md', hash: sha256('# Apple') }]);
  const project = await synced(server);
  server.set(
    MANIFEST,
    manifest([
      { path: 'apple.md', hash: sha256('# Other') },
      { path: 'pear.md', hash: sha256('# Other') },
    ]),
  );
  const warned = first(await project.call('collection_sync'));
  expect(warned).toMatchObject({ documents: 1, added: [], updated: [] });
  expect(warned.warnings.map(({ path }) => path).sort()).toEqual(['apple.md', 'pear.md']);
  expect(warned.warnings[0]?.message).toContain('hash');
  expect(await texts(project)).toEqual({ 'apple.md': '# Apple' });
});

test('C578 a package may not lead to another port of this machine: those files are refused with a warning', async () => {
  const secret = await httpServer({ '/secret.md': '# Secret', '/also.md': '# Also' });
  const server = await httpServer({
    '/pkg/apple.md': '# Apple',
    '/pkg/moved.md': status(302, { location: secret.url('/also.md') }),
  });
  server.set(MANIFEST, manifest(['apple.md', 'moved.md', { url: secret.url('/secret.md') }]));
  const project = await clientIn({ fruit: remote(server) });
  const done = await project.call('collection_sync');
  expect(done).toMatchObject({ success: true, failed: 0 });
  expect(
    first(done)
      .warnings.map(({ path }) => path)
      .sort(),
  ).toEqual([secret.url('/secret.md'), 'moved.md']);
  expect(secret.count()).toBe(0);
  expect(await texts(project)).toEqual({ 'apple.md': '# Apple' });
});

test('C578 a host that the user has allowed is fetched from', async () => {
  const other = await httpServer({ '/shared.md': '# Shared' });
  const server = await httpServer();
  server.set(MANIFEST, manifest([{ url: other.url('/shared.md') }]));
  const env = { AI_ASSIST_ALLOW_HOSTS: `docs.test, 127.0.0.1:${other.port}` };
  const project = await clientIn({ fruit: remote(server) }, { env });
  expect(first(await project.call('collection_sync'))).toMatchObject({ documents: 1, warnings: [] });
});

test('C579 one package that fails does not keep the others from their sync', async () => {
  const server = await fruit();
  const project = await clientIn({ gone: { type: 'pkg', url: server.url('/gone.json') }, fruit: remote(server) });
  expect(await project.call('collection_sync')).toMatchObject({
    success: true,
    failed: 1,
    results: [
      { name: 'gone', status: 'failed', instruction: expect.any(String) },
      { name: 'fruit', status: 'synced' },
    ],
  });
});
