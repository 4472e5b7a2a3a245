/** `ai-assist quickstart`: the first thing that a person tries. */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.js';
import type { Environment } from '../../src/config/platform.js';
import { tools } from '../../src/tools/index.js';
import { cli, scratchEnv, scratchFolder } from '../support/scratch.js';

/** A home whose temporary folder is inside it, so that nothing can be left unseen. */
function home(more: Environment = {}) {
  const folder = scratchFolder();
  const temporary = path.join(folder, 'tmp');
  mkdirSync(temporary);
  return { folder, env: scratchEnv(folder, { TMPDIR: temporary, ...more }) };
}

const filesIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' });

test('G67 quickstart runs through and leaves nothing behind', async () => {
  const { folder, env } = home();
  const { code, stdout, stderr } = await cli(['quickstart'], env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const told = [
    'packed again: the same bytes',
    'synced: 3 documents',
    '3 texts can be found by meaning',
    'found work/releases.md:',
    'rules > style: writing/decisions.md, writing/names.md',
    'Ben is refused (conflict): Version',
    'Nobody lost anything',
    'changed  name: Decisions → Decision records',
    'the audit log is intact',
    'npx ai-assist install claude-code',
  ];
  const places = told.map((text) => stdout.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(filesIn(folder)).toEqual(['tmp']);
});

test('G67 every command that quickstart shows is one that there is', async () => {
  const { stdout } = await cli(['quickstart'], home().env);
  const shown = [...stdout.matchAll(/^ {2}(?:npx|\$) ai-assist (\w+)(?: (\w+))?/gm)];
  expect(shown.length).toBeGreaterThan(8);
  for (const [line, command, word = ''] of shown) {
    const found = commands.find(({ name }) => name === command);
    expect(found, line).toBeDefined();
    if (command === 'tool') expect(tools.map(({ name }) => name)).toContain(word);
    else expect(`${found?.help} search how`, line).toContain(word);
  }
});

/** Settings of a person that must not reach into the scratch workspace. */
const settings: Environment = {
  AI_ASSIST_READ_ONLY: 'true',
  AI_ASSIST_ROLE: 'reader',
  AI_ASSIST_AUDIT_READS: 'false',
  AI_ASSIST_CALLS_PER_MINUTE: '1',
  AI_ASSIST_DATABASE: ':memory:',
  AI_ASSIST_FOLDERS_PROVIDER: 'omnifocus',
  AI_ASSIST_PROJECT_CONFIG_FILE: 'other.json',
};

test("G67 quickstart runs through whatever a person's settings are", async () => {
  const { folder, env } = home(settings);
  const { code, stdout } = await cli(['quickstart'], env);
  expect(stdout).toContain('the audit log is intact');
  expect(code).toBe(0);
  expect(filesIn(folder)).toEqual(['tmp']);
});

test('G67 --keep leaves the scratch library where it says, and it works', async () => {
  const { env } = home();
  const { stdout } = await cli(['quickstart', '--keep'], env);
  const file = /The scratch library is (\S+\.db)/.exec(stdout)?.[1] ?? '';
  expect(existsSync(file)).toBe(true);
  const listed = await cli(['tool', 'list_folders'], { ...env, AI_ASSIST_DATABASE: file });
  expect(listed.stdout).toContain('Decision records');
});
