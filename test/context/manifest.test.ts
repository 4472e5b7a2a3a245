/** Manifests: what they may say, and where their files are. */
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bundleEntries, type ResolvedEntry, resolveEntries } from '../../src/context/entries.js';
import { parseManifest } from '../../src/context/manifest.js';
import { Failure } from '../../src/errors.js';

const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const REMOTE = 'https://a.example/pkg/v1/manifest.json?token=1';
const LOCAL = 'file:///home/me/pkg/manifest.json';

const parsed = (value: unknown) => parseManifest(Buffer.from(JSON.stringify(value)), 'manifest.json');
const withFiles = (files: unknown, more: object = {}) =>
  parsed({ name: 'docs', version: '1.0', sources: { files }, ...more });

function faultOf(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.type === 'invalid_argument') return thrown.message;
    throw thrown;
  }
  throw new Error('It did not fail.');
}

function entriesOf(files: unknown, url = REMOTE, more: object = {}) {
  const declared = resolveEntries(withFiles(files, more), url);
  if (!('entries' in declared)) throw new Error('It has globs.');
  return declared;
}

const one = (file: unknown, url?: string, more?: object): ResolvedEntry | undefined =>
  entriesOf([file], url, more).entries[0];

test('C140 a manifest is read with all its fields, and unknown ones do no harm', () => {
  const manifest = withFiles(
    ['a.md', { path: 'b.md', hash: `sha256:${DIGEST.toUpperCase()}` }, { url: 'https://c.example/' }],
    {
      description: 'Docs',
      baseUrl: 'https://b.example/',
      metadata: { any: ['thing'] },
      later: true,
    },
  );
  expect(manifest).toMatchObject({ name: 'docs', version: '1.0', description: 'Docs', metadata: { any: ['thing'] } });
  expect(manifest.sources.files).toEqual([
    { path: 'a.md', url: undefined, hash: undefined },
    { path: 'b.md', url: undefined, hash: DIGEST },
    { path: undefined, url: 'https://c.example/', hash: undefined },
  ]);
  expect(parseManifest(Buffer.from('\uFEFF{"name":"a","version":"1","sources":{"glob":["*"]}}'), 'm').name).toBe('a');
});

test('C141 a fault is told with the place in the manifest', () => {
  const base = { name: 'docs', version: '1.0', sources: { files: [] } };
  const fault = (more: object) => faultOf(() => parsed({ ...base, ...more }));
  expect(fault({ name: '' })).toBe('manifest.json: name: must not be empty');
  expect(fault({ version: 1 })).toMatch(/^manifest\.json: version: /);
  expect(fault({ sources: undefined })).toMatch(/^manifest\.json: sources: /);
  expect(fault({ sources: {} })).toBe('manifest.json: sources: must have exactly one of glob and files');
  expect(fault({ sources: { glob: ['*'], files: [] } })).toContain('exactly one of glob and files');
  expect(fault({ sources: { glob: ['*', 3] } })).toMatch(/: sources\.glob\[1\]: /);
  expect(fault({ sources: { files: ['a', {}] } })).toBe(
    'manifest.json: sources.files[1]: must have exactly one of path and url',
  );
  expect(fault({ sources: { files: [{ path: 'a', url: 'b' }] } })).toContain('exactly one of path and url');
  expect(fault({ sources: { files: [7] } })).toMatch(/: sources\.files\[0\]: must be a path, or an object/);
  expect(faultOf(() => parsed(['a']))).toMatch(/^manifest\.json: must be an object/);
  expect(faultOf(() => parsed(null))).toMatch(/^manifest\.json: must be an object/);
  expect(faultOf(() => parseManifest(Buffer.from('<html>'), 'manifest.json'))).toMatch(/line 1, column 1/);
});

