/** What the tools do to the project file, and what they leave alone. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { changeProject } from '../../src/project/change.js';
import type { Session } from '../../src/workspace.js';
import { mainFile, scratchEnv, scratchFolder, scratchWorkspace } from '../support/scratch.js';

async function projectWith(text: string | Uint8Array): Promise<{ file: string; session: Session; read: () => string }> {
  const folder = scratchFolder();
  const file = path.join(folder, 'context.json');
  writeFileSync(file, text);
  const workspace = await scratchWorkspace({ settings: { database: ':memory:' } });
  return { file, session: workspace.session({ project: folder }), read: () => readFileSync(file, 'utf8') };
}

/** A call of each tool that changes the file. */
const changes = [
  ['collection_add', { name: 'new', categories: ['a'] }],
  ['collection_add', { name: 'new2', path: './x' }],
  ['collection_remove', { name: 'g' }],
  ['collection_change', { name: 'g', new_name: 'h', description: 'D', categories: [] }],
  ['collection_update', { name: 'g', add_categories: ['b'], remove_categories: ['a'] }],
  ['category_add', { name: 'new', patterns: ['x'] }],
  ['category_remove', { name: 'a' }],
  ['category_change', { name: 'a', new_name: 'z', patterns: ['y'] }],
  ['category_update', { name: 'a', add_patterns: ['q'] }],
] as const;

const plain = `{
  "collections": { "g": { "type": "group", "categories": ["a"] } },
  "categories": { "a": { "patterns": ["a/**"] }, "b": { "patterns": [] } }
}
`;

test.each([
  ['a byte order mark', `\ufeff${plain}`, 'line 1, column 1'],
  ['a comment', plain.replace('"categories": { "a"', '// mine\n  "categories": { "a"'), 'line 3, column 3'],
  ['a trailing comma', plain.replace('[] } }\n', '[] }, }\n'), 'line 3, column'],
  ['half a file', plain.slice(0, 40), 'line 2'],
  ['nothing', '', ''],
  ['a list', '[]', 'not a JSON object'],
  ['patterns that are no list', plain.replace('["a/**"]', '"a/**"'), 'categories.a.patterns'],
  ['bytes that are no text', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), ''],
])('K42 a file with %s is refused with the position, and keeps every byte', async (_what, text, place) => {
  const { session, file } = await projectWith(text);
  const before = readFileSync(file);
  for (const [tool, input] of changes) {
    const answer = await session.callUntyped(tool, input);
    expect(answer, tool).toMatchObject({ success: false, error_type: 'invalid_argument' });
    expect(String(answer.error)).toContain(place);
    expect(String(answer.error)).toContain('context.json');
  }
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(path.dirname(file))).toEqual(['context.json']);
});

const odd = (eol: string, indent: string, end: string) =>
  [
    '{',
    `${indent}"$schema": "https://docs.test/schema.json", "own" : { "deep":[1,  2] },`,
    `${indent}"categories": {`,
    `${indent}${indent}"a": { "x-mine": 1.50, "patterns": ["a/**"], "description": "\\u00e4" },`,
    `${indent}${indent}"b": { "patterns": [] }`,
    `${indent}},`,
    `${indent}"collections": {`,
    `${indent}${indent}"g": { "categories": ["a"], "type": "group", "x-mine": null },`,
    `${indent}${indent}"other": { "type": "pkg", "url": "https://docs.test/m.json" }`,
    `${indent}},`,
    `${indent}"last": []`,
    `}${end}`,
  ].join(eol);

