/** Documents cut into chunks. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunkDocument } from '../../src/search/chunk.js';
import { outlineOf as outline } from '../../src/search/outline.js';
import { defaultSizes } from '../../src/search/pack.js';
import { factor } from '../support/effort.js';

const outlineOf = (content: string) => outline('a.md', content);
/** Without putting short sections together. */
const apart = { ...defaultSizes, small: 0 };
const headingsOf = (content: string, path = 'a.md') =>
  chunkDocument(path, content, apart).chunks.map(({ headings }) => headings);
const textsOf = (content: string, path = 'a.md') => chunkDocument(path, content).chunks.map(({ text }) => text);
const titleOf = (content: string, path = 'a.md') => chunkDocument(path, content).title;
const words = (characters: number) => 'word '.repeat(characters / 5);

/** What holds for every document: chunks follow each other without a gap, and their ranges give their texts. */
function expectFaithful(path: string, content: string): void {
  const { chunks } = chunkDocument(path, content);
  const bytes = Buffer.from(content);
  const lines = content.split(/(?<=\r\n|\n|\r(?!\n))/);
  let at = 0;
  for (const { startByte, endByte, startLine, endLine, text } of chunks) {
    expect(startByte).toBe(at);
    expect(bytes.subarray(startByte, endByte).toString()).toBe(text);
    expect(lines.slice(startLine - 1, endLine).join('')).toContain(text);
    at = endByte;
  }
  expect(at).toBe(bytes.length);
  expect(chunks.length).toBeGreaterThan(0);
  if (content !== '') expect(chunks.every(({ text }) => text !== '')).toBe(true);
}

test('C440 each section is a chunk with the headings above it and its lines', () => {
  const content = 'before\n\n# One #\n\ntext\n## Two\nmore\n#### Deep\n### Less\n# Three\n';
  expect(headingsOf(content)).toEqual([
    [],
    ['One'],
    ['One', 'Two'],
    ['One', 'Two', 'Deep'],
    ['One', 'Two', 'Less'],
    ['Three'],
  ]);
  expect(chunkDocument('a.md', content, apart).chunks.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
    [1, 2],
    [3, 5],
    [6, 7],
    [8, 8],
    [9, 9],
    [10, 10],
  ]);
});

test('C440 underlined headings count, lists, quotes, rules and tables do not', () => {
  expect(headingsOf('One\n===\n\ntext\n\nTwo\nlines\n---\n')).toEqual([['One'], ['One', 'Two lines']]);
  expect(headingsOf('- item\n---\n\n> quote\n---\n\n---\ntext\n\n***\n\na | b\n--- | ---\n')).toEqual([[]]);
  expect(headingsOf('---\nTitle\n---\n\n---\n\nSub\n---\n')).toEqual([[], ['Sub']]);
});

test('C440 what only looks like a heading is none', () => {
  expect(headingsOf('#tag\n####### seven\n    # code\n\t# code\n\\# no\n- # item\n> # quote\n')).toEqual([[]]);
  expect(headingsOf('# C#\n')).toEqual([['C#']]);
  expect(headingsOf('#\n\n## Named\n')).toEqual([[], ['Named']]);
});

test.each([
  ['a fence of backticks', '```sh\n# no\n```\n# Yes\n'],
  ['a fence of tildes with backticks inside', '~~~\n```\n# no\n~~~~\n# Yes\n'],
  ['a longer fence around a shorter one', '````\n```\n# no\n```\n# no\n````\n# Yes\n'],
  ['a fence in a list item', '- text\n\n  ```\n# no\n  ```\n\n# Yes\n'],
  ['a fence deep in a list', '1. text\n\n      ```\n# no\n      ```\n\n# Yes\n'],
  ['a fence right after the mark of a list item', '- ```\n# no\n  ```\n# Yes\n'],
  ['a fence with an indented example in it', '```\n     ```\n# no\n```\n# Yes\n'],
  ['a comment', '<!-- hidden\n\n# no\n-->\n# Yes\n'],
  ['preformatted HTML', '<pre>\n# no\n\n# no\n</pre>\n# Yes\n'],
  ['YAML front matter', '---\n# no\ntitle: T\n---\n# Yes\n'],
  ['TOML front matter', '+++\n# no\n+++\n# Yes\n'],
])('C441 nothing inside %s is a heading, and headings after it are', (_, content) => {
  expect(outlineOf(content).map(({ text }) => text)).toEqual(['Yes']);
});

test('C441 a fence without an end reaches to the end; an indented one, a comment or front matter without end is none', () => {
  expect(outlineOf('# One\n```\n# no\n\n# no\n').map(({ text }) => text)).toEqual(['One']);
  for (const start of ['     ```\n', '<!-- open\n', '---\nopen: 1\n\n', '```not`a fence\n']) {
    expect(outlineOf(`${start}# Yes\n`).map(({ text }) => text)).toEqual(['Yes']);
  }
});

