import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { updateDocument } from '../../src/library/documents/update.js';
import { foundryDocuments } from '../../src/providers/foundry/globals.js';
import { fakeWorld } from '../support/fake-foundry.js';
import { root, runNode } from '../support/scratch.js';

const limits = { maxDepth: 50, maxInputBytes: 1e6 };

async function actor() {
  const world = fakeWorld();
  const port = foundryDocuments(world.game, world.fromUuid);
  const data = { name: 'Ada', bonds: ['sea', 'home'], items: [{ _id: 'sword00000000000', name: 'Sword' }] };
  const { documentId } = await port.create('Actor', data, undefined);
  const update = (request: object) => updateDocument(port, { documentType: 'Actor', documentId, ...request }, limits);
  return { world, port, documentId, update, data };
}

/** Every file that a built one imports, and the packages that it names. */
function importsOf(file: string, seen = new Set<string>()): { files: Set<string>; packages: string[] } {
  const packages: string[] = [];
  const visit = (at: string) => {
    if (seen.has(at)) return;
    seen.add(at);
    for (const [, name = ''] of readFileSync(at, 'utf8').matchAll(
      /^(?:import|export)[^'"]*?from '([^']+)'|^import '([^']+)'/gm,
    )) {
      if (name.startsWith('.')) visit(path.resolve(path.dirname(at), name));
      else packages.push(name);
    }
  };
  visit(file);
  return { files: seen, packages };
}

test('D80 all that the port on globals imports has no Node API and no package', async () => {
  const { files, packages } = importsOf(path.join(root, 'dist', 'foundry.js'));
  expect(packages).toEqual([]);
  expect(files.size).toBeGreaterThan(10);
  for (const file of files) expect(readFileSync(file, 'utf8'), file).not.toMatch(/\b(Buffer|require|__dirname)\b\(?/);
  // Without what Node puts beside the language it works as well.
  const code = `delete globalThis.process; delete globalThis.Buffer;
    const { foundryDocuments, updateDocument } = await import(${JSON.stringify(path.join(root, 'dist', 'foundry.js'))});
    const source = { _id: 'a', list: [1, 2] };
    const document = { id: 'a', toObject: () => structuredClone(source), canUserModify: () => true,
      update: async (data) => Object.assign(document, { sent: data }) };
    const collection = { contents: [document], get: (id) => (id === 'a' ? document : undefined) };
    const port = foundryDocuments({ user: {}, collections: new Map([['Actor', collection]]) });
    const limits = { maxDepth: 9, maxInputBytes: 999 };
    const at = { documentType: 'Actor', documentId: 'a' };
    await updateDocument(port, { ...at, operations: [{ path: 'list', action: 'delete', index: 0 }] }, limits);
    const refused = await updateDocument(port, { ...at, updates: {} }, limits).catch((failure) => failure.message);
    console.log(JSON.stringify([document.sent, refused]));`;
  const { stdout, stderr } = await runNode(['--input-type=module', '-e', code], { PATH: process.env.PATH });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual([{ list: [2] }, 'Nothing to change: pass updates, operations or patch']);
});

test('D81 canUserModify is asked before a write', async () => {
  const { world, port, documentId, update, data } = await actor();
  world.mayModify = false;
  const forbidden = { type: 'forbidden' };
  await expect(update({ updates: { name: 'Eve' } })).rejects.toMatchObject(forbidden);
  await expect(port.remove({ documentType: 'Actor', documentId })).rejects.toMatchObject(forbidden);
  await expect(port.create('Actor', { name: 'x' }, undefined)).rejects.toMatchObject(forbidden);
  expect(world.updates).toEqual([]);
  expect((await port.get({ documentType: 'Actor', documentId })).data).toMatchObject(data);
});

test('D81 what resolves to nothing was cancelled', async () => {
  const { world, port, documentId, update } = await actor();
  world.hook = () => false;
  const cancelled = (what: string) => ({ type: 'conflict', message: `Foundry cancelled the ${what}` });
  await expect(update({ updates: { name: 'Eve' } })).rejects.toMatchObject(cancelled('update'));
  await expect(port.remove({ documentType: 'Actor', documentId })).rejects.toMatchObject(cancelled('deletion'));
  await expect(port.create('Actor', { name: 'x' }, undefined)).rejects.toMatchObject(cancelled('creation'));
  world.hook = () => undefined;
  // An update of nothing resolves to nothing in Foundry too: it is not sent, and is no cancellation.
  expect((await update({ updates: { name: 'Ada' } })).differences).toEqual([]);
});

test('D71 D73 D77 whole arrays are sent, and embedded documents are not left out', async () => {
  const { world, update } = await actor();
  await update({ operations: [{ path: 'bonds', action: 'delete', index: 0 }] });
  expect(world.updates).toEqual([{ bonds: ['home'] }]);
  await expect(update({ operations: [{ path: 'items', action: 'delete', index: 0 }] })).rejects.toMatchObject({
    type: 'invalid_argument',
  });
  await expect(update({ patch: [{ op: 'remove', path: '/bonds' }] })).rejects.toMatchObject({
    type: 'invalid_argument',
  });
  expect(world.updates).toHaveLength(1);
});

test('D71 a long array is sent as any other', async () => {
  const { world, update } = await actor();
  const bonds = Array.from({ length: 300_000 }, () => ({}));
  await update({ updates: { bonds } });
  expect(world.updates[0]?.bonds).toHaveLength(bonds.length);
});

test('D79 a uuid leads to an embedded document', async () => {
  const { port, documentId } = await actor();
  const which = { documentType: 'Item', documentId: `Actor.${documentId}.Item.sword00000000000` };
  expect((await port.get(which)).data).toMatchObject({ name: 'Sword' });
  await expect(port.get({ ...which, documentId: `Actor.${documentId}.Item.ghost` })).rejects.toMatchObject({
    type: 'not_found',
  });
});

test('D74 data that does not fit is the caller’s to mend; other errors are not hidden', async () => {
  const { update, port, documentId } = await actor();
  await expect(update({ updates: { name: '' } })).rejects.toMatchObject({ type: 'invalid_argument' });
  const { world } = await actor();
  world.hook = () => {
    throw new Error('a broken module');
  };
  const other = foundryDocuments(world.game);
  await expect(other.create('Actor', { name: 'x' }, undefined)).rejects.toThrow('a broken module');
  expect(await port.get({ documentType: 'Actor', documentId })).toBeDefined();
});
