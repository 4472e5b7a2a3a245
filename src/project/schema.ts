/** What a project file may say. Keys that we do not know are kept: they belong to other programs or later versions. */
import { z } from 'zod';
import { type JsonLimits, parseJson, schemaFailure } from './json.js';
import { LARGEST_PROJECT_FILE } from './limits.js';
import { shown } from './shown.js';

export const DEFAULT_GLOB = '**/*.md';

const someText = z.string().min(1, 'must not be empty');
const description = z.string().optional();

const fileCollection = z.looseObject({
  type: z.literal('file'),
  path: someText.refine((text) => !text.includes('\0'), 'must not hold a NUL character'),
  glob: someText.default(DEFAULT_GLOB),
  description,
});

const packageCollection = z.looseObject({ type: z.literal('pkg'), url: someText, description });

const groupCollection = z.looseObject({ type: z.literal('group'), categories: z.array(someText), description });

const collectionTypes = ['file', 'pkg', 'group'];

const collection = z.discriminatedUnion('type', [fileCollection, packageCollection, groupCollection], {
  error: ({ input }) => {
    const type = (input as { type?: unknown } | null | undefined)?.type;
    const given = typeof type === 'string' ? `'${shown(type, 60)}' is no type of a collection` : 'a type is missing';
    return `${given}: use ${collectionTypes.join(', ')}`;
  },
});

const category = z.looseObject({ collection: someText.optional(), patterns: z.array(someText), description });

/** An own key of this name is dropped by some readers and kept by others: nothing may depend on it. */
const named = <Value extends z.ZodType>(value: Value) =>
  z
    .custom<object>((input) => !(typeof input === 'object' && input !== null && Object.hasOwn(input, '__proto__')), {
      error: "'__proto__' cannot be a name",
      abort: true,
    })
    .pipe(z.record(z.string(), value));

const projectConfig = z.looseObject({
  // A file that only has rule sets is a project too.
  collections: named(collection).default({}),
  categories: named(category).optional(),
  rulesets: z.unknown().optional(),
});

const anyObject = z.record(z.string(), z.unknown(), { error: 'not a JSON object' });

export type Collection = z.output<typeof collection>;
export type Category = z.output<typeof category>;
export type ProjectConfig = z.output<typeof projectConfig>;

const limits: JsonLimits = { maxBytes: LARGEST_PROJECT_FILE, maxDepth: 200, byteOrderMark: 'refused' };

/** The bytes of a project file, checked. `fileName` stands at the beginning of every failure. */
export function parseProject(bytes: Uint8Array, fileName: string): ProjectConfig {
  return checked(projectConfig, parseProjectObject(bytes, fileName), fileName);
}

/** The keys of a project file as they are, for readers of one of them that must not fail by another. */
function parseProjectObject(bytes: Uint8Array, fileName: string): Record<string, unknown> {
  return checked(anyObject, parseJson(bytes, fileName, limits), fileName);
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, fileName: string): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  if (error) throw schemaFailure(error, fileName).advise(`Correct ${fileName} at that place.`);
  return data;
}

/** The collection of an alias. Names such as 'constructor' stand for nothing unless the file has them. */
export function collectionNamed(config: ProjectConfig, alias: string): Collection | undefined {
  return Object.hasOwn(config.collections, alias) ? config.collections[alias] : undefined;
}

/** The category of a name. */
export function categoryNamed({ categories = {} }: ProjectConfig, name: string): Category | undefined {
  return Object.hasOwn(categories, name) ? categories[name] : undefined;
}