test('C442 the title is that of the front matter, else the first heading of level 1, else the name of the file', () => {
  expect(titleOf('---\nlayout: x\ntitle: "Use: it\'s #1"\n---\n# Other\n')).toBe("Use: it's #1");
  expect(titleOf('---\ntitle: Plain # comment\n---\n')).toBe('Plain');
  expect(titleOf('+++\ntitle = "Toml"\n+++\n')).toBe('Toml');
  expect(titleOf('---\ntitle:\n---\n## Sub\n# The `code` [link](x) *title* {#id}\n')).toBe('The code link title');
  expect(titleOf('## Only a sub\n', 'guides/use-state.md')).toBe('use-state');
  expect(titleOf('# comment\n', 'src/run.py')).toBe('run.py');
  expect(titleOf('', 'https://x.test/docs/intro.md')).toBe('intro');
});

test('C443 a long section is cut at empty lines', () => {
  const paragraph = `${words(350)}\n\n`;
  const content = `# Long\n\n${paragraph.repeat(5)}`;
  expect(textsOf(content)).toEqual([`# Long\n\n${paragraph.repeat(2)}`, paragraph.repeat(2), paragraph]);
  expect(headingsOf(content)).toEqual([['Long'], ['Long'], ['Long']]);
});

test('C443 code and paragraphs that fit stay whole, and only what is longer is cut by lines, then by words', () => {
  const code = `\`\`\`js\n${`${words(95)}\n\n`.repeat(8)}\`\`\`\n\n`;
  expect(textsOf(`${words(500)}\n\n${code}${words(500)}\n`)).toEqual([`${words(500)}\n\n`, code, `${words(500)}\n`]);
  expect(textsOf(`text\n${code}`)).toEqual([`text\n${code}`]);
  const long = textsOf(`${`${words(95)}\n`.repeat(60)}`);
  expect(long.every((text) => text.length <= 1000 && text.endsWith('\n'))).toBe(true);
  const line = textsOf(words(9000));
  expect(line.every((text) => text.length <= 1000 && text.endsWith(' '))).toBe(true);
  expect(textsOf('\u{1f600}'.repeat(5000)).every((text) => text.isWellFormed() && text.length <= 1000)).toBe(true);
});

test('C444 an empty document has one chunk', () => {
  expect(chunkDocument('a.md', '').chunks).toEqual([
    { headings: [], startLine: 1, endLine: 1, startByte: 0, endByte: 0, text: '' },
  ]);
  expectFaithful('a.md', '\n\n');
});

test('C445 a file that is not Markdown has no headings', () => {
  expect(headingsOf('# comment\n\nTitle\n===\n', 'a.py')).toEqual([[]]);
});

const piece = fc.oneof(
  fc.constantFrom(
    '# A',
    '## B',
    'T\n===',
    '```',
    '````',
    '~~~',
    '  ```',
    '- ```js',
    '---',
    '+++',
    '<!--',
    '-->',
    '<pre>',
    '</pre>',
  ),
  fc.constantFrom('', '', ' ', '\t', 'text', '- item', '> quote', '    code', 'title: x'),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.integer({ min: 1, max: 900 }).map((length) => words(length * 5)),
  fc.integer({ min: 1, max: 5000 }).map((length) => '\u{1f600}x'.repeat(length).slice(0, length * 3 - (length % 3))),
);
const document = fc
  .array(fc.tuple(piece, fc.constantFrom('\n', '\n', '\n\n', '\r\n', '\r')), { maxLength: 40 })
  .map((parts) =>
    parts
      .map(([text, end]) => text + end)
      .join('')
      .toWellFormed(),
  );

test('C446 chunks cover any document, in order, without overlap, and their ranges give their texts', () => {
  fc.assert(
    fc.property(document, fc.constantFrom('a.md', 'a.txt'), (content, path) => expectFaithful(path, content)),
    { numRuns: 500 * factor },
  );
});

test('C446 no cut goes through a code fence that fits', () => {
  const fence = fc
    .tuple(fc.array(fc.constantFrom('# no', '', 'code', words(60)), { maxLength: 30 }), fc.constantFrom('```', '~~~~'))
    .map(([lines, mark]) => `${mark}\n${lines.map((line) => `${line}\n`).join('')}${mark}\n`);
  const between = fc.constantFrom('# H\n', '\n', 'text\n\n', `${words(700)}\n\n`);
  fc.assert(
    fc.property(fc.array(fc.oneof(fence, between), { maxLength: 20 }), (parts) => {
      const cuts = ends(textsOf(parts.join('')));
      const bounds = ends(parts);
      for (const [index, part] of parts.entries()) {
        const [from, to] = [bounds[index - 1] ?? 0, bounds[index] as number];
        if (/^[`~]/.test(part)) expect(cuts.filter((cut) => cut > from && cut < to)).toEqual([]);
      }
    }),
    { numRuns: 300 * factor },
  );
});

/** Where each text ends when they stand one after the other. */
function ends(texts: readonly string[]): number[] {
  let at = 0;
  return texts.map((text) => {
    at += text.length;
    return at;
  });
}

test('C447 the outline gives each heading with its level and the lines of its section', () => {
  expect(outlineOf('# A\ntext\n## B\ntext\n### C\n## D\n# E\n')).toEqual([
    { level: 1, text: 'A', startLine: 1, endLine: 6 },
    { level: 2, text: 'B', startLine: 3, endLine: 5 },
    { level: 3, text: 'C', startLine: 5, endLine: 5 },
    { level: 2, text: 'D', startLine: 6, endLine: 6 },
    { level: 1, text: 'E', startLine: 7, endLine: 7 },
  ]);
});
