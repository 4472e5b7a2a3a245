// @ts-check
// Joins the modules of the command line into a few files, with the packages that they need. A command that loads
// hundreds of small modules waits longer for them than for its work.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

/** Not joined: it is large, and only what fetches needs it. */
const apart = [/^undici$/];

/**
 * What is always needed together stands in one file, with all that it imports: what every command needs, what opens the
 * library, and a search, which is typed the most. The rest is divided by what loads it.
 */
const groups = [
  { name: 'base', test: /dist.(?:errors|cli.(?:terminal|command|commands|closest))\.js$/, priority: 3 },
  { name: 'session', test: /dist.cli.session\.js$/, priority: 2 },
  { name: 'search', test: /dist.(?:cli.commands.ref|tools.context.ref-search)\.js$/, priority: 1 },
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
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    dynamicImportInCjs: false,
    codeSplitting: { groups },
    minify: { compress: true, mangle: true, codegen: true },
  });
  await bundle.close();
  const hash = createHash('sha256');
  for (const chunk of output) hash.update('code' in chunk ? chunk.code : chunk.source);
  writeFileSync(path.join(into, 'build-id'), hash.digest('hex').slice(0, 16));
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
    if (!id.startsWith(dist) || !code.includes('import.meta.url')) return null;
    const place = JSON.stringify(path.relative(into, id).split(path.sep).join('/'));
    return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
  },
});
