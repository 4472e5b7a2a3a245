import { expect, test } from 'vitest';
import { openOmniFocus } from '../../src/providers/omnifocus/application.js';
import { omnifocusFolders } from '../../src/providers/omnifocus/folders.js';
import { folderScript } from '../../src/providers/omnifocus/script.js';
import { folderContract } from '../contract/folder-port.js';
import { fakeOmniFocus, type Section } from '../support/fake-omnifocus.js';

const portOn = ({ env }: { env: NodeJS.ProcessEnv }, dryRun = false) =>
  omnifocusFolders(openOmniFocus({ env, timeoutMs: 60_000 }), { dryRun });

folderContract('OmniFocus', async () => portOn(fakeOmniFocus()));

const folder = (id: string, ...children: Section[]): Section => ({ kind: 'folder', id, name: id, children });
const project = (id: string): Section => ({ kind: 'project', id, name: id });
const outline = (sections: Section[] = []): string =>
  sections.map(({ id, children = [] }) => (children.length ? `${id}(${outline(children)})` : id)).join(' ');

test('O11 a dry run checks everything and changes nothing', async () => {
  const mac = fakeOmniFocus([folder('work', folder('guides')), folder('play')]);
  const port = portOn(mac, true);
  expect(await port.add('New', { placement: 'ending' })).toEqual({ id: 'not-made-yet', name: 'New' });
  expect(await port.edit({ id: 'work' }, { newName: 'Job' })).toEqual({ id: 'work', name: 'Job' });
  expect(await port.remove({ name: 'play' })).toEqual({ id: 'play', name: 'play' });
  expect(await port.move({ id: 'guides' }, { placement: 'ending' })).toEqual({ id: 'guides', name: 'guides' });
  await expect(port.move({ id: 'work' }, { placement: 'ending', relativeTo: 'guides' })).rejects.toThrow('descendant');
  await expect(port.add('New', { placement: 'ending', relativeTo: 'xyz' })).rejects.toThrow('folder not found');
  expect(outline(mac.sections())).toBe('work(guides) play');
  expect(mac.sections()[0]?.name).toBe('work');
});

test('O12 projects between folders are places, and are not listed', async () => {
  const mac = fakeOmniFocus([project('p1'), folder('a', project('p2'), folder('b')), project('p3'), folder('c')]);
  const port = portOn(mac);
  expect((await port.list({ includeChildren: true })).folders.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  await port.move({ id: 'c' }, { placement: 'before', relativeTo: 'a' });
  await port.move({ id: 'b' }, { placement: 'beginning', relativeTo: 'a' });
  expect(outline(mac.sections())).toBe('p1 c a(b p2) p3');
  await port.move({ id: 'c' }, { placement: 'ending' });
  await port.remove({ id: 'a' });
  expect(outline(mac.sections())).toBe('p1 p3 c');
});

test('O15 what the caller gave stands in the script as one literal, in ASCII', () => {
  const name = `'); deleteEverything(); (' \u2028 📚 \${x} \\`;
  const script = folderScript({ action: 'add', name, position: { placement: 'ending' } });
  expect(script).toMatch(/^Application\('OmniFocus'\)\.evaluateJavascript\("[\x20-\x7e]*"\)$/);
  const program = JSON.parse(script.slice(script.indexOf('"'), -1)) as string;
  const other = folderScript({ action: 'list', query: { includeChildren: true } });
  const common = (JSON.parse(other.slice(other.indexOf('"'), -1)) as string).indexOf('({"action"');
  expect(JSON.parse(program.slice(common + 1, -1))).toEqual({ action: 'add', name, position: { placement: 'ending' } });
  expect(program.slice(0, common)).not.toContain('deleteEverything');
});

test('O15 the mappings that the specification prescribes stand in the script', () => {
  const script = folderScript({ action: 'list', query: { includeChildren: true } });
  const program = JSON.parse(script.slice(script.indexOf('"'), -1)) as string;
  const plain = program.replaceAll('"', "'");
  expect(plain).toContain("folder.status === Folder.Status.Active ? 'active' : 'dropped'");
  expect(plain).toContain('folder.parent ? folder.parent.id.primaryKey : null');
  expect(plain).toContain('Folder.byIdentifier(id)');
  expect(plain).toContain('flattenedFolders.filter((folder) => folder.name === name)');
});

test('O16 lists and ambiguous names come in tree order, also from an OmniFocus that lists level by level', async () => {
  const twin = (id: string): Section => ({ kind: 'folder', id, name: 'Archive' });
  const tree = [folder('a', folder('b', twin('deep'))), twin('top'), folder('c', folder('d'))];
  const port = portOn(fakeOmniFocus(tree, { byLevel: true }));
  const { folders } = await port.list({ includeChildren: true });
  expect(folders.map(({ id }) => id)).toEqual(['a', 'b', 'deep', 'top', 'c', 'd']);
  await expect(port.remove({ name: 'Archive' })).rejects.toMatchObject({ details: { matchingIds: ['deep', 'top'] } });
});

test('O17 an error before the first change is plain; after it, the change may have happened', async () => {
  const mac = fakeOmniFocus([folder('work')]);
  const port = portOn(mac);
  mac.faults('throw midway', 'throw midway');
  const halfway = await port.edit({ id: 'work' }, { newName: 'Job', newStatus: 'dropped' }).catch((thrown) => thrown);
  expect(halfway.toEnvelope()).toMatchObject({
    error:
      'OmniFocus could not carry out the call: Error: OmniFocus is out of memory: the change may have happened, or may still happen',
    error_type: 'internal',
    mayHaveHappened: true,
  });
  expect(mac.sections()).toMatchObject([{ name: 'Job', dropped: false }]);
  const before = await port.edit({ id: 'xyz' }, { newStatus: 'dropped' }).catch((thrown) => thrown);
  expect(before.toEnvelope()).not.toHaveProperty('mayHaveHappened');
});
