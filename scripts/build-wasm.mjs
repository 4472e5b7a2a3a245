// @ts-check
// Compiles wasm/*.ts into src. With --check it changes nothing, and fails when a compiled file is not what its source gives.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const asc = path.join(
  path.dirname(createRequire(import.meta.url).resolve('assemblyscript/package.json')),
  'bin',
  'asc.js',
);
const common = ['-O3', '--runtime', 'stub', '--importMemory', '--enable', 'simd'];
const modules = [
  {
    source: 'wasm/minilm.ts',
    target: 'src/search/embed/minilm/minilm.wasm',
    options: ['--enable', 'threads', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'],
  },
  { source: 'wasm/scan.ts', target: 'src/search/vectors/scan.wasm', options: [] },
];

const scratch = mkdtempSync(path.join(os.tmpdir(), 'ai-assist-wasm-'));
const checking = process.argv.includes('--check');
try {
  for (const { source, target, options } of modules) {
    const made = path.join(scratch, path.basename(target));
    const outFile = path.relative(root, made);
    execFileSync(process.execPath, [asc, source, ...common, ...options, '--outFile', outFile], {
      cwd: root,
      stdio: 'inherit',
    });
    const file = path.join(root, target);
    if (!checking) writeFileSync(file, readFileSync(made));
    else if (!readFileSync(file).equals(readFileSync(made))) {
      console.error(`${target} is not what ${source} compiles to. Run npm run wasm.`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(scratch, { recursive: true });
}
