import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openExampleLibrary, runExample } from '../../scripts/example-library.mjs';
import { tools } from '../../src/tools/index.js';
import { root, runNode } from '../support/scratch.js';

type Schema = { description?: string; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] };

/** The paths of arguments that have no description, also inside objects, lists and alternatives. */
function undescribed({ properties = {}, items, anyOf = [] }: Schema, prefix = ''): string[] {
  const inside = [...anyOf, ...(items ? [items] : [])].flatMap((schema) => undescribed(schema, prefix));
  const own = Object.entries(properties).flatMap(([name, schema]) => [
    ...(schema.description?.trim() ? [] : [prefix + name]),
    ...undescribed(schema, `${prefix}${name}.`),
  ]);
  return [...own, ...inside];
}

test.each(tools)('G3 $name has a summary whose first sentence ends with a full stop', ({ summary }) => {
  expect(summary).toMatch(/^[A-Z][^.\n]*[\w\]]\.( [A-Z]|$)/);
});

test.each(tools)('G3 $name describes every argument', ({ input }) => {
  expect(undescribed(z.toJSONSchema(input, { io: 'input' }) as Schema)).toEqual([]);
});

test.each(tools)('G3 the example of $name succeeds in the example library', async (tool) => {
  expect((await runExample(tool)).answer).toMatchObject({ success: true });
});

test.each(tools)('G3 the example of $name gives the same answer every time', async (tool) => {
  expect(await runExample(tool)).toEqual(await runExample(tool));
});

test('G3 the example library has the folders that the examples name', async () => {
  const { session, close } = await openExampleLibrary();
  const listing = await session.call('list_folders', {});
  await close();
  expect(listing).toMatchObject({
    success: true,
    folders: [
      { id: 'projects', name: 'Projects', parentId: null },
      { id: 'guides', name: 'Guides', parentId: 'projects' },
      { id: 'archive', name: 'Archive', parentId: null },
    ],
  });
});

test('G3 docs/tools.md is current', async () => {
  const generator = path.join(root, 'scripts', 'generate-docs.mjs');
  expect(await runNode([generator, '--check'], { ...process.env })).toEqual({ code: 0, stdout: '', stderr: '' });
});
