/** Searches in this process, while another one syncs, and after that one was killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { search } from '../../src/search/search.js';
import type { DriverName } from '../../src/storage/drivers/choose.js';
import { openDatabase } from '../../src/storage/open.js';
import type { Database } from '../../src/storage/sql.js';
import { scratchFolder } from '../support/scratch.js';
import { noVectors } from './no-vectors.js';

const child = path.join(import.meta.dirname, '..', 'context', 'kill.child.mjs');
const FILES = 60;
const SEARCHES = 40;

async function opened(location: string): Promise<Database> {
  const driver = (process.env.AI_ASSIST_SQLITE_DRIVER || 'auto') as DriverName;
  const database = await openDatabase({ location, driver });
  onTestFinished(() => database.close());
  return database;
}

/** What a search finds is what stands in the texts at the same moment, and each snippet is of its document. */
async function expectConsistent(database: Database): Promise<string> {
  return database.read(async (sql) => {
    const found = await search(sql, noVectors, { query: 'zebra', mode: 'keyword', limit: 2 * FILES });
    const texts = await sql.all<{ path: string; content: string }>(
      "SELECT path, content FROM reference_documents WHERE content LIKE '%zebra%' ORDER BY path",
    );
    const names = found.flatMap((hit) => [hit, ...hit.duplicates].map(({ document }) => document)).sort();
    expect(names).toEqual(texts.map((text) => text.path).sort());
    const contents = new Map(texts.map((text) => [text.path, text.content]));
    for (const { document, snippet } of found)
      expect(contents.get(document)).toContain(snippet.replace(/<\/?mark>|^…|…$/g, ''));
    return JSON.stringify(texts);
  });
}

test('R36 searches while another process syncs, and after it was killed, answer from one consistent state', async () => {
  const scratch = scratchFolder();
  const [location, folder] = [path.join(scratch, 'data.db'), path.join(scratch, 'docs')];
  mkdirSync(folder);
  for (let file = 0; file < FILES; file++)
    writeFileSync(path.join(folder, `${file}.md`), `# File ${file}\n\noriginal\n\n## Part\n\nzebra ${file}\n`);
  const reader = await opened(location);
  const syncing = spawn(process.execPath, [child, location, folder, String(FILES)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void syncing.kill('SIGKILL'));
  const closed = once(syncing, 'close');
  const states = new Set<string>();
  let searches = 0;
  for await (const line of createInterface({ input: syncing.stdout })) {
    states.add(await expectConsistent(reader));
    // Until the index has changed under the searches, and then from the middle of a sync.
    if (++searches >= SEARCHES && states.size > 2 && line === 'reading') break;
  }
  syncing.kill('SIGKILL');
  expect(await closed).toEqual([null, 'SIGKILL']);
  const left = await expectConsistent(reader);
  expect(await expectConsistent(await opened(location))).toBe(left);
});
