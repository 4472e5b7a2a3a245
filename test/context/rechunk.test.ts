/** Documents that were cut into chunks by older rules. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder, scratchWorkspace } from '../support/scratch.js';

test('R10 documents of older rules are cut anew from what is stored, and the sync reports no change', async () => {
  const folder = scratchFolder();
  writeFileSync(path.join(folder, 'a.md'), '# A\n\nzebra\n');
  writeFileSync(path.join(folder, 'b.html'), '<h1>B</h1><p>lion</p>');
  const collections = { docs: { type: 'file', path: '.', glob: '**/*.{md,html}' } };
  writeFileSync(path.join(folder, 'context.json'), JSON.stringify({ collections }));
  const workspace = await scratchWorkspace();
  const session = workspace.session({ project: folder });
  expect(await session.call('collection_sync', {})).toMatchObject({ results: [{ counts: { added: 2 } }] });
  // As an older version would have left it: no chunks that this version would make, and HTML as it came.
  const { openDatabase } = await import('../../src/storage/open.js');
  const driver = (process.env.AI_ASSIST_SQLITE_DRIVER || 'auto') as 'auto' | 'node' | 'libsql';
  const database = await openDatabase({ location: workspace.location, driver });
  await database.write(async (sql) => {
    await sql.run('INSERT INTO outdated_documents (document_id) SELECT id FROM reference_documents');
    await sql.run("UPDATE reference_documents SET content = '<h1>B</h1><p>lion</p>' WHERE path = 'b.html'");
    await sql.run('UPDATE reference_document_chunks SET headings = \'["old"]\'');
  });
  expect(await session.call('collection_sync', {})).toMatchObject({
    results: [{ status: 'unchanged', counts: { added: 0, updated: 0, removed: 0 } }],
  });
  expect(await session.call('ref_search', { query: 'zebra' })).toMatchObject({ results: [{ headings: ['A'] }] });
  expect(await session.call('ref_read', { collection: 'docs', path: 'b.html' })).toMatchObject({
    text: '# B\n\nlion\n',
  });
  expect(await database.read((sql) => sql.all('SELECT * FROM outdated_documents'))).toEqual([]);
  await database.close();
});
