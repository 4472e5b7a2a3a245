import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { SettingValues } from '../../src/config/settings.js';
import { invalidArgument } from '../../src/errors.js';
import { chooseDriver, type DriverName } from '../../src/storage/drivers/choose.js';
import type { ToolCall } from '../../src/tools/call.js';
import { ok, warning } from '../../src/tools/doctor/check.js';
import { checks } from '../../src/tools/doctor/checks.js';
import { examine } from '../../src/tools/doctor/doctor.js';
import { fakeOmniFocus } from '../support/fake-omnifocus.js';
import { addFiles } from '../support/files.js';
import { httpServer } from '../support/http-server.js';
import { scratchFolder, scratchWorkspace } from '../support/scratch.js';

const docs = { type: 'file', path: './docs', glob: '**/*.md' };

/** A healthy project that is synced, and ways to break it. */
async function patient(collections: Record<string, object> = { docs }) {
  const project = scratchFolder();
  addFiles(project, { 'context.json': JSON.stringify({ collections }), 'docs/guide.md': '# Guide\n\nWords.\n' });
  const workspace = await scratchWorkspace();
  const session = workspace.session({ project });
  await session.call('add_folder', { name: 'Work' });
  await session.call('collection_sync', {});
  const examined = async () => {
    const envelope = await session.call('doctor', {});
    if (!envelope.success) throw new Error(envelope.error);
    return envelope;
  };
  const outsideSql = (statements: string) => {
    const connection = chooseDriver((process.env.AI_ASSIST_SQLITE_DRIVER ?? 'auto') as DriverName).connect(
      workspace.location,
    );
    connection.exec(statements);
    connection.close();
  };
  return { project, workspace, examined, outsideSql };
}

test('O40 all is well: every check of the table is made', async () => {
  const { examined } = await patient();
  const { healthy, findings, skipped } = await examined();
  expect({ healthy, skipped }).toEqual({ healthy: true, skipped: [] });
  expect(findings.map(({ check }) => check)).toEqual(checks.map(({ name }) => name));
  for (const finding of findings) expect(finding).toMatchObject({ level: 'ok', message: expect.stringMatching(/\.$/) });
});

type Breaking = {
  what: string;
  check: string;
  level: 'warning' | 'problem';
  message: RegExp;
  mend: RegExp;
  how: (patient: { project: string; outsideSql: (statements: string) => void }) => void;
};

const breakings: Breaking[] = [
  {
    what: 'an audit entry that was changed',
    check: 'audit',
    level: 'problem',
    message: /broken at entry 1: the entry was changed/,
    mend: /audit export/,
    how: ({ outsideSql }) =>
      outsideSql("DROP TRIGGER audit_keeps_content; UPDATE audit SET agent = 'eve' WHERE seq = 1"),
  },
  {
    what: 'a chunk that is not in the keyword index',
    check: 'keywords',
    level: 'problem',
    message: /1 chunks are not in it, and 0 entries have no chunk/,
    mend: /collections sync --force/,
    how: ({ outsideSql }) => outsideSql('DELETE FROM chunk_words'),
  },
  {
    what: 'an entry of the keyword index without a chunk',
    check: 'keywords',
    level: 'problem',
    message: /0 chunks are not in it, and 1 entries have no chunk/,
    mend: /collections sync --force/,
    how: ({ outsideSql }) => outsideSql('PRAGMA foreign_keys = OFF; DELETE FROM reference_document_chunks'),
  },
  {
    what: 'a document whose collection is gone',
    check: 'database',
    level: 'problem',
    message: /rows of reference_documents refer to rows of collections that are gone/,
    mend: /backup/,
    how: ({ outsideSql }) => outsideSql('PRAGMA foreign_keys = OFF; DELETE FROM collections'),
  },
  {
    what: 'a schema that another version has changed meanwhile',
    check: 'schema',
    level: 'problem',
    message: /schema of the database is 999/,
    mend: /Update/,
    how: ({ outsideSql }) => outsideSql('PRAGMA user_version = 999'),
  },
  {
    what: 'a project file that is no JSON',
    check: 'project',
    level: 'problem',
    message: /context\.json/,
    mend: /./,
    how: ({ project }) => writeFileSync(path.join(project, 'context.json'), '{ "collections": '),
  },
  {
    what: 'a node that is its own parent',
    check: 'library',
    level: 'problem',
    message: /damaged at node '.*\(faults in all: \d+\)/,
    mend: /validate_tree --ruleset-id structure/,
    how: ({ outsideSql }) => outsideSql("UPDATE nodes SET parent_id = id WHERE type = 'folder'"),
  },
  {
    what: 'a ruleset that is none',
    check: 'project',
    level: 'problem',
    message: /rulesets/,
    mend: /./,
    how: ({ project }) =>
      writeFileSync(path.join(project, 'context.json'), JSON.stringify({ collections: { docs }, rulesets: 5 })),
  },
  {
    what: 'a category that draws from nowhere, once, also with a group on it',
    check: 'project',
    level: 'problem',
    message: /names 'nowhere', which is no collection/,
    mend: /category_change/,
    how: ({ project }) =>
      writeFileSync(
        path.join(project, 'context.json'),
        JSON.stringify({
          collections: { docs, all: { type: 'group', categories: ['lost'] } },
          categories: { lost: { collection: 'nowhere', patterns: ['*'] } },
        }),
      ),
  },
  {
    what: 'a stale collection',
    check: 'collections',
    level: 'warning',
    message: /'docs' has changed since its last sync/,
    mend: /ai-assist collections sync docs/,
    how: ({ project }) => writeFileSync(path.join(project, 'docs', 'new.md'), '# New\n'),
  },
  {
    what: 'a collection that was never synced',
    check: 'collections',
    level: 'warning',
    message: /'more' is not synced/,
    mend: /ai-assist collections sync more/,
    how: ({ project }) =>
      writeFileSync(
        path.join(project, 'context.json'),
        JSON.stringify({ collections: { docs, more: { ...docs, glob: '*.txt' } } }),
      ),
  },
];

