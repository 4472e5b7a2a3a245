// @ts-check
// Joins the modules of the command line into a few files, with the packages that they need. A command that loads
// hundreds of small modules waits longer for them than for its work.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

/** Not joined: what is large and only needed to fetch, and the package of weights, whose place counts. */
const apart = [/^undici$/, /^@lat\.md\//];

/**
 * What is always needed together stands in one file, with all that it imports: what every command needs, what opens the
 * library, and a search by words and by meaning, which is typed the most. The rest is divided by what loads it.
 */
const groups = [
  { name: 'base', test: /dist.(?:errors|cli.(?:terminal|command|commands|closest))\.js$/, priority: 3 },
  { name: 'session', test: /dist.cli.session\.js$/, priority: 2 },
  { name: 'search', test: /dist.(?:cli.commands.ref|tools.context.ref-search)\.js$/, priority: 1 },
  { name: 'meaning', test: /dist.search.meaning\.js$/, priority: 1 },
];

/**
 * @param {string} dist the folder of the compiled modules
 * @param {string} into the folder for the joined files
 */
export async function pack(dist, into) {
  const bundle = await rolldown({
    input: path.join(dist, 'cli', 'run.js'),
    platform: 'node',
    external: apart,
    // Of packages that have both, the form that can be joined.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [keepPlaces(dist, into)],
    onwarn: (warning) => {
      // What is loaded late elsewhere may be in a file that is loaded anyway.
      if (warning.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') throw new Error(warning.message);
    },
  });
  const { output } = await bundle.write({
    dir: into,
    format: 'cjs',
    // As modules are, and as the library's own door runs them.
    strict: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    dynamicImportInCjs: false,
    codeSplitting: { groups },
    minify: { compress: true, mangle: true, codegen: true },
  });
  await bundle.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  checkBase(chunks);
  const hash = createHash('sha256');
  for (const { code } of chunks) hash.update(code);
  writeFileSync(path.join(into, 'build-id'), hash.digest('hex').slice(0, 16));
  writeFileSync(path.join(into, 'LICENSES.txt'), licencesOf(chunks.flatMap(({ moduleIds }) => moduleIds)));
}

/**
 * A module that looks for a file beside itself finds it where it was before it was joined.
 * @param {string} dist
 * @param {string} into
 * @returns {import('rolldown').Plugin}
 */
const keepPlaces = (dist, into) => ({
  name: 'keep-places',
  transform(code, id) {
    if (!code.includes('import.meta')) return null;
    if (!id.startsWith(dist + path.sep) || /import\.meta(?!\.url\b)/.test(code)) {
      throw new Error(`${id} asks where it is in a way that cannot be kept`);
    }
    const place = JSON.stringify(path.relative(into, id).split(path.sep).join('/'));
    return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
  },
});

/** @typedef {{ name: string, moduleIds: string[] }} Chunk */

/** @param {readonly Chunk[]} chunks */
function checkBase(chunks) {
  const packages = chunks.filter(({ name }) => ['run', 'base'].includes(name)).flatMap(({ moduleIds }) => moduleIds);
  const heavy = packages.find((id) => packageOf(id));
  if (heavy) throw new Error(`Every command would load ${heavy}`);
}

/** The folder of the package that a module belongs to, unless it is ours. @param {string} id */
const packageOf = (id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0];

/** The packages whose code is in the joined files, each with its licence. @param {readonly string[]} ids */
function licencesOf(ids) {
  const folders = new Set(ids.flatMap((id) => packageOf(id) ?? []));
  const texts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    const text = file ? readFileSync(path.join(folder, file), 'utf8').trim() : `Licence: ${license}`;
    return `${name} ${version}\n\n${text}\n`;
  });
  return `The files in this folder hold code of these packages.\n\n${texts.sort().join(`\n${'-'.repeat(80)}\n\n`)}`;
}
