/** What makes two collections the same, and the one form of a package's URL. */
import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fileCollectionId,
  identifyPackage,
  packageCollectionId,
  parseRawId,
  specOf,
} from '../../src/context/identity.js';
import { kindOfUrl, normaliseUrl, resolvePackageUrl, shownUrl } from '../../src/context/url.js';
import { canonicalPath } from '../../src/project/canonical.js';
import { parseProject } from '../../src/project/schema.js';
import { scratchFolder } from '../support/scratch.js';

const invalid = expect.objectContaining({ type: 'invalid_argument' });
const project = (root: string, collections: object) => ({
  root,
  config: parseProject(Buffer.from(JSON.stringify({ collections })), 'context.json'),
});

test('C130 the id of a file collection is the hash of its canonical path and its glob', () => {
  const digest = createHash('sha256').update('/home/me/docs**/*.md').digest('hex');
  expect(fileCollectionId('/home/me/docs', '**/*.md')).toBe(`file:${digest}`);
});

test('C131 the id of a package is its URL in normal form', () => {
  const same = [
    'https://a.example/docs/v1/manifest.json',
    'HTTPS://A.Example:443/docs/v1/manifest.json#top',
    'https://a.example/docs/old/../v1/./manifest.json',
    'https://a.example/docs/v1/manifest.json/',
    'https://a.example/docs/v1/manifest.json//',
    'https://a.example/docs/%2e/v1/manifest.json?',
  ];
  expect(new Set(same.map(packageCollectionId))).toEqual(new Set([`pkg:${same[0]}`]));
});

test('C131 query, other ports and the case of the path stay; credentials stay in the URL, not in the id', () => {
  for (const url of [
    'https://a.example/m.json?token=A/',
    'https://me:secret@a.example/m.json',
    'http://a.example:8080/M.json',
    'https://a.example/a%20b.json',
  ]) {
    expect(normaliseUrl(url)).toBe(url);
  }
  expect(packageCollectionId('https://me:secret@a.example/m.json?v=1')).toBe('pkg:https://a.example/m.json?v=1');
  expect(parseRawId('pkg:https://me@a.example')?.id).toBe('pkg:https://a.example');
  expect(normaliseUrl('http://a.example:80')).toBe('http://a.example');
  expect(normaliseUrl('https://a.example/x/?q=1')).toBe('https://a.example/x?q=1');
});

test('C131 a URL in normal form is its own normal form', () => {
  const part = fc.constantFrom('a', '..', '.', '', '%2e%2E', 'b c', '?', '?q=/', '#f', '//', 'x@y', ':443');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const text = `https://Host.example/${parts.join('/')}`;
      expect(normaliseUrl(normaliseUrl(text))).toBe(normaliseUrl(text));
    }),
  );
});

test('C132 a relative file URL starts from the project', () => {
  expect(resolvePackageUrl('file://../shared/m.json', '/home/me/project')).toBe('file:///home/me/shared/m.json');
  expect(resolvePackageUrl('file://./m.json', '/home/me/my project#1')).toBe('file:///home/me/my%20project%231/m.json');
  expect(resolvePackageUrl('FILE://../../x/../m.tgz', '/a/b')).toBe('file:///m.tgz');
  expect(resolvePackageUrl('file:///abs/m.json', '/a/b')).toBe('file:///abs/m.json');
  expect(resolvePackageUrl('file://../m.json', '/a/one')).toBe(resolvePackageUrl('file://./m.json', '/a'));
});

test('C133 the ending of the path tells a manifest from a bundle', () => {
  for (const url of ['https://a.example/m.json', 'file:///a/M.JSON', 'https://a.example/m.json?x=.tgz']) {
    expect(kindOfUrl(url)).toBe('manifest');
  }
  for (const url of ['https://a.example/b.tar.gz', 'https://a.example/B.TGZ?v=1.json']) {
    expect(kindOfUrl(url)).toBe('bundle');
  }
  for (const url of ['https://a.example/docs', 'https://a.example/x.gz', 'https://a.example/?f=m.json']) {
    expect(() => kindOfUrl(url)).toThrow(
      expect.objectContaining({
        type: 'invalid_argument',
        instruction: expect.stringMatching(/\.json.*\.tar\.gz.*\.tgz/),
      }),
    );
  }
});