test('C142 a hash is sha256 with 64 hex digits, and another algorithm is refused by its name', () => {
  const fault = (hash: unknown) => faultOf(() => withFiles([{ path: 'a', hash }]));
  expect(fault(`md5:${DIGEST}`)).toBe("manifest.json: sources.files[0].hash: algorithm 'md5' is not known: use sha256");
  expect(fault(DIGEST)).toContain('must be sha256: and 64 hex digits');
  expect(fault('sha256:9f86')).toContain('64 hex digits');
  expect(fault(`sha256:${DIGEST}0`)).toContain('64 hex digits');
  expect(fault(`sha256:${DIGEST}\n`)).toContain('64 hex digits');
  expect(fault(`${'x\u001b'.repeat(900)}:1`).length).toBeLessThan(300);
});

test('C143 a manifest that is too large, too deep or too long is refused', () => {
  const limits = { maxManifestBytes: 1000, maxDocuments: 2 };
  const fault = (text: string) => faultOf(() => parseManifest(Buffer.from(text), 'm', limits));
  expect(fault(' '.repeat(1001))).toContain('1001 bytes are more than the limit of 1000');
  expect(fault('['.repeat(900))).toContain('levels deep');
  expect(fault('{"name":"a","version":"1","sources":{"files":["a","b","c"]}}')).toBe(
    'm: sources.files: 3 files are more than the limit of 2',
  );
  expect(faultOf(() => withFiles('x'.repeat(100_000))).length).toBeLessThan(400);
});

test('C144 a path starts from baseUrl, or else from the folder of the manifest', () => {
  expect(one('a/b.md')).toEqual({ path: 'a/b.md', url: 'https://a.example/pkg/v1/a/b.md' });
  expect(one({ path: 'b.md', hash: `sha256:${DIGEST}` }, LOCAL)).toEqual({
    path: 'b.md',
    url: 'file:///home/me/pkg/b.md',
    hash: DIGEST,
  });
  const from = (baseUrl: string, url = REMOTE) => one('b.md', url, { baseUrl })?.url;
  expect(from('https://b.example/docs/')).toBe('https://b.example/docs/b.md');
  expect(from('https://b.example/docs')).toBe('https://b.example/docs/b.md');
  expect(from('./docs/')).toBe('https://a.example/pkg/v1/docs/b.md');
  expect(from('https://b.example', LOCAL)).toBe('https://b.example/b.md');
});

test('C144 a path is a name of a file, whatever characters it has', () => {
  expect(one('50%.md')?.url).toBe('https://a.example/pkg/v1/50%25.md');
  expect(one('what?#1.md')?.url).toBe('https://a.example/pkg/v1/what%3F%231.md');
  expect(one('%2e%2e/x.md')?.url).toBe('https://a.example/pkg/v1/%252e%252e/x.md');
  expect(one('https://x.md')).toEqual({ path: 'https:/x.md', url: 'https://a.example/pkg/v1/https%3A/x.md' });
});

test('C145 an entry with a URL is read from there, and named by it', () => {
  expect(one({ url: 'https://c.example/x.md?raw#top' })).toEqual({
    path: 'https://c.example/x.md?raw',
    url: 'https://c.example/x.md?raw',
  });
  expect(one({ url: 'https://me:secret@c.example/x.md' })).toEqual({
    path: 'https://c.example/x.md',
    url: 'https://me:secret@c.example/x.md',
  });
});

test('C146 a manifest from the network leads to no file of this machine', () => {
  for (const url of [
    'file:///etc/passwd',
    'FILE:/etc/passwd',
    'data:,x',
    'ftp://c.example/x',
    'x.md',
    '//c.example/x',
  ]) {
    const { entries, warnings } = entriesOf([{ url }, 'b.md']);
    expect(entries.map((entry) => entry.path)).toEqual(['b.md']);
    expect(warnings).toHaveLength(1);
  }
  expect(faultOf(() => entriesOf(['b.md'], REMOTE, { baseUrl: 'file:///etc/' }))).toContain('baseUrl');
  expect(faultOf(() => entriesOf(['b.md'], REMOTE, { baseUrl: 'https://' }))).toContain('baseUrl');
});

