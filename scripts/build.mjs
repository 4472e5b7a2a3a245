// Compiles src to dist, from nothing: a file that was renamed leaves no old copy behind.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pack } from './pack.mjs';

const root = path.dirname(import.meta.dirname);
const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

rmSync(path.join(root, 'dist'), { recursive: true, force: true });
execFileSync(process.execPath, [tsc, '-p', path.join(root, 'tsconfig.build.json')], { stdio: 'inherit' });
chmodSync(path.join(root, 'dist', 'cli', 'main.cjs'), 0o755);
for (const file of readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
  if (file.endsWith('.wasm')) copyFileSync(path.join(root, 'src', file), path.join(root, 'dist', file));
}
await pack(path.join(root, 'dist'), path.join(root, 'dist', 'cli', 'packed'));
