/** Documents of every format, cut into chunks. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunkDocument } from '../../src/search/chunk.js';
import { htmlToMarkdown } from '../../src/search/html.js';
import { indexedText } from '../../src/search/indexed-text.js';
import { outlineOf } from '../../src/search/outline.js';
import { defaultSizes } from '../../src/search/pack.js';
import { factor } from '../support/effort.js';

const words = (count: number) => 'word '.repeat(count).trim();
const chunksOf = (content: string, path = 'a.md') => chunkDocument(path, content).chunks;
const textsOf = (content: string, path = 'a.md') => chunksOf(content, path).map(({ text }) => text);

/** Where texts that follow each other end. */
function endsOf(texts: readonly string[]): number[] {
  let at = 0;
  return texts.map((text) => {
    at += text.length;
    return at;
  });
}

test('R1 short sections join, and have the headings above all of them', () => {
  const content = '# Guide\n\n## Install\n\nRun it.\n\n## Use\n\nCall it.\n';
  expect(chunksOf(content)).toMatchObject([{ headings: ['Guide'], startLine: 1, endLine: 9, text: content }]);
  const long = `# Guide\n\n## Install\n\n${words(120)}\n\n## Use\n\n${words(120)}\n`;
  expect(chunksOf(long).map(({ headings }) => headings)).toEqual([
    ['Guide', 'Install'],
    ['Guide', 'Use'],
  ]);
});

const fence = fc.integer({ min: 1, max: 25 }).map((lines) => `\`\`\`js\n${'call();\n\n'.repeat(lines)}\`\`\`\n\n`);
const table = fc
  .integer({ min: 1, max: 12 })
  .map((rows) => `| a | b |\n|---|---|\n${'| one | two |\n'.repeat(rows)}\n`);
const item = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.boolean())
  .map(([size, deep]) => `- ${words(size)}\n${deep ? `\n  ${words(30)}\n  - inner\n` : ''}`);

test('R2 no cut goes through a fence, a table or a list item that fits', () => {
  const prose = fc.integer({ min: 1, max: 150 }).map((size) => `${words(size)}\n\n`);
  const part = fc.oneof(fence, table, item, prose);
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 15 }), (parts) => {
      // An item ends where the next block begins, so that a list and a paragraph do not run into each other.
      const content = parts.map((text) => (text.startsWith('-') ? text : `\n${text}`));
      const bounds = endsOf(content);
      const cuts = endsOf(textsOf(content.join('')));
      for (const [index, text] of content.entries()) {
        const [from, to] = [(bounds[index - 1] ?? 0) + text.search(/\S/), (bounds[index] ?? 0) - 2];
        expect(cuts.filter((cut) => cut > from && cut < to)).toEqual([]);
      }
    }),
    { numRuns: 150 * factor },
  );
});

test('R2 a long list is cut between its items, and a long item between its paragraphs and inner lists', () => {
  const items = Array.from({ length: 12 }, (_, number) => `- item ${number} ${words(40)}\n`);
  expect(textsOf(items.join('')).every((text) => text.startsWith('- item'))).toBe(true);
  const long = `- first ${words(100)}\n\n  second ${words(100)}\n  - inner ${words(100)}\n`;
  expect(textsOf(long).map((text) => text.trim().split(' ').slice(0, 2).join(' '))).toEqual([
    '- first',
    'second word',
    '- inner',
  ]);
});

test('R3 a heading stays with what follows it', () => {
  const content = `${words(140)}\n\n## Code\n\n\`\`\`\n${`${words(16)}\n`.repeat(10)}\`\`\`\n`;
  expect(textsOf(content).map((text) => text.slice(0, 7))).toEqual(['word wo', '## Code']);
});

test('R4 chunks are no longer than the limit, but for what introduces them', () => {
  const content = `# A\n\n${`${words(37)}. `.repeat(60)}\n\n${`${words(19)}\n`.repeat(80)}`;
  for (const { text } of chunksOf(content)) {
    expect(text.split(/\s+/).length).toBeLessThan(defaultSizes.limit * 1.25);
  }
});

test('R5 broken MDX is still text, with its headings', () => {
  const content =
    "import { Tabs } from './tabs'\n\n# Title\n\n<Tabs items={['a'\n\n## Inside\n\n{/* open\n\n<Unclosed>\n\n## After\n\ntext {value\n";
  expect(outlineOf('a.mdx', content).map(({ text }) => text)).toEqual(['Title', 'Inside', 'After']);
  expect(textsOf(content, 'a.mdx').join('')).toBe(content);
  expect(chunkDocument('a.mdx', content).title).toBe('Title');
});

const restructured = `==========
The manual
==========

Intro text::

    # not a title
    ------

Install
=======

.. note::

   Read on.

Options
-------

* one
`;

