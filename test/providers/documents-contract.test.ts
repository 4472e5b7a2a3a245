import type { DocumentPort } from '../../src/library/documents/document.js';
import { libraryDocuments } from '../../src/library/documents/library-documents.js';
import { signedTokens } from '../../src/library/documents/signed-tokens.js';
import { openChange } from '../../src/library/tree/change.js';
import { idSource } from '../../src/library/tree/id.js';
import { saveType } from '../../src/library/tree/types.js';
import { foundryDocuments } from '../../src/providers/foundry/globals.js';
import { openRelay } from '../../src/providers/foundry/relay-client.js';
import { relayDocuments } from '../../src/providers/foundry/relay-documents.js';
import type { Database, Sql } from '../../src/storage/sql.js';
import { documentContract } from '../contract/document-port.js';
import { type FakeWorld, fakeWorld } from '../support/fake-foundry.js';
import { fakeRelay, relayClient, relayKey } from '../support/fake-foundry-relay.js';
import { portOn, scratchDatabase } from '../support/library-port.js';

const newId = idSource(Date.now);

/** The documents of a library, where each call is a transaction of its own. */
function documentsOn(database: Database): DocumentPort {
  const at = (sql: Sql) =>
    libraryDocuments(openChange({ sql, agent: 'test', tool: 'test', at: Date.now(), newId }), 'test');
  return {
    types: () => database.read((sql) => at(sql).types()),
    checkType: (type) => database.read((sql) => at(sql).checkType(type)),
    get: (which) => database.read((sql) => at(sql).get(which)),
    list: (query) => database.read((sql) => at(sql).list(query)),
    create: (type, data, folderId) => database.write((sql) => at(sql).create(type, data, folderId)),
    update: (document, update) => database.write((sql) => at(sql).update(document, update)),
    remove: (which) => database.write((sql) => at(sql).remove(which)),
  };
}

documentContract('the embedded library', async () => {
  const database = await scratchDatabase();
  for (const name of ['Actor', 'Item']) {
    await database.write((sql) => saveType(sql, { name, schema: null, protectedPaths: [], allowedParents: null }));
  }
  const folders = portOn(database);
  const addFolder = async (parentId?: string) =>
    (await folders.add('x', { placement: 'ending', ...(parentId && { relativeTo: parentId }) })).id;
  return { port: documentsOn(database), addFolder };
});

function foldersOf(world: FakeWorld) {
  let made = 0;
  return async (parentId?: string) => {
    const id = `folder${++made}`;
    world.addFolder(id, 'Actor', parentId);
    return id;
  };
}

documentContract('a fake Foundry world, by its relay', async () => {
  const { url, world } = await fakeRelay();
  const { signal } = new AbortController();
  const relay = openRelay({ url, clientId: relayClient, apiKey: relayKey, timeoutMs: 5000, signal });
  const tokens = signedTokens(await scratchDatabase(), 'test', 'foundry');
  return { port: relayDocuments(relay, { dryRun: false, tokens }), addFolder: foldersOf(world) };
});

documentContract("a fake Foundry world, by Foundry's globals", async () => {
  const world = fakeWorld();
  return { port: foundryDocuments(world.game), addFolder: foldersOf(world) };
});
