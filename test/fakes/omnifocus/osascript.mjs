/**
 * A fake `osascript`: evaluates the script from standard input as macOS would, with a fake OmniFocus to talk
 * to. Its folder holds the state of that, the runs so far, and the faults to come.
 */
import { appendFileSync, closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { omnifocusWorld } from './world.mjs';

const EMPTY = '{"nextId":1,"sections":[]}';

/** @param {string} folder @param {string[]} args */
export function osascript(folder, args) {
  const stateFile = path.join(folder, 'state.json');
  const script = readFileSync(0, 'utf8');
  const fault = takeFault(path.join(folder, 'faults.json'));
  const overlapped = !begin(path.join(folder, 'running'));
  const kind = script.length < 100 ? 'probe' : 'script';
  appendFileSync(
    path.join(folder, 'runs.jsonl'),
    `${JSON.stringify({ args, kind, overlapped, ascii: /^[\x20-\x7e\n]*$/.test(script) })}\n`,
  );
  process.on('exit', () => rmSync(path.join(folder, 'running'), { force: true }));

  if (fault?.startsWith('error ')) return appleEventError(fault.slice(6));
  if (fault === 'stubborn') process.on('SIGTERM', () => {});
  if (fault === 'hang' || fault === 'stubborn') return hang(folder);
  if (fault === 'garbage') return print('\u0000\u0001 not what you expect');
  if (fault === 'empty') return;
  if (fault === 'other') return print('{"success":true}');
  if (fault === 'listing') return print('{"success":true,"folders":[]}');
  if (fault === 'changed') return print('{"success":true,"id":"x","name":"x"}');
  if (fault === 'signal') return process.kill(process.pid, 'SIGKILL');

  if (fault === 'slow') waitFor(path.join(folder, 'go'));
  const answer = String(evaluate(script, stateFile, fault === 'throw midway'));
  if (fault === 'late') return hang(folder);
  if (fault === 'signal after') return process.kill(process.pid, 'SIGKILL');
  print(fault === 'half' ? answer.slice(0, answer.length / 2) : answer);
}

/** What the script answers. @param {string} script @param {string} stateFile @param {boolean} [breaksMidway] */
export function evaluate(script, stateFile, breaksMidway = false) {
  /** @param {string} program */
  const evaluateJavascript = (program) => {
    const context = vm.createContext({});
    const state = existsSync(stateFile) ? readFileSync(stateFile, 'utf8') : EMPTY;
    const save = vm.runInContext(`(${omnifocusWorld})`, context)(state);
    if (breaksMidway)
      vm.runInContext(
        `Object.defineProperty(Folder.prototype, 'status', { get() { return Folder.Status.Active }, set() { throw new Error('OmniFocus is out of memory') } })`,
        context,
      );
    try {
      return vm.runInContext(program, context);
    } finally {
      // Also when it threw: OmniFocus keeps what was changed before.
      writeFileSync(stateFile, save());
    }
  };
  /** @param {string} name */
  const Application = (name) => {
    if (name !== 'OmniFocus') throw new Error(`Application can't be found.`);
    return { evaluateJavascript };
  };
  return vm.runInNewContext(script, { Application });
}

/** @param {string} text */
const print = (text) => process.stdout.write(`${text}\n`);

/** @param {string} words a number, and words where they matter */
function appleEventError(words) {
  const [code, ...text] = words.split(' ');
  process.stderr.write(`execution error: Error: Error: ${text.join(' ') || 'some words in some language'} (${code})\n`);
  process.exitCode = 1;
}

/** Never ends by itself, unless the folder of the test is gone. @param {string} folder */
function hang(folder) {
  setInterval(() => existsSync(folder) || process.exit(), 1000);
}

/** @param {string} file */
function waitFor(file) {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (existsSync(path.dirname(file)) && !existsSync(file)) Atomics.wait(pause, 0, 0, 20);
}

/** @param {string} file @returns {string | undefined} */
function takeFault(file) {
  if (!existsSync(file)) return undefined;
  const [fault, ...rest] = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(rest));
  return fault;
}

/** @param {string} file */
function begin(file) {
  try {
    closeSync(openSync(file, 'wx'));
    return true;
  } catch {
    return false;
  }
}