test.each([
  ['\n', '  ', '\n'],
  ['\r\n', '\t', '\r\n'],
  ['\n', '    ', ''],
  ['\r\n', '   ', '\r\n\r\n'],
])('K44 formatting survives every tool: %j %j %j', async (eol, indent, end) => {
  for (const [tool, input] of changes) {
    const { session, read } = await projectWith(odd(eol, indent, end));
    expect(await session.callUntyped(tool, input), tool).toMatchObject({ success: true });
    const text = read();
    expect(text).toMatch(
      /^\{\r?\n[ \t]+"\$schema": "https:\/\/docs.test\/schema.json", "own" : \{ "deep":\[1, {2}2\] \},/,
    );
    expect(text.endsWith(`${indent}"last": []${eol}}${end}`), tool).toBe(true);
    expect(text.replaceAll('\r\n', '').includes(eol === '\n' ? '\r' : '\n'), tool).toBe(false);
    expect(Object.keys(JSON.parse(text))).toEqual(['$schema', 'own', 'categories', 'collections', 'last']);
    if (tool !== 'category_remove') expect(text).toContain('"x-mine": 1.50');
    if (tool !== 'collection_remove') expect(text).toContain('"type": "group", "x-mine": null');
    if (tool !== 'category_remove') expect(text).toContain('"description": "\\u00e4"');
  }
});

test('K44 what is added and removed again leaves no trace', async () => {
  const text = odd('\r\n', '\t', '');
  const { session, read } = await projectWith(text);
  await session.call('category_add', { name: 'new', patterns: ['x'] });
  await session.call('collection_add', { name: 'more', categories: ['new'] });
  await session.call('collection_change', { name: 'g', new_name: 'h' });
  expect(read()).not.toBe(text);
  await session.call('collection_change', { name: 'h', new_name: 'g' });
  await session.call('collection_remove', { name: 'more' });
  await session.call('category_remove', { name: 'new' });
  expect(read()).toBe(text);
});

test('K43 a file that a person changes between read and write is decided on anew', async () => {
  const { file, read } = await projectWith(plain);
  const person = plain.replace('"a/**"', '"person/**"');
  const seen: unknown[] = [];
  await changeProject(file, (config) => {
    if (seen.push(config.categories?.a?.patterns) === 1) writeFileSync(file, person);
    return [{ path: ['collections', 'new'], value: { type: 'group', categories: [] } }];
  });
  expect(seen).toEqual([['a/**'], ['person/**']]);
  expect(JSON.parse(read())).toMatchObject({
    categories: { a: { patterns: ['person/**'] } },
    collections: { new: {} },
  });
});

test('K43 what a person makes invalid or removes between read and write stays as it is', async () => {
  const { file, read } = await projectWith(plain);
  const add = [{ path: ['collections', 'new'], value: { type: 'group', categories: [] } }] as const;
  const invalid = changeProject(file, () => {
    writeFileSync(file, '{ "mine": ');
    return add;
  });
  await expect(invalid).rejects.toMatchObject({ type: 'invalid_argument' });
  expect(read()).toBe('{ "mine": ');
  writeFileSync(file, plain);
  const removed = changeProject(file, () => {
    rmSync(file);
    return add;
  });
  await expect(removed).rejects.toMatchObject({ type: 'no_session', instruction: expect.stringContaining('init') });
  expect(readdirSync(path.dirname(file))).toEqual([]);
});

test('K43 a version that was expected is not forgotten when the file is decided on anew', async () => {
  const { file, session, read } = await projectWith(plain);
  const listed = await session.call('category_list', {});
  if (!listed.success) throw new Error(listed.error);
  const person = plain.replace('"a/**"', '"person/**"');
  const late = changeProject(
    file,
    () => {
      writeFileSync(file, person);
      return [{ path: ['categories', 'b'], value: undefined }];
    },
    { expectedVersion: listed.version },
  );
  await expect(late).rejects.toMatchObject({ type: 'conflict' });
  expect(read()).toBe(person);
});

/** The shell's limit for files stands in for a disk that is full: a write fails in its middle. */
const limited = 'ulimit -f 4096; exec "$0" "$@"';

test('K40 a write that fails in its middle is write_error, and the file keeps every byte', async () => {
  const filler = `${JSON.stringify({ collections: {}, own: 'x'.repeat(5_000_000) })}\n`;
  const { file } = await projectWith(filler);
  const folder = path.dirname(file);
  const args = ['-c', limited, process.execPath, mainFile, 'tool', 'collection_add', '--name', 'new', '--json'];
  const { stdout } = spawnSync('sh', args, { cwd: folder, env: scratchEnv(scratchFolder()), encoding: 'utf8' });
  expect(JSON.parse(stdout)).toMatchObject({
    success: false,
    error_type: 'write_error',
    error: 'context.json cannot be written: no room is left (EFBIG).',
    instruction: expect.stringContaining('Make room on the disk'),
  });
  expect(readFileSync(file, 'utf8') === filler).toBe(true);
  expect(readdirSync(folder)).toEqual(['context.json']);
});
