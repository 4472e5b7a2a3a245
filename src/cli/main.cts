#!/usr/bin/env node
/**
 * The command line's first file. It loads nothing that the command does not need, and the rest in few files: `packed`
 * holds the modules of this folder and all that they import, joined by scripts/pack.mjs.
 */
const fs = require('node:fs') as typeof import('node:fs');
const os = require('node:os') as typeof import('node:os');
const path = require('node:path') as typeof import('node:path');

type App = typeof import('./run.js', { with: { 'resolution-mode': 'import' }});
type IsOurs = (stats: import('node:fs').Stats) => boolean;
type KeptCode = { load(packed: string, name: string, cache: string, isOurs: IsOurs): unknown };
type Caching = { enableCompileCache?: (folder: string) => void };

/** What Node itself answers for a program that waits for something that never comes. */
const NEVER_ENDED = 13;

const args = process.argv.slice(2);
const packed = path.join(__dirname, 'packed');

if (args[0] === '--version' || args[0] === '-v') process.stdout.write(`${packageVersion()}\n`);
else {
  process.exitCode = NEVER_ENDED;
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
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version;
}

function loadPacked(): unknown {
  const cache = keepsCode() ? cacheFolder() : undefined;
  const { enableCompileCache } = require('node:module') as Caching;
  if (cache && !enableCompileCache)
    return (require('./kept-code.cjs') as KeptCode).load(packed, 'run.cjs', cache, isOurs);
  if (cache) enableCompileCache?.(cache);
  return require(path.join(packed, 'run.cjs')) as unknown;
}

/**
 * Compiled code is kept between runs, which saves a good part of the start. A server starts once and must touch nothing,
 * nor must help; the quickstart leaves nothing behind. What was compiled with options for V8 is of no use without them.
 */
function keepsCode(): boolean {
  const [name = 'help'] = args;
  const { NODE_DISABLE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
  if (NODE_DISABLE_COMPILE_CACHE || NODE_OPTIONS || process.execArgv.length > 0) return false;
  return !['mcp', 'serve', 'quickstart', 'help'].includes(name) && !args.includes('--help') && !args.includes('-h');
}

/** Below where the platform keeps what can be made again. Undefined where others could put code for us to run. */
function cacheFolder(): string | undefined {
  try {
    const folder = path.join(platformCache(), 'ai-assist', 'compiled-code');
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isOurs(fs.lstatSync(folder)) ? folder : undefined;
  } catch {
    return undefined;
  }
}

function platformCache(): string {
  const { HOME, LOCALAPPDATA, XDG_CACHE_HOME = '' } = process.env;
  const home = HOME || os.homedir();
  if (process.platform === 'darwin') return path.join(home, 'Library', 'Caches');
  if (process.platform === 'win32') return LOCALAPPDATA || path.join(home, 'AppData', 'Local');
  // The XDG standard has relative folders passed over.
  return path.isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : path.join(home, '.cache');
}

/** Windows has other means to keep users apart: a user's folder is the user's. */
function isOurs({ uid, mode }: import('node:fs').Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
