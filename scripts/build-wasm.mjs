// @ts-check
// Compiles wasm/*.ts into src. With --check it changes nothing, and fails when a compiled file is not what its source gives.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import asc from 'assemblyscript/asc';

const root = path.dirname(import.meta.dirname);
const common = ['-O3', '--runtime', 'stub', '--importMemory', '--enable', 'simd'];
const modules = [
  {
    source: 'wasm/minilm.ts',
    target: 'src/search/embed/minilm/minilm.wasm',
    options: ['--enable', 'threads', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'],
  },
  { source: 'wasm/scan.ts', target: 'src/search/vectors/scan.wasm', options: [] },
];

/**
 * @param {string} source
 * @param {readonly string[]} options
 */
async function compile(source, options) {
  /** @type {Uint8Array | undefined} */
  let bytes;
  const { error, stderr } = await asc.main([source, ...common, ...options, '--outFile', 'out.wasm'], {
    readFile: (name, base) => {
      try {
        return readFileSync(path.resolve(root, base, name), 'utf8');
      } catch {
        return null;
      }
    },
    writeFile: (name, contents) => {
      if (name.endsWith('.wasm')) bytes = /** @type {Uint8Array} */ (contents);
    },
    listFiles: () => [],
  });
  if (error || !bytes) throw new Error(`${source}: ${stderr.toString()}`, { cause: error });
  return bytes;
}

const checking = process.argv.includes('--check');
for (const { source, target, options } of modules) {
  const bytes = await compile(source, options);
  const file = path.join(root, target);
  if (!checking) writeFileSync(file, bytes);
  else if (!readFileSync(file).equals(bytes)) {
    console.error(`${target} is not what ${source} compiles to. Run npm run wasm.`);
    process.exitCode = 1;
  }
}
