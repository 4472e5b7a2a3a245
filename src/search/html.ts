/** HTML as Markdown: what a reader of the page sees, with its headings, lists, tables, code and links. */
import { type AnyNode, type Document, type Element, isTag, isText, type ParentNode } from 'domhandler';
import { findOne, getElementsByTagName, textContent } from 'domutils';
import { parseDocument } from 'htmlparser2';
import { type Block, blockquote, codeBlock, item, table } from './html-blocks.js';

/** Nothing to read for anyone. */
const unseen = new Set('script style template noscript svg iframe object nav select button input textarea'.split(' '));
const blockNames = new Set(
  `address article aside blockquote body dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5
  h6 header hr html li main ol p pre section summary table ul`.split(/\s+/),
);
/** Deeper than any page that is meant to be read: from here on, only the text counts. */
const DEEPEST = 200;

export function htmlToMarkdown(html: string): string {
  try {
    return pageToMarkdown(html);
  } catch (thrown) {
    // Elements nested by the thousands are no page that someone wrote: its words are kept.
    if (!(thrown instanceof RangeError)) throw thrown;
    return `${oneLine(html.replace(/<[^<>]{0,1000}>/g, ' '))}\n`;
  }
}

function pageToMarkdown(html: string): string {
  const page = parseDocument(html);
  const main = findOne(({ name }) => name === 'main' || name === 'article', page.children) ?? bodyOf(page);
  const text = blocksIn(main, 0)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .join('\n\n');
  return `${frontMatterOf(page)}${text}\n`;
}

const bodyOf = (page: Document): ParentNode => findOne(({ name }) => name === 'body', page.children) ?? page;

/** What the head says of the page, in the form in which Markdown says it. */
function frontMatterOf(page: Document): string {
  const meta = (name: string) =>
    findOne((each) => each.name === 'meta' && each.attribs.name?.toLowerCase() === name, page.children)?.attribs
      .content;
  const [title] = getElementsByTagName('title', page, true, 1);
  const said = { title: title && textContent(title), description: meta('description'), tags: meta('keywords') };
  const lines = Object.entries(said).flatMap(([key, value]) => {
    const text = oneLine(value ?? '').replaceAll('"', "'");
    return text === '' ? [] : [`${key}: ${key === 'tags' ? `[${text}]` : `"${text}"`}`];
  });
  return lines.length > 0 ? `---\n${lines.join('\n')}\n---\n\n` : '';
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The blocks below a node. Text and inline elements between blocks are paragraphs. */
function blocksIn(node: ParentNode, depth: number): Block[] {
  if (depth > DEEPEST) return [oneLine(textContent(node))];
  const blocks: Block[] = [];
  let line = '';
  for (const child of node.children) {
    if (isTag(child) && isBlock(child)) {
      blocks.push(paragraph(line), ...blockOf(child, depth + 1));
      line = '';
    } else line += inline(child, depth + 1);
  }
  return [...blocks, paragraph(line)];
}

/** An inline element with blocks inside, such as a link around a card, counts as a block. */
const isBlock = (element: Element): boolean =>
  blockNames.has(element.name) ||
  (!unseen.has(element.name) && element.children.some((child) => isTag(child) && blockNames.has(child.name)));

/** A text that would read as a mark of Markdown is told apart from one. */
const paragraph = (text: string): Block =>
  text
    .replace(/[ \t\r\f]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim()
    .replace(/^(#{1,6} |[-+*>] |={3,}|-{3,}|`{3,}|~{3,})/gm, '\\$1')
    .replace(/^(\d{1,9})([.)] )/gm, '$1\\$2');

function blockOf(element: Element, depth: number): Block[] {
  const { name } = element;
  if (/^h[1-6]$/.test(name)) {
    const text = oneLine(inlineOf(element, depth));
    return text === '' ? [] : [`${'#'.repeat(Number(name[1]))} ${text}`];
  }
  if (name === 'hr') return ['---'];
  if (name === 'pre') return [codeBlock(textContent(element), languageOf(element))];
  if (name === 'blockquote') return [blockquote(blocksIn(element, depth))];
  if (name === 'ul' || name === 'ol') return [list(element, depth)];
  if (name === 'table') return [table(rowsOf(element, depth))];
  return blocksIn(element, depth);
}

function languageOf(pre: Element): string {
  const code = findOne(({ name }) => name === 'code', pre.children);
  const classes = `${pre.attribs.class ?? ''} ${code?.attribs.class ?? ''}`;
  return /(?:language|lang|highlight-source)-([\w+#-]{1,20})/.exec(classes)?.[1] ?? '';
}

function list(element: Element, depth: number): Block {
  const first = Number(element.attribs.start ?? 1);
  const items = element.children.filter(isTag).filter(({ name }) => !unseen.has(name));
  return items
    .map((each, at) =>
      item(element.name === 'ol' ? `${(Number.isInteger(first) ? first : 1) + at}. ` : '- ', blocksIn(each, depth)),
    )
    .join('\n');
}

function rowsOf(element: Element, depth: number): string[][] {
  return getElementsByTagName('tr', element).map((row) =>
    row.children
      .filter(isTag)
      .filter(({ name }) => name === 'td' || name === 'th')
      .map((cell) => oneLine(inlineOf(cell, depth))),
  );
}

const inlineOf = (node: ParentNode, depth: number): string =>
  depth > DEEPEST ? oneLine(textContent(node)) : node.children.map((child) => inline(child, depth + 1)).join('');

function inline(node: AnyNode, depth: number): string {
  if (isText(node)) return node.data.replace(/\s+/g, ' ');
  if (!isTag(node) || unseen.has(node.name)) return '';
  if (node.name === 'br') return '\n';
  if (node.name === 'img') return node.attribs.alt ? `![${oneLine(node.attribs.alt)}](${node.attribs.src ?? ''})` : '';
  if (node.name === 'code' || node.name === 'kbd' || node.name === 'samp') return codeSpan(textContent(node));
  const text = inlineOf(node, depth);
  if (text.trim() === '') return text;
  const spaced = blockNames.has(node.name) ? `${text} ` : text;
  return spaced.replace(/\S(?:[\s\S]*\S)?/, (inner) => wrapped(node, inner));
}

function wrapped({ name, attribs }: Element, text: string): string {
  if (name === 'strong' || name === 'b') return `**${text}**`;
  if (name === 'em' || name === 'i') return `*${text}*`;
  const { href } = attribs;
  // A link to a heading of its own, as many generators write them, says nothing.
  if (name !== 'a' || !href || /^javascript:/i.test(href)) return text;
  return href.startsWith('#') && text.length <= 1 ? '' : `[${text}](${href.replace(/\s/g, '%20')})`;
}

function codeSpan(text: string): string {
  const plain = oneLine(text);
  if (plain === '') return '';
  const ticks = plain.includes('`') ? '``' : '`';
  return plain.startsWith('`') || plain.endsWith('`') ? `${ticks} ${plain} ${ticks}` : ticks + plain + ticks;
}
