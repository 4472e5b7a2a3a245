/**
 * Loads the packed command line and keeps what V8 compiled of it for the next run, as newer versions of Node do by
 * themselves. What is kept carries its own hash: V8 trusts what it is given, and damaged code would end the process.
 */
const { createHash } = require('node:crypto') as typeof import('node:crypto');
const fs = require('node:fs') as typeof import('node:fs');
const { createRequire } = require('node:module') as typeof import('node:module');
const os = require('node:os') as typeof import('node:os');
const path = require('node:path') as typeof import('node:path');
const vm = require('node:vm') as typeof import('node:vm');

type Loaded = { exports: unknown };
type Compiled = { name: string; script: import('node:vm').Script };

/** The file `name` in `folder`, with the files of this folder that it requires. */
function load(folder: string, name: string): unknown {
  const place = placeFor(folder);
  const loaded = new Map<string, Loaded>();
  const fresh: Compiled[] = [];
  const requireOther = createRequire(path.join(folder, name));
  process.once('exit', () => keep(place, fresh));

  const loadFile = (name: string): unknown => {
    const known = loaded.get(name);
    if (known) return known.exports;
    const module: Loaded = { exports: {} };
    loaded.set(name, module);
    const filename = path.join(folder, name);
    const cachedData = readKept(path.join(place.folder, name));
    const script = new vm.Script(wrapped(fs.readFileSync(filename, 'utf8')), { filename, cachedData });
    if (!cachedData || script.cachedDataRejected) fresh.push({ name, script });
    script.runInThisContext()(module.exports, requireHere, module, filename, folder);
    return module.exports;
  };
  const requireHere = (name: string): unknown =>
    name.startsWith('./') ? loadFile(name.slice('./'.length)) : requireOther(name);
  return loadFile(name);
}

const wrapped = (source: string): string =>
  `(function (exports, require, module, __filename, __dirname) {${source}\n})`;

type Place = { build: string; folder: string };

/** One folder for each build and each Node: other code, or code for another V8, is never looked at. */
function placeFor(packed: string): Place {
  const build = fs.readFileSync(path.join(packed, 'build-id'), 'utf8');
  return { build, folder: path.join(cacheFolder(), `${build}-${process.version}-${process.arch}`) };
}

/** Where the platform keeps what can be made again. The variable of the XDG standard counts everywhere. */
function cacheFolder(): string {
  const { HOME, LOCALAPPDATA, XDG_CACHE_HOME = '' } = process.env;
  if (path.isAbsolute(XDG_CACHE_HOME)) return path.join(XDG_CACHE_HOME, 'ai-assist');
  const home = HOME || os.homedir();
  if (process.platform === 'darwin') return path.join(home, 'Library', 'Caches', 'ai-assist');
  if (process.platform !== 'win32') return path.join(home, '.cache', 'ai-assist');
  return path.join(LOCALAPPDATA || path.join(home, 'AppData', 'Local'), 'ai-assist', 'Cache');
}

const HASH_BYTES = 32;
const hashOf = (code: Buffer): Buffer => createHash('sha256').update(code).digest();

function readKept(file: string): Buffer | undefined {
  try {
    const content = fs.readFileSync(file);
    const code = content.subarray(HASH_BYTES);
    return hashOf(code).equals(content.subarray(0, HASH_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** A folder that cannot be written to costs time and nothing else. */
function keep({ build, folder }: Place, fresh: readonly Compiled[]): void {
  if (fresh.length === 0) return;
  try {
    if (!fs.existsSync(folder)) dropOtherBuilds(path.dirname(folder), build);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const { name, script } of fresh) {
      const code = script.createCachedData();
      const draft = path.join(folder, `${name}.${process.pid}`);
      fs.writeFileSync(draft, Buffer.concat([hashOf(code), code]), { mode: 0o600 });
      fs.renameSync(draft, path.join(folder, name));
    }
  } catch {}
}

function dropOtherBuilds(folder: string, build: string): void {
  if (!fs.existsSync(folder)) return;
  for (const name of fs.readdirSync(folder)) {
    if (!name.startsWith(`${build}-`)) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

module.exports = { load };
