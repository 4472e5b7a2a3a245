#!/usr/bin/env node
/**
 * The command line's first file. It loads nothing that the command does not need, and the rest in few files: `packed`
 * holds the modules of this folder and all that they import, joined by scripts/pack.mjs.
 */
const { readFileSync } = require('node:fs') as typeof import('node:fs');
const path = require('node:path') as typeof import('node:path');

type App = typeof import('./run.js', { with: { 'resolution-mode': 'import' }});
type KeptCode = { load(folder: string, name: string): unknown };

const args = process.argv.slice(2);

if (args[0] === '--version' || args[0] === '-v') process.stdout.write(`${packageVersion()}\n`);
else {
  // A person who looks for a fault sees the names in the code: those of the packed files are shortened.
  const app = process.env.AI_ASSIST_DEBUG ? import('./run.js') : Promise.resolve(loadPacked() as App);
  app
    .then(({ run }) => run(args))
    .then((code) => {
      process.exitCode = code;
    });
}

function packageVersion(): string {
  const file = path.join(__dirname, '..', '..', 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/**
 * Compiled code is kept between runs, which saves a good part of the start: newer versions of Node do that themselves.
 * A server starts once and must touch nothing, nor must help; the quickstart leaves nothing behind. What was compiled
 * with options for V8 is of no use without them.
 */
function loadPacked(): unknown {
  const { NODE_DISABLE_COMPILE_CACHE: isDisabled, NODE_OPTIONS: options } = process.env;
  const folder = path.join(__dirname, 'packed');
  const loadPlainly = () => require(path.join(folder, 'run.cjs')) as unknown;
  if (leavesNothing() || isDisabled) return loadPlainly();
  const { enableCompileCache } = require('node:module') as { enableCompileCache?: () => void };
  if (!enableCompileCache && !options && process.execArgv.length === 0) {
    return (require('./kept-code.cjs') as KeptCode).load(folder, 'run.cjs');
  }
  enableCompileCache?.();
  return loadPlainly();
}

function leavesNothing(): boolean {
  const [name = 'help'] = args;
  return ['mcp', 'serve', 'quickstart', 'help'].includes(name) || args.includes('--help') || args.includes('-h');
}
