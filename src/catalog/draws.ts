/** Which collections a name draws documents from, and by which patterns. Pure: it looks at the project file only. */
import { invalidArgument, notFound } from '../errors.js';
import { formatJsonPath } from '../project/json.js';
import { categoryNamed, collectionNamed, type ProjectConfig } from '../project/schema.js';
import { shown } from '../project/shown.js';

/** Documents of one file or pkg collection: those that the patterns take, or all. */
export type Draw = {
  readonly alias: string;
  readonly patterns?: readonly string[];
  readonly category?: string;
  /** The category names no collection: this is one of all. */
  readonly isOneOfAll?: true;
};

/** What a collection, a group or a category draws from, in the order in which it is declared. */
export function drawsOf(config: ProjectConfig, name: string): Draw[] {
  const collection = collectionNamed(config, name);
  if (collection?.type === 'group') return collection.categories.flatMap((one) => ofCategory(config, one, name));
  if (collection) return [{ alias: name }];
  if (categoryNamed(config, name)) return ofCategory(config, name, undefined);
  throw unknownFailure(config, name);
}

function ofCategory(config: ProjectConfig, name: string, group: string | undefined): Draw[] {
  const category = categoryNamed(config, name);
  if (!category) throw lostCategory(String(group), name);
  const { collection, patterns } = category;
  if (patterns.length === 0) return [];
  if (collection === undefined) {
    return sourcesIn(config).map((alias) => ({ alias, patterns, category: name, isOneOfAll: true }));
  }
  const type = collectionNamed(config, collection)?.type;
  if (type === undefined || type === 'group') throw lostCollection(name, collection, type);
  return [{ alias: collection, patterns, category: name }];
}

/** The collections that have documents of their own. */
const sourcesIn = (config: ProjectConfig): string[] =>
  Object.keys(config.collections).filter((name) => collectionNamed(config, name)?.type !== 'group');

/** The collections with a source that a name draws from, each once. */
export const sourcesOf = (config: ProjectConfig, name: string): string[] => [
  ...new Set(drawsOf(config, name).map(({ alias }) => alias)),
];

/** Whether a name stands for something in the project file. */
export const isNameIn = (config: ProjectConfig, name: string): boolean =>
  collectionNamed(config, name) !== undefined || categoryNamed(config, name) !== undefined;

function unknownFailure({ collections, categories = {} }: ProjectConfig, name: string) {
  const known = [...Object.keys(collections), ...Object.keys(categories)].map((one) => shown(one, 60));
  return notFound`No collection '${shown(name)}' in the project file, and no category of that name`.advise(
    known.length > 0 ? `Use one of: ${known.slice(0, 20).join(', ')}.` : 'Add one with `ai-assist collections add`.',
  );
}

/** Only a person can have written this: the tools keep references whole. */
const lostCategory = (group: string, category: string) =>
  notFound`${formatJsonPath(['collections', group, 'categories'])} names '${shown(category)}', which is no category`.advise(
    `Make it with category_add, or take it out: collection_update with name ${shown(group, 60)} and remove_categories.`,
  );

const lostCollection = (category: string, collection: string, type: string | undefined) => {
  const place = formatJsonPath(['categories', category, 'collection']);
  const problem = type === undefined ? 'which is no collection' : 'which is a group';
  return invalidArgument`${place} names '${shown(collection)}', ${problem}`.advise(
    `Let it draw from a file or pkg collection: category_change with name ${shown(category, 60)} and collection.`,
  );
};
