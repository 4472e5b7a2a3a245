/** What the tools of the catalog take and answer. */
import { z } from 'zod';
import { shownUrl } from '../../context/url.js';
import {
  type Category,
  type Collection,
  categoryNamed,
  collectionNamed,
  type ProjectConfig,
} from '../../project/schema.js';

/** What every tool that changes the project file says of itself. */
export const catalogChange = { toolset: 'catalog', outside: true } as const;
export const changeErrors = ['no_session', 'lock_error', 'write_error', 'conflict'] as const;
export const descriptionErrors = ['description_too_long', 'invalid_characters'] as const;

export const projectVersion = z.string().describe('Version of the project file.');
export const message = z.string();

export const collectionName = z.string().describe('Name of the collection in the project.');
export const newCollectionName = z
  .string()
  .describe('Up to 30 letters, digits, - and _, with neither at an end. Example: react-hooks');
export const categoryName = z.string().describe('Name of the category in the project.');
export const newName = z.string().optional().describe('The new name. What refers to the old one follows.');
export const description = z.string().optional().describe('Up to 500 characters, without straight quotes.');
export const newDescription = z.string().optional().describe('The new description. An empty text clears it.');

const categoryNames = z.array(z.string());
export const categories = categoryNames.optional();
export const patternList = z.array(z.string().describe('A glob such as guides/**/*.md.')).optional();

/** A collection as the project file has it. */
export const collectionValue = z.object({
  name: z.string(),
  type: z.string().describe('file, pkg or group.'),
  description: z.string().optional(),
  categories: categoryNames.optional().describe('Of a group.'),
  path: z.string().optional().describe('Of a file collection.'),
  glob: z.string().optional().describe('Of a file collection.'),
  url: z.string().optional().describe('Of a pkg collection.'),
});

export const categoryValue = z.object({
  name: z.string(),
  collection: z.string().optional().describe('The collection that it draws from. Without one: all of the project.'),
  patterns: z.array(z.string()),
  description: z.string().optional(),
});

/** A collection for an answer. The URL has no credentials in it. */
export function shownCollectionValue(name: string, collection: Collection): z.output<typeof collectionValue> {
  const { type, description } = collection;
  const about = description === undefined ? {} : { description };
  if (collection.type === 'group') return { name, type, ...about, categories: collection.categories };
  if (collection.type === 'pkg') return { name, type, ...about, url: shownUrl(collection.url) };
  return { name, type, ...about, path: collection.path, glob: collection.glob };
}

export function shownCategoryValue(name: string, category: Category): z.output<typeof categoryValue> {
  const { collection, patterns, description } = category;
  return {
    name,
    ...(collection !== undefined && { collection }),
    patterns,
    ...(description !== undefined && { description }),
  };
}

/** What a change has left under a name. */
export const collectionAfter = (config: ProjectConfig, name: string) =>
  shownCollectionValue(name, collectionNamed(config, name) as Collection);

export const categoryAfter = (config: ProjectConfig, name: string) =>
  shownCategoryValue(name, categoryNamed(config, name) as Category);
