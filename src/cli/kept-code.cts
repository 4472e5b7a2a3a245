/**
 * Loads the packed command line and keeps what V8 compiled of it for the next run, as newer versions of Node do by
 * themselves. V8 runs what it is given: what is kept carries its own hash, because damaged code would end the process,
 * and counts only if it is this user's and no other user can write it.
 */
const { createHash } = require('node:crypto') as typeof import('node:crypto');
const fs = require('node:fs') as typeof import('node:fs');
const { createRequire } = require('node:module') as typeof import('node:module');
const path = require('node:path') as typeof import('node:path');
const vm = require('node:vm') as typeof import('node:vm');

type Loaded = { exports: unknown };
type Compiled = { name: string; script: import('node:vm').Script };
type IsOurs = (stats: import('node:fs').Stats) => boolean;

/** The file `name` in `packed`, with the files of this folder that it requires. Compiled code is kept below `cache`. */
function load(packed: string, name: string, cache: string, isOurs: IsOurs): unknown {
  const folder = folderFor(packed, cache);
  const loaded = new Map<string, Loaded>();
  const fresh: Compiled[] = [];
  const requireOther = createRequire(path.join(packed, name));
  process.once('exit', () => keep(folder, fresh));

  const loadFile = (name: string): unknown => {
    const known = loaded.get(name);
    if (known) return known.exports;
    const filename = path.join(packed, name);
    const cachedData = readKept(path.join(folder, name), isOurs);
    const script = new vm.Script(wrapped(fs.readFileSync(filename, 'utf8')), { filename, cachedData });
    if (!cachedData || script.cachedDataRejected) fresh.push({ name, script });
    const module: Loaded = { exports: {} };
    loaded.set(name, module);
    try {
      script.runInThisContext()(module.exports, requireHere, module, filename, packed);
    } catch (thrown) {
      loaded.delete(name);
      throw thrown;
    }
    return module.exports;
  };
  const requireHere = (name: string): unknown =>
    name.startsWith('./') ? loadFile(name.slice('./'.length)) : requireOther(name);
  return loadFile(name);
}

const wrapped = (source: string): string =>
  `(function (exports, require, module, __filename, __dirname) {${source}\n})`;

/** One folder for each build and each Node: other code, or code for another V8, is never looked at. */
function folderFor(packed: string, cache: string): string {
  const build = fs.readFileSync(path.join(packed, 'build-id'), 'utf8');
  return path.join(cache, `${build}-${process.version}-${process.arch}`);
}

const HASH_BYTES = 32;
const hashOf = (code: Buffer): Buffer => createHash('sha256').update(code).digest();

function readKept(file: string, isOurs: IsOurs): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(file, 'r');
    if (!isOurs(fs.fstatSync(descriptor))) return undefined;
    const content = fs.readFileSync(descriptor);
    const code = content.subarray(HASH_BYTES);
    return hashOf(code).equals(content.subarray(0, HASH_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** A folder that cannot be written to costs time and nothing else. */
function keep(folder: string, fresh: readonly Compiled[]): void {
  if (fresh.length === 0) return;
  try {
    if (!fs.existsSync(folder)) dropOld(path.dirname(folder));
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const { name, script } of fresh) write(path.join(folder, name), script.createCachedData());
  } catch {}
}

function write(file: string, code: Buffer): void {
  const draft = `${file}.${process.pid}`;
  try {
    // Never into a file that is there: it may be a link of somebody's to something else.
    fs.writeFileSync(draft, Buffer.concat([hashOf(code), code]), { mode: 0o600, flag: 'wx' });
    fs.renameSync(draft, file);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** The names that `folderFor` gives. Whatever else is there is not ours to remove. */
const folderName = /^[0-9a-f]{16}-v\d+\.\d+\.\d+-\w+$/;
const WEEK_MS = 7 * 24 * 3_600_000;

/** What earlier versions left. Two that are used in turn leave each other alone. */
function dropOld(cache: string): void {
  if (!fs.existsSync(cache)) return;
  for (const name of fs.readdirSync(cache)) {
    const folder = path.join(cache, name);
    const isOld = Date.now() - fs.lstatSync(folder).mtimeMs > WEEK_MS;
    if (folderName.test(name) && isOld) fs.rmSync(folder, { recursive: true, force: true });
  }
}

module.exports = { load };
