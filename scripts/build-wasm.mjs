// @ts-check
// Compiles wasm/*.ts into src. With --check it changes nothing, and fails when a compiled file is not what its source gives.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

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

// As a program: its types would declare globals for all of ours.
const compiler = path.join(root, 'node_modules', 'assemblyscript', 'bin', 'asc.js');

/**
 * @param {string} source
 * @param {readonly string[]} options
 */
function compile(source, options) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ai-assist-wasm-'));
  try {
    const out = path.join(folder, 'out.wasm');
    execFileSync(process.execPath, [compiler, source, ...common, ...options, '--outFile', out], {
      cwd: root,
      stdio: 'inherit',
    });
    return readFileSync(out);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const checking = process.argv.includes('--check');
for (const { source, target, options } of modules) {
  const bytes = compile(source, options);
  const file = path.join(root, target);
  if (!checking) writeFileSync(file, bytes);
  else if (!readFileSync(file).equals(bytes)) {
    console.error(`${target} is not what ${source} compiles to. Run npm run wasm.`);
    process.exitCode = 1;
  }
}
