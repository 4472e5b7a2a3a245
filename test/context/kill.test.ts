/** A sync that is killed again and again: what is stored is always whole, and the last sync ends where it should. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readState } from '../../src/context/collection-store.js';
import { syncCollection } from '../../src/context/sync.js';
import type { DriverName } from '../../src/storage/drivers/choose.js';
import { openDatabase } from '../../src/storage/open.js';
import type { Database } from '../../src/storage/sql.js';
import { factor } from '../support/effort.js';
import { scratchDatabase } from '../support/library-port.js';
import { scratchFolder } from '../support/scratch.js';
import { folderSource } from './folder-source.mjs';
import { contentOf, expectWhole } from './indexed.js';

const child = path.join(import.meta.dirname, 'kill.child.mjs');
const FILES = 300;
const KILLS = 50 * factor;
const TIMEOUT_MS = 180_000 * Math.max(1, factor);
const id = 'file:1';
const queries = ['zebra', '"lion tiger"', 'file', 'otter -wolf', 'original'];

const random = (below: number) => Math.floor(Math.random() * below);

/** Starts a process that syncs for ever, and kills it after so many of its lines and a little more. */
async function syncAndKill(location: string, folder: string, lines: number): Promise<void> {
  const running = spawn(process.execPath, [child, location, folder, String(FILES)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void running.kill('SIGKILL'));
  const closed = once(running, 'close');
  let seen = 0;
  for await (const _ of createInterface({ input: running.stdout })) if (++seen >= lines) break;
  for (let turns = random(100); turns > 0; turns--) await setImmediate();
  running.kill('SIGKILL');
  expect(await closed).toEqual([null, 'SIGKILL']);
}

/** Opens the file as the first one after the kill, so that what the killed process left must be recovered. */
async function withDatabase<T>(location: string, work: (database: Database) => Promise<T>): Promise<T> {
  const driver = (process.env.AI_ASSIST_SQLITE_DRIVER ?? 'auto') as DriverName;
  const database = await openDatabase({ location, driver });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const sync = (database: Database, folder: string) =>
  syncCollection({
    database,
    id,
    spec: { type: 'file', path: folder, glob: '**/*.md' },
    source: folderSource(folder),
    waitMs: 0,
  });

test(
  'C470 killed at random points, a sync leaves whole documents, and the next ends as if nothing had happened',
  async () => {
    const scratch = scratchFolder();
    const [location, folder] = [path.join(scratch, 'data.db'), path.join(scratch, 'docs')];
    mkdirSync(folder);
    for (let file = 0; file < FILES; file++) {
      writeFileSync(path.join(folder, `${file}.md`), `# File ${file}\n\noriginal\n\n## Part\n\nzebra ${file}\n`);
    }
    let inTheMiddle = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await syncAndKill(location, folder, 1 + random(kill % 2 === 0 ? 30 : 250));
      await withDatabase(location, async (database) => {
        await expectWhole(database);
        const record = await database.read((sql) => readState(sql, id));
        if (record && !record.complete) inTheMiddle++;
      });
    }
    expect(inTheMiddle).toBeGreaterThan(0);
    const untouched = await scratchDatabase();
    const expected = await sync(untouched, folder);
    const finished = await withDatabase(location, async (database) => {
      expect(await sync(database, folder)).toMatchObject({ documents: expected.documents, warnings: [] });
      await expectWhole(database);
      expect(await database.read((sql) => sql.all('PRAGMA integrity_check'))).toEqual([{ integrity_check: 'ok' }]);
      await database.write((sql) => sql.run("INSERT INTO chunk_words (chunk_words) VALUES ('integrity-check')"));
      return contentOf(database, queries);
    });
    expect(finished).toEqual(await contentOf(untouched, queries));
  },
  TIMEOUT_MS,
);