test.each(breakings)('O40 O41 it finds $what', async ({ check, level, message, mend, how }) => {
  const { project, outsideSql, examined } = await patient();
  how({ project, outsideSql });
  const { healthy, findings } = await examined();
  const found = findings.filter((finding) => finding.level !== 'ok');
  expect(found).toMatchObject([
    { check, level, message: expect.stringMatching(message), mend: expect.stringMatching(mend) },
  ]);
  expect(healthy).toBe(level === 'warning');
});

test('O41 it finds a collection whose last sync failed', async () => {
  const { project, workspace, examined } = await patient();
  rmSync(path.join(project, 'docs'), { recursive: true });
  await workspace.session({ project }).call('collection_sync', {});
  const found = (await examined()).findings.filter(({ level }) => level !== 'ok');
  expect(found).toMatchObject([
    { check: 'collections', level: 'problem', message: expect.stringContaining("The last sync of 'docs' failed: ") },
  ]);
});

test('O41 O45 it finds whether OmniFocus answers, with a probe only', async () => {
  const mac = fakeOmniFocus();
  const session = (await scratchWorkspace({ env: mac.env, settings: { 'providers.folders': 'omnifocus' } })).session();
  const providers = async () => {
    const envelope = await session.call('doctor', {});
    return envelope.success ? envelope.findings.filter(({ check }) => check === 'providers') : [];
  };
  expect(await providers()).toEqual([
    { check: 'providers', level: 'ok', message: 'OmniFocus answers. It keeps the folders.' },
  ]);
  mac.faults('error -600');
  expect(await providers()).toEqual([
    {
      check: 'providers',
      level: 'problem',
      message: 'OmniFocus, which keeps the folders, does not answer: OmniFocus is not running (error -600)',
      mend: 'Open OmniFocus, then call again.',
    },
  ]);
  expect(mac.runs().map(({ kind }) => kind)).toEqual(['probe', 'probe']);
});

test('O41 a collection that is declared wrongly does not hide the others', async () => {
  const { project, examined } = await patient();
  const wrong = { type: 'pkg', url: 'ftp://host/manifest.json' };
  const file = path.join(project, 'context.json');
  writeFileSync(file, JSON.stringify({ collections: { wrong, docs, more: { ...docs, glob: '*.txt' } } }));
  const found = (await examined()).findings.filter(({ check }) => check === 'collections');
  expect(found).toMatchObject([
    { level: 'problem', message: expect.stringContaining('collections.wrong.url') },
    { level: 'ok', message: "The collection 'docs' is synced." },
    { level: 'warning', message: "The collection 'more' is not synced" },
  ]);
});

