/** The first half of the story: documents from elsewhere, packed, synced and searched. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Session } from '../../workspace.js';
import { count, made, type Stage, say, step } from './stage.js';

export async function packDocuments({ workspace, handbook }: Stage): Promise<string> {
  step('1. A team packs its handbook', 'collections pack');
  const team = workspace.session({ agent: 'team', role: 'editor', project: handbook });
  const first = await made(team.call('collection_pack', {}));
  const again = await made(team.call('collection_pack', {}));
  say(`${path.basename(first.file)}: ${count(first.documents.length, 'document')}, ${first.bytes} bytes`);
  say(`sha256 ${first.sha256.slice(0, 16)}…, packed again: ${same(first.sha256, again.sha256)}`);
  return pathToFileURL(first.file).href;
}

const same = (a: string, b: string) => (a === b ? 'the same bytes' : 'other bytes');

/** Only an owner may name a place outside the project; the agents then use what is there. */
export async function syncDocuments(you: Session, ada: Session, url: string): Promise<void> {
  step(
    '2. You add it to your project, and Ada, an agent, syncs and searches it, offline',
    `collections add handbook file://…/${path.posix.basename(url)}`,
    'collections sync --wait',
    'ref search what if a deployment goes wrong',
  );
  await made(you.call('project_init', {}));
  await made(you.call('collection_add', { name: 'handbook', url }));
  const { results, embedded = 0 } = await made(ada.call('collection_sync', { name: 'handbook', wait: true }));
  for (const { documents, status } of results) say(`${status}: ${count(documents, 'document')}`);
  say(`${count(embedded, 'text')} can be found by meaning, by a model that runs here`);
  await search(ada, 'what if a deployment goes wrong');
}

async function search(session: Session, query: string): Promise<void> {
  const { results } = await made(session.call('ref_search', { query, limit: 1 }));
  for (const { document, lines, headings, snippet } of results) {
    say(`found ${document}:${lines.start}  ${headings.join(' > ')}, though it has none of these words`);
    say(`  ${withoutHeadings(snippet.replace(/<\/?mark>/g, '')).slice(0, 90)}`);
  }
}

const withoutHeadings = (text: string) =>
  text
    .replace(/^#+ .*$/gm, '')
    .trim()
    .replace(/\s+/g, ' ');
