/** Colours and control characters, on a real terminal that util-linux `script` provides, and in pipes. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Environment } from '../../src/config/platform.js';
import { cli, mainFile, scratchEnv, scratchFolder } from '../support/scratch.js';

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
const shellLine = (args: string[]) => [process.execPath, mainFile, ...args].map(quoted).join(' ');

/** What a person sees: standard output and standard error on one terminal. */
async function onTerminal(args: string[], env: NodeJS.ProcessEnv, redirection = ''): Promise<string> {
  const child = spawn('script', ['-qec', `${shellLine(args)} ${redirection}`, '/dev/null'], {
    env: { TERM: 'xterm-256color', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return (await text(child.stdout)).replaceAll('\r\n', '\n');
}

const scratch = (more: Environment = {}) => scratchEnv(scratchFolder(), more);
const ESCAPE = '\u001b';
const failing = ['tool', 'remove_folder', '--id', 'none'];

test('G63 on a terminal, headings and errors have colours', async () => {
  const env = scratch();
  expect(await onTerminal(['--help'], env)).toContain(`${ESCAPE}[1mai-assist${ESCAPE}[22m`);
  expect(await onTerminal(failing, env)).toContain(`${ESCAPE}[31mError:${ESCAPE}[39m`);
});

const colourless: Environment[] = [{ NO_COLOR: '1' }, { NO_COLOR: 'false' }, { TERM: 'dumb' }];

test.each(colourless)('G63 on a terminal with %j there are none', async (setting) => {
  const env = scratch(setting);
  for (const args of [['--help'], ['tools'], ['config'], failing]) {
    expect(await onTerminal(args, env)).not.toContain(ESCAPE);
  }
});

test('G63 an empty NO_COLOR counts as not set', async () => {
  expect(await onTerminal(['--help'], scratch({ NO_COLOR: '' }))).toContain(ESCAPE);
});

const piped = ['--help', 'tools', 'tools add_folder', 'config', 'audit list', 'quickstart', failing.join(' '), 'no'];

test.each(piped)('G63 in a pipe there are none: %s', async (words) => {
  const { stdout, stderr } = await cli(words.split(' '), scratch({ TERM: 'xterm-256color' }));
  expect(stdout + stderr).not.toBe('');
  expect(stdout + stderr).not.toContain(ESCAPE);
});

test('G63 output that goes from a terminal to a file has none', async () => {
  const folder = scratchFolder();
  const file = path.join(folder, 'help.txt');
  await onTerminal(['--help'], scratchEnv(folder), `> ${quoted(file)}`);
  expect(readFileSync(file, 'utf8')).toMatch(/^ai-assist: /);
});

/** Sets the title, clears the screen, colours, goes back, deletes, turns the direction of the text, and forges a line. */
const evil = 'a\u001b]0;owned\u0007\u001b[2J\u001b[31mb\rc\bd\u007fe\u009b31mf\u0085g\u202eh\u2066i\nforged\u2028k';

/** Characters that steer a terminal. Lines of our own end with a line feed. */
const steering = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const expectHarmless = (output: string, seen: string) => {
  expect(output).toContain(seen);
  expect(output.replaceAll('\n', '')).not.toMatch(steering);
};

/** A library with that name in it twice, so that errors quote it, made by an agent of that name. */
async function evilLibrary() {
  const env = scratch({ NO_COLOR: '1', AI_ASSIST_AGENT: evil });
  for (const _ of [1, 2]) await cli(['tool', 'add_folder', '--input', '-'], env, JSON.stringify({ name: evil }));
  return env;
}

const showing: Record<string, string[]> = {
  'a list of folders': ['tool', 'list_folders'],
  'a changed folder': ['tool', 'add_folder', '--name', evil],
  'an ambiguous name': ['tool', 'remove_folder', '--name', evil],
  'a name that is not found': ['tool', 'remove_folder', '--name', `${evil}2`],
  'an unknown argument': ['tool', 'list_folders', '--input', JSON.stringify({ [evil]: 1 })],
  'an unknown command': [evil],
  'an unknown tool': ['tool', evil],
  'input that is no JSON': ['tool', 'list_folders', '--input', evil],
  'the audit log': ['audit', 'list'],
  'the settings': ['config'],
};

test.each(Object.keys(showing))('G64 %s cannot steer the terminal', async (kind) => {
  expectHarmless(await onTerminal(showing[kind] as string[], await evilLibrary()), 'owned');
});

test('G64 a name with a line feed stays on its line', async () => {
  const output = await onTerminal(['tool', 'list_folders'], await evilLibrary());
  expect(output).not.toMatch(/^forged/m);
});

const asJson = ['tool list_folders --json', 'audit list --json', 'audit export', 'config --json'];

test.each(asJson)('G64 as JSON names cannot steer the terminal either: %s', async (words) => {
  expectHarmless(await onTerminal(words.split(' '), await evilLibrary()), 'owned');
});

test('G64 the JSON still holds the name as it is', async () => {
  const { stdout } = await cli(['tool', 'list_folders', '--json'], await evilLibrary());
  expect(JSON.parse(stdout)).toMatchObject({ folders: [{ name: evil }, { name: evil }] });
});