test('C147 paths that are not safe are left out with a warning, and the rest is kept', () => {
  const bad = [
    '/etc/passwd',
    '../x',
    'a/../../x',
    'C:/x',
    'c:x',
    'a\\b',
    '..\\x',
    'a\0b',
    'a\nb',
    'a\u202Eb',
    '.',
    'a/',
  ];
  const { entries, warnings } = entriesOf(['good.md', ...bad, 'x'.repeat(2000), '\uD800', 'a/./b/../c.md']);
  expect(entries.map((entry) => entry.path)).toEqual(['good.md', 'a/c.md']);
  expect(warnings).toHaveLength(bad.length + 2);
  expect(warnings[1]).toEqual({ path: '../x', message: 'the path leaves the package' });
  for (const { path: shownPath, message } of warnings) {
    expect(`${shownPath}${message}`).toMatch(/^[^\p{Cc}\u202E]*$/u);
    expect(shownPath.length).toBeLessThanOrEqual(200);
  }
});

test('C147 of paths that are the same after normalisation the first one counts', () => {
  const { entries, warnings } = entriesOf([{ path: 'a/b.md', hash: `sha256:${DIGEST}` }, './a//b.md', 'a/x/../b.md']);
  expect(entries).toEqual([{ path: 'a/b.md', url: 'https://a.example/pkg/v1/a/b.md', hash: DIGEST }]);
  expect(warnings.map((warning) => warning.path)).toEqual(['./a//b.md', 'a/x/../b.md']);
});

test('C147 no path leads out of its base, whatever it is made of', () => {
  const part = fc.constantFrom('..', '.', '', 'a', '%2e%2e', '..;', '%2F', '\\', 'C:', '~', '?', '#', '@', '//', ' ');
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 7 }), fc.constantFrom('/', ''), (parts, glue) => {
      const given = parts.join(glue);
      fc.pre(given !== '');
      for (const url of [REMOTE, LOCAL]) {
        const entry = one(given, url);
        const base = new URL('.', url);
        base.search = '';
        if (!entry) continue;
        expect(new URL(entry.url).href.startsWith(base.href), entry.url).toBe(true);
        expect(decodeURIComponent(new URL(entry.url).pathname)).toBe(
          path.posix.join(decodeURIComponent(base.pathname), entry.path),
        );
      }
    }),
    { numRuns: 1000 },
  );
});

test('C148 globs are for local manifests and bundles, and patterns that leave the folder are left out', () => {
  const globs = ['**/*.md', '!drafts/**', '../x/*.md', '{a,..}/*.md', '/etc/*', 'a..b/*', 'a\u0000'];
  const manifest = parsed({ name: 'a', version: '1', sources: { glob: globs } });
  expect(faultOf(() => resolveEntries(manifest, REMOTE))).toMatch(
    /sources\.glob: only a file:\/\/ manifest or a bundle/,
  );
  for (const declared of [resolveEntries(manifest, LOCAL), bundleEntries(manifest)]) {
    expect(declared).toMatchObject({ globs: ['**/*.md', '!drafts/**', 'a..b/*'] });
    expect(declared.warnings).toHaveLength(4);
  }
});

test('C149 in a bundle baseUrl is ignored, and so are entries with a URL', () => {
  const files = [
    'a.md',
    { url: 'https://me:secret@c.example/x.md' },
    '../x',
    { path: 'b.md', hash: `sha256:${DIGEST}` },
  ];
  const declared = bundleEntries(withFiles(files, { baseUrl: 'not a URL' }));
  expect(declared).toMatchObject({ entries: [{ path: 'a.md' }, { path: 'b.md', hash: DIGEST }] });
  expect(declared.warnings.map((warning) => warning.path)).toEqual(['https://c.example/x.md', '../x']);
});