test('O41 it finds whether documents can be found by meaning', async () => {
  const meaning = async (settings: Partial<SettingValues>) => {
    // In the background too, as in a server, which must live on with an embedder that cannot be used.
    const session = (await scratchWorkspace({ settings, background: true })).session();
    const envelope = await session.call('doctor', {});
    return envelope.success ? envelope.findings.filter(({ check }) => check === 'meaning') : [];
  };
  expect(await meaning({ 'search.embedder': 'none' })).toMatchObject([
    { level: 'ok', message: expect.stringContaining('by words only') },
  ]);
  expect(await meaning({ 'search.embedder': 'minilm' })).toMatchObject([
    { level: 'ok', message: 'Documents can be found by meaning.' },
  ]);
  const refusing = await httpServer({
    '/v1/embeddings': (_request, response) => response.writeHead(401).end('{"error":"no such key"}'),
  });
  expect(await meaning({ 'search.embedder': 'openai', 'search.openai.url': refusing.url('/v1') })).toMatchObject([
    { level: 'problem', message: expect.stringContaining('answered with status 401: no such key') },
  ]);
  expect(await meaning({ 'search.embedder': 'openai', 'search.openai.url': 'nowhere' })).toMatchObject([
    {
      level: 'problem',
      message: expect.stringContaining("'nowhere' is not valid"),
      mend: expect.stringContaining('AI_ASSIST_OPENAI_URL'),
    },
  ]);
});

test('O41 it finds a damaged file', async () => {
  const { workspace, outsideSql } = await patient();
  const copy = path.join(scratchFolder(), 'copy.db');
  outsideSql(`VACUUM INTO '${copy}'`);
  await workspace.close();
  const bytes = readFileSync(copy);
  // Every page but the first few, which hold the schema.
  writeFileSync(copy, bytes.fill(0xab, Math.floor(bytes.length / 8192) * 4096));
  const settings = { database: copy, 'audit.reads': false };
  const envelope = await (await scratchWorkspace({ settings, lazy: true })).session().call('doctor', {});
  const found = envelope.success ? envelope.findings.filter(({ level }) => level !== 'ok') : [];
  expect(found).toMatchObject([{ check: 'database', level: 'problem', message: expect.stringContaining('damaged') }]);
});

test('O43 when the database cannot be read, its checks are skipped and the others made', async () => {
  const folder = scratchFolder();
  const database = path.join(folder, 'notes.db');
  writeFileSync(database, 'these are my notes');
  const workspace = await scratchWorkspace({ settings: { database, 'audit.reads': false }, lazy: true });
  const envelope = await workspace.session({ project: folder }).call('doctor', {});
  expect(envelope).toMatchObject({
    success: true,
    healthy: false,
    skipped: ['schema', 'audit', 'library', 'collections', 'keywords'],
  });
  const found = envelope.success ? envelope.findings.filter(({ level }) => level !== 'ok') : [];
  expect(found).toMatchObject([
    { check: 'database', level: 'problem', message: expect.stringContaining('is not a database') },
  ]);
});

test('O44 a check that throws is a problem with its own next move', async () => {
  const call = { signal: new AbortController().signal } as ToolCall;
  const report = await examine(
    [
      { name: 'first', needsDatabase: false, run: async () => [ok('Fine.'), warning('Hm', 'Wait.')] },
      {
        name: 'second',
        needsDatabase: true,
        run: async () => {
          throw invalidArgument`Bad '${'value'}'`.advise('Use a better one.');
        },
      },
    ],
    call,
  );
  expect(report).toEqual({
    healthy: false,
    skipped: [],
    findings: [
      { check: 'first', level: 'ok', message: 'Fine.' },
      { check: 'first', level: 'warning', message: 'Hm', mend: 'Wait.' },
      { check: 'second', level: 'problem', message: "Bad 'value'", mend: 'Use a better one.' },
    ],
  });
});

test('O45 it needs the role owner', async () => {
  const session = (await scratchWorkspace()).session({ role: 'editor' });
  expect(await session.call('doctor', {})).toMatchObject({ success: false, error_type: 'forbidden' });
});
