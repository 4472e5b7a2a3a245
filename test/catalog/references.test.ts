/** Random changes, one after the other: whatever is asked for, the catalog stays whole. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addCategory, changeCategory, removeCategory, updateCategory } from '../../src/catalog/categories.js';
import { addCollection, changeCollection, removeCollection, updateCollection } from '../../src/catalog/collections.js';
import { sourcesOf } from '../../src/catalog/draws.js';
import { Failure } from '../../src/errors.js';
import { type Edit, editJson } from '../../src/project/edit.js';
import { type ProjectConfig, parseProject } from '../../src/project/schema.js';
import { factor } from '../support/effort.js';

type Change = (config: ProjectConfig) => Edit[];

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'constructor');
const names = fc.array(name, { maxLength: 4 });
const patterns = fc.array(fc.constantFrom('x/**', 'y', '*.md'), { maxLength: 4 });
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const description = maybe(fc.constantFrom('', 'One', 'Two'));

const file = { type: 'file', path: './x', glob: '*' };
const changes: fc.Arbitrary<Change>[] = [
  fc.tuple(name, names).map(
    ([one, categories]) =>
      (config) =>
        addCollection(config, one, { type: 'group', categories }),
  ),
  name.map((one) => (config) => addCollection(config, one, file)),
  name.map((one) => (config) => removeCollection(config, one)),
  fc.tuple(name, fc.record({ newName: maybe(name), description, categories: maybe(names) })).map(
    ([one, change]) =>
      (config) =>
        changeCollection(config, one, change),
  ),
  fc.tuple(name, fc.record({ addCategories: maybe(names), removeCategories: maybe(names) })).map(
    ([one, update]) =>
      (config) =>
        updateCollection(config, one, update),
  ),
  fc.tuple(name, fc.record({ collection: maybe(name), patterns, description })).map(
    ([one, category]) =>
      (config) =>
        addCategory(config, one, category),
  ),
  name.map((one) => (config) => removeCategory(config, one)),
  fc
    .tuple(
      name,
      fc.record({
        newName: maybe(name),
        collection: maybe(fc.oneof(name, fc.constant(''))),
        patterns: maybe(patterns),
        description,
      }),
    )
    .map(
      ([one, change]) =>
        (config) =>
          changeCategory(config, one, change),
    ),
  fc.tuple(name, fc.record({ addPatterns: maybe(patterns), removePatterns: maybe(patterns) })).map(
    ([one, update]) =>
      (config) =>
        updateCategory(config, one, update),
  ),
];

const refusals = new Set([
  'already_exists',
  'not_found',
  'name_conflict',
  'category_not_found',
  'in_use',
  'invalid_type',
]);

/** The edits of a change, or none where it is refused, for one of the reasons that there are. */
function editsOf(change: Change, config: ProjectConfig): Edit[] {
  try {
    return change(config);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(Failure);
    expect(refusals).toContain((thrown as Failure).type);
    return [];
  }
}

/** No name stands twice, nothing refers to what is not there, and no list holds anything twice. */
function expectWhole(config: ProjectConfig): void {
  const { collections, categories = {} } = config;
  const all = [...Object.keys(collections), ...Object.keys(categories)];
  expect(new Set(all).size).toBe(all.length);
  for (const one of all) expect(() => sourcesOf(config, one)).not.toThrow();
  for (const { collection, patterns } of Object.values(categories)) {
    if (collection !== undefined) expect(collections[collection]?.type).toMatch(/file|pkg/);
    expect(new Set(patterns).size).toBe(patterns.length);
  }
  for (const collection of Object.values(collections)) {
    if (collection.type !== 'group') continue;
    expect(new Set(collection.categories).size).toBe(collection.categories.length);
    for (const one of collection.categories) expect(Object.hasOwn(categories, one)).toBe(true);
  }
}

test('K23 whatever is changed, references stay whole and nothing else in the file is touched', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(...changes), { maxLength: 30 }), async (sequence) => {
      let text = '{\n\t"own": { "kept" :1 },\n\t"collections": {}\n}\n';
      for (const change of sequence) {
        const config = parseProject(Buffer.from(text), 'context.json');
        text = await editJson(text, editsOf(change, config));
        expectWhole(parseProject(Buffer.from(text), 'context.json'));
        expect(text.startsWith('{\n\t"own": { "kept" :1 },\n\t"collections": {')).toBe(true);
        expect(text.endsWith('\n}\n')).toBe(true);
      }
    }),
    { numRuns: 150 * factor },
  );
});