test('C134 only file, http and https URLs are allowed', () => {
  for (const url of [
    'ftp://a.example/m.json',
    'data:application/json,{}',
    'javascript:1',
    'C:/docs/m.json',
    './m.json',
    '',
    'https://',
    'file://server/share/m.json',
    'https://a.example/\nm.json',
    'https://a.example/\u202Em.json',
  ]) {
    expect(() => resolvePackageUrl(url, '/a'), url).toThrow(invalid);
  }
});

test('C135 a URL is shown without its credentials and its query', () => {
  expect(shownUrl('https://me:secret@a.example/m.json?q')).toBe('https://a.example/m.json?…');
  expect(shownUrl('https://a.example/m.json')).toBe('https://a.example/m.json');
  expect(shownUrl('https://me:secret@/m.json')).not.toContain('secret');
  expect(shownUrl('https://a.example/m.json?token=secret#secret')).not.toContain('secret');
  expect(shownUrl('file://../shared/m.json')).toBe('file://../shared/m.json');
  expect(() => kindOfUrl('https://me:secret@a.example/docs')).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('secret') }),
  );
  expect(shownUrl(`https://a.example/${'x'.repeat(5000)}`)).toHaveLength(160);
});

test('C136 an alias leads to its source with everything absolute, and to the id of that', async () => {
  const root = realpathSync(scratchFolder());
  mkdirSync(path.join(root, 'real'));
  symlinkSync('real', path.join(root, 'link'));
  const place = project(root, {
    docs: { type: 'file', path: './link' },
    own: { type: 'pkg', url: 'file://./pkg/manifest.json' },
  });
  const docs = path.join(root, 'real');
  expect(await specOf(place, 'docs', canonicalPath)).toEqual({
    id: fileCollectionId(docs, '**/*.md'),
    spec: { type: 'file', path: docs, glob: '**/*.md' },
  });
  const { id, spec } = await specOf(place, 'own', canonicalPath);
  expect(spec).toMatchObject({ type: 'pkg', url: expect.stringMatching(/^file:\/\/\/.*\/pkg\/manifest\.json$/) });
  expect(id).toBe(identifyPackage(root, 'file://./pkg/manifest.json').id);
});

test('C136 a missing alias, a group and a bad URL fail with the place and the next move', async () => {
  const place = project('/a', {
    react: { type: 'pkg', url: 'gopher://x/m.json' },
    all: { type: 'group', categories: [] },
  });
  const specFor = (alias: string) => specOf(place, alias, canonicalPath);
  await expect(specFor('vue')).rejects.toMatchObject({
    type: 'not_found',
    message: expect.stringContaining("'vue'"),
    instruction: expect.stringContaining('react, all'),
  });
  await expect(specFor('constructor')).rejects.toMatchObject({ type: 'not_found' });
  await expect(specFor('all')).rejects.toMatchObject({ type: 'invalid_argument' });
  await expect(specFor('react')).rejects.toThrow(/^collections\.react\.url: 'gopher:/);
});

test('C137 a raw id is recognised, and everything else is left to the names', () => {
  const id = fileCollectionId('/a', '*');
  expect(parseRawId(id)).toEqual({ type: 'file', id });
  expect(parseRawId('pkg:HTTPS://a.example/m.json/')).toEqual({ type: 'pkg', id: 'pkg:https://a.example/m.json' });
  for (const name of ['react', 'file:short', 'pkg', '']) expect(parseRawId(name)).toBeUndefined();
  expect(() => parseRawId('pkg:nonsense')).toThrow(invalid);
});
