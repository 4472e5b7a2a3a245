/** The manifest of a package: its name, its version, and the files it is made of. */
import { z } from 'zod';
import { invalidArgument } from '../errors.js';
import { parseJson, schemaFailure } from '../project/json.js';
import { shown } from '../project/shown.js';
import { defaultLimits } from './source.js';

export type ManifestLimits = { maxManifestBytes: number; maxDocuments: number };

const DEEPEST = 64;
const MOST_GLOBS = 1000;

const label = z.string().min(1, 'must not be empty').max(1000, 'must have at most 1000 characters');
const someText = z.string().min(1, 'must not be empty');

/** `sha256:` and 64 hex digits; the digest alone is what we keep. */
const hash = z.string().transform((text, context) => {
  const [, algorithm = '', digest] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (digest === undefined) return refuse(context, 'must be sha256: and 64 hex digits');
  if (algorithm !== 'sha256') return refuse(context, `algorithm '${shown(algorithm, 40)}' is not known: use sha256`);
  if (!/^[0-9a-f]{64}$/i.test(digest)) return refuse(context, 'must have 64 hex digits after sha256:');
  return digest.toLowerCase();
});

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

const fileEntry = z.preprocess(
  (entry) => (typeof entry === 'string' ? { path: entry } : entry),
  z
    .looseObject(
      { path: someText.optional(), url: someText.optional(), hash: hash.optional() },
      { error: 'must be a path, or an object with path or url' },
    )
    .refine(({ path, url }) => (path === undefined) !== (url === undefined), 'must have exactly one of path and url')
    .transform(({ path, url, hash: digest }) => ({ path, url, hash: digest })),
);

const sources = z
  .looseObject({ glob: z.array(someText).min(1).max(MOST_GLOBS).optional(), files: z.array(fileEntry).optional() })
  .refine(
    ({ glob, files }) => (glob === undefined) !== (files === undefined),
    'must have exactly one of glob and files',
  )
  .transform(({ glob, files }) => ({ glob, files }));

const manifestSchema = z.looseObject(
  {
    name: label,
    version: label,
    description: z.string().optional(),
    baseUrl: someText.optional(),
    sources,
    metadata: z.record(z.string(), z.unknown()).optional(),
  },
  { error: 'must be an object with name, version and sources' },
);

/** One file of a manifest: it has a path or a URL, never both. The hash is the bare hex digest. */
export type FileEntry = { path: string | undefined; url: string | undefined; hash: string | undefined };

export type Manifest = z.output<typeof manifestSchema>;

/** The manifest that some bytes hold. `where` names it in failures: its file or its URL without credentials. */
export function parseManifest(bytes: Uint8Array, where: string, limits: ManifestLimits = defaultLimits): Manifest {
  const place = shown(where);
  const value = parseJson(bytes, place, {
    maxBytes: limits.maxManifestBytes,
    maxDepth: DEEPEST,
    byteOrderMark: 'ignored',
  });
  checkCount(value, place, limits.maxDocuments);
  const { data, error } = manifestSchema.safeParse(value);
  if (error) throw schemaFailure(error, place).advise('Ask the author of the package to correct its manifest.');
  return data;
}

/** Before the entries are looked at one by one: millions of them would take long to refuse. */
function checkCount(value: unknown, where: string, most: number): void {
  const files = (value as { sources?: { files?: unknown } } | null)?.sources?.files;
  if (!Array.isArray(files) || files.length <= most) return;
  throw invalidArgument`${where}: sources.files: ${files.length} files are more than the limit of ${most}`;
}