test('R6 titles of reStructuredText are headings, and what is indented belongs to what is above it', () => {
  expect(outlineOf('a.rst', restructured)).toEqual([
    { level: 1, text: 'The manual', startLine: 1, endLine: 20 },
    { level: 2, text: 'Install', startLine: 10, endLine: 20 },
    { level: 3, text: 'Options', startLine: 17, endLine: 20 },
  ]);
  expect(chunkDocument('a.rst', restructured).title).toBe('The manual');
  expect(textsOf(restructured, 'a.rst').join('')).toBe(restructured);
  expect(outlineOf('a.rst', 'text\n\n--\n\nshort title\n===\n')).toEqual([]);
});

const page = `<!doctype html><html><head><title>The page</title><meta name="description" content="What it is">
<meta name="keywords" content="one, two"><style>p{}</style></head><body><nav><a href="/">Home</a></nav>
<main><h1>Hello <code>world</code></h1><p>Some <b>bold</b> and <a href="x.html">a link</a>.<br>Next</p>
<ul><li>first<ul><li>inner</li></ul></li><li><p>second</p></li></ul><ol start="3"><li>three</li></ol>
<pre><code class="language-js">if (a &lt; b) {\n  # no heading\n}</code></pre>
<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2|3</td></tr></table>
<p># not a heading</p><blockquote><p>quoted</p></blockquote><script>alert(1)</script></main></body></html>`;

test('R7 HTML becomes Markdown', () => {
  const markdown = htmlToMarkdown(page);
  expect(markdown).toBe(`---
title: "The page"
description: "What it is"
tags: [one, two]
---

# Hello \`world\`

Some **bold** and [a link](x.html).
Next

- first
  - inner
- second

3. three

\`\`\`js
if (a < b) {
  # no heading
}
\`\`\`

| a | b |
| --- | --- |
| 1 | 2\\|3 |

\\# not a heading

> quoted
`);
  expect(outlineOf('a.html', markdown).map(({ text }) => text)).toEqual(['Hello world']);
  expect(chunkDocument('a.html', markdown)).toMatchObject({ title: 'The page', tags: ['one', 'two'] });
});

test('R7 no HTML is an error, however deep or broken', () => {
  expect(htmlToMarkdown('')).toBe('\n');
  expect(htmlToMarkdown('<p>open <b>bold<p>next')).toContain('next');
  for (const tag of ['div', 'b', 'ul><li', 'blockquote', 'table><tr><td']) {
    expect(htmlToMarkdown(`<${tag}>`.repeat(20_000).concat('deep'))).toContain('deep');
  }
  const piece = fc.constantFrom(
    '<p>',
    '</p>',
    '<ul>',
    '<li>',
    '<pre>',
    '<a href="',
    '">',
    '<!--',
    '<td>',
    'text',
    '&amp;',
    '<',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }), (parts) => {
      expect(typeof htmlToMarkdown(parts.join(''))).toBe('string');
    }),
    { numRuns: 200 * factor },
  );
});

test.each([
  ['tags: [a, "b c"]\n', ['a', 'b c']],
  ['tags:\n  - a\n  - b c\n', ['a', 'b c']],
  ['keywords: a, b c\n', ['a', 'b c']],
  ['tags = ["a", "b c"]\n', ['a', 'b c']],
  ['tags: []\n', undefined],
])('R8 tags are read from %j', (line, tags) => {
  const mark = line.includes('=') ? '+++' : '---';
  expect(chunkDocument('a.md', `${mark}\n${line}${mark}\ntext\n`).tags).toEqual(tags);
});

test('R8 a description is read, also over several lines', () => {
  expect(chunkDocument('a.md', '---\ndescription: "Short: one"\n---\n').description).toBe('Short: one');
  expect(chunkDocument('a.md', '---\ndescription: >\n  two\n  lines\nother: 1\n---\n').description).toBe('two lines');
  expect(chunkDocument('a.md', 'text').description).toBeUndefined();
});

test('R9 the text that is indexed begins with the title and the headings, none twice in a row', () => {
  const text = indexedText({ title: 'Guide', headings: ['Guide', 'Use'], text: '## Use\n\nCall it.\n' });
  expect(text).toBe('Guide\nUse\n\nCall it.\n');
  expect(indexedText({ title: 'T', headings: [], text: 'Use\n===\ntext' })).toBe('T\n\nUse\n===\ntext');
  expect(indexedText({ title: 'Use', headings: ['Use'], text: 'Use\n===\ntext' })).toBe('Use\n\ntext');
  expect(indexedText({ title: '', headings: [], text: '' })).toBe('\n\n');
});

test.each([
  ['items nested ever deeper', Array.from({ length: 1500 }, (_, at) => `${' '.repeat(at)}- x`).join('\n')],
  ['items of ever less indent', Array.from({ length: 1500 }, (_, at) => `${' '.repeat(1500 - at)}- x`).join('\n')],
  ['fences in items without an end', '- ```\n'.repeat(20_000)],
  ['one line', words(200_000)],
  ['one word', 'x'.repeat(1_000_000)],
  ['lines of titles', 'T\n===\n'.repeat(50_000)],
  ['adornments', '====\n'.repeat(50_000)],
])('R11 %s', (_, content) => {
  for (const path of ['a.md', 'a.rst', 'a.txt']) expect(textsOf(content, path).join('')).toBe(content);
});
