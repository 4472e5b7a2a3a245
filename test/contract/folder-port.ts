/** What every keeper of folders must do. Call it with a function that opens an empty one. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Folder, FolderPort, Position } from '../../src/library/folders/folder.js';

export function folderContract(keeper: string, openPort: () => Promise<FolderPort>): void {
  describe(`folders of ${keeper}`, () => {
    let port: FolderPort;
    beforeEach(async () => {
      port = await openPort();
    });

    const END: Position = { placement: 'ending' };
    const into = (parentId: string): Position => ({ placement: 'ending', relativeTo: parentId });
    const add = async (name: string, position: Position = END) => (await port.add(name, position)).id;
    const all = async () => (await port.list({ includeChildren: true })).folders;
    const names = async (parentId?: string, includeChildren = true) =>
      (await port.list({ parentId, includeChildren })).folders.map((folder) => folder.name);

    /** Work (Guides (Style), Notes) and Play. */
    async function smallLibrary() {
      const work = await add('Work');
      const guides = await add('Guides', into(work));
      const style = await add('Style', into(guides));
      const notes = await add('Notes', into(work));
      const play = await add('Play');
      return { work, guides, style, notes, play };
    }

    test('F1 a folder has id, name, status and parent', async () => {
      const work = await add('Work');
      const guides = await add('Guides', into(work));
      expect(await all()).toEqual([
        { id: work, name: 'Work', status: 'active', parentId: null },
        { id: guides, name: 'Guides', status: 'active', parentId: work },
      ]);
    });

    test('F2 all folders come in tree order', async () => {
      await smallLibrary();
      expect(await names()).toEqual(['Work', 'Guides', 'Style', 'Notes', 'Play']);
    });

    test('F3 without children: the top level only', async () => {
      await smallLibrary();
      expect(await names(undefined, false)).toEqual(['Work', 'Play']);
    });

    test('F4 below a parent, at any depth', async () => {
      const { work } = await smallLibrary();
      expect(await names(work)).toEqual(['Guides', 'Style', 'Notes']);
    });

    test('F5 below a parent, its children only', async () => {
      const { work } = await smallLibrary();
      expect(await names(work, false)).toEqual(['Guides', 'Notes']);
    });

    test('F6 F31 the status is the own one of each folder, and does not cascade', async () => {
      const { work } = await smallLibrary();
      await port.edit({ id: work }, { newStatus: 'dropped' });
      const withStatus = async (status: Folder['status']) =>
        (await port.list({ includeChildren: true, status })).folders.map((folder) => folder.name);
      expect(await withStatus('dropped')).toEqual(['Work']);
      expect(await withStatus('active')).toEqual(['Guides', 'Style', 'Notes', 'Play']);
      await port.edit({ id: work }, { newStatus: 'active' });
      expect(await withStatus('dropped')).toEqual([]);
    });

    test('F8 an unknown parent', async () => {
      await expect(port.list({ parentId: 'xyz', includeChildren: true })).rejects.toThrow(
        "Invalid parentId 'xyz': folder not found",
      );
    });

    test('F10 a new folder goes to the end and answers its id and name', async () => {
      await add('First');
      const made = await port.add('Second', END);
      expect(made).toMatchObject({ id: expect.any(String), name: 'Second' });
      expect((await all()).at(-1)).toEqual({ id: made.id, name: 'Second', status: 'active', parentId: null });
    });

    test('F11 a new folder goes to every kind of position', async () => {
      const { work, guides } = await smallLibrary();
      await add('a', { placement: 'before', relativeTo: guides });
      await add('b', { placement: 'after', relativeTo: guides });
      await add('c', { placement: 'beginning', relativeTo: work });
      await add('d', { placement: 'ending', relativeTo: work });
      await add('e', { placement: 'beginning' });
      await add('f', { placement: 'ending' });
      expect(await names(work, false)).toEqual(['c', 'a', 'Guides', 'b', 'Notes', 'd']);
      expect(await names(undefined, false)).toEqual(['e', 'Work', 'Play', 'f']);
    });

    test.each(['📚 Bücher', `"quotes" 'and' \`more\``, 'two\nlines', `\${code} <b>`, 'x'.repeat(1_000_000)])(
      'F13 any text is a name (%#)',
      async (name) => {
        const id = await add(name);
        expect((await port.edit({ id }, { newStatus: 'active' })).name).toBe(name);
      },
    );

    test('F15 an unknown or empty reference', async () => {
      for (const relativeTo of ['xyz', '']) {
        const message = `Invalid relativeTo '${relativeTo}': folder not found`;
        await expect(port.add('x', { placement: 'ending', relativeTo })).rejects.toThrow(message);
      }
      expect(await all()).toEqual([]);
    });

    test('F17 nothing stands beside the library', async () => {
      await expect(port.add('x', { placement: 'before', relativeTo: 'library' })).rejects.toThrow(
        "Invalid relativeTo 'library': folder is not a sibling in target parent",
      );
    });

    test('F20 the id wins over the name', async () => {
      const { work, play } = await smallLibrary();
      await port.edit({ id: work, name: 'Play' }, { newName: 'Job' });
      expect((await all()).find((folder) => folder.id === work)?.name).toBe('Job');
      expect((await all()).find((folder) => folder.id === play)?.name).toBe('Play');
    });

    test('F21 F24 names match exactly', async () => {
      await add('Work');
      for (const name of ['work', ' Work', 'Work ']) {
        await expect(port.remove({ name })).rejects.toThrow(`Invalid name '${name}': folder not found`);
      }
      await expect(port.remove({ id: 'xyz' })).rejects.toThrow("Invalid id 'xyz': folder not found");
      expect((await port.remove({ name: 'Work' })).name).toBe('Work');
    });

    test('F22 an ambiguous name lists the ids in tree order', async () => {
      const play = await add('Archive');
      const work = await add('Work', { placement: 'beginning' });
      const inWork = await add('Archive', into(work));
      const failure = port.move({ name: 'Archive' }, END);
      await expect(failure).rejects.toThrow("Ambiguous name 'Archive': found 2 matches");
      await expect(failure).rejects.toMatchObject({
        details: { code: 'DISAMBIGUATION_REQUIRED', matchingIds: [inWork, play] },
      });
    });

    test('F30 rename and status at once', async () => {
      const id = await add('Work');
      expect(await port.edit({ id }, { newName: 'Job', newStatus: 'dropped' })).toMatchObject({ id, name: 'Job' });
      expect(await all()).toEqual([{ id, name: 'Job', status: 'dropped', parentId: null }]);
    });

    test('F40 removing takes all that is inside', async () => {
      const { work } = await smallLibrary();
      expect(await port.remove({ id: work })).toMatchObject({ id: work, name: 'Work' });
      expect(await names()).toEqual(['Play']);
    });

    test('F41 F53 the library stays', async () => {
      await expect(port.remove({ id: 'library' })).rejects.toThrow('Cannot delete library: not a valid folder target');
      await expect(port.move({ id: 'library' }, END)).rejects.toThrow('Cannot move library: not a valid folder target');
    });

    test('F50 a move takes all that is inside, to every kind of position', async () => {
      const { work, guides, notes, play } = await smallLibrary();
      await port.move({ id: guides }, into(play));
      expect(await names()).toEqual(['Work', 'Notes', 'Play', 'Guides', 'Style']);
      await port.move({ id: play }, { placement: 'before', relativeTo: work });
      expect(await names()).toEqual(['Play', 'Guides', 'Style', 'Work', 'Notes']);
      await port.move({ id: guides }, { placement: 'after', relativeTo: notes });
      expect(await names()).toEqual(['Play', 'Work', 'Notes', 'Guides', 'Style']);
      await port.move({ id: guides }, { placement: 'beginning' });
      expect(await names()).toEqual(['Guides', 'Style', 'Play', 'Work', 'Notes']);
    });

    test('F50 a move to where the folder is changes nothing', async () => {
      const { work, play } = await smallLibrary();
      const before = await names();
      await port.move({ id: work }, { placement: 'before', relativeTo: play });
      await port.move({ id: work }, { placement: 'beginning' });
      await port.move({ id: play }, { placement: 'after', relativeTo: work });
      expect(await names()).toEqual(before);
    });

    test('F52 no move into or beside itself or its descendants', async () => {
      const { work, guides, style } = await smallLibrary();
      const targets: Position[] = [
        { placement: 'ending', relativeTo: work },
        { placement: 'before', relativeTo: work },
        { placement: 'beginning', relativeTo: guides },
        { placement: 'after', relativeTo: style },
      ];
      for (const target of targets) {
        await expect(port.move({ id: work }, target)).rejects.toThrow(
          `Cannot move folder '${work}': target is a descendant of source`,
        );
      }
    });
  });
}
