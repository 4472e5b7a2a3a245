/** Exit codes: what a script that calls the command line can rely on. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cli, scratchEnv, scratchFolder } from '../support/scratch.js';

const successes: Record<string, string[]> = {
  'a call that succeeds': ['tool', 'list_folders'],
  'a rehearsed call': ['tool', 'add_folder', '--name', 'Work', '--dry-run'],
  'a list of tools': ['tools', '--json'],
  'the settings': ['config'],
  'an empty audit log': ['audit', 'list'],
  'no command': [],
  help: ['--help'],
  'the version': ['--version'],
};

test.each(Object.keys(successes))('G61 0 for %s, with an empty standard error', async (kind) => {
  const finished = await cli(successes[kind] as string[], scratchEnv(scratchFolder()));
  expect(finished).toMatchObject({ code: 0, stderr: '' });
  expect(finished.stdout).not.toBe('');
});

const failures: Record<string, string[]> = {
  'bad input': ['tool', 'add_folder', '--name', ' '],
  'an unknown argument': ['tool', 'add_folder', '--input', '{"nmae":"Work"}'],
  'input that is no object': ['tool', 'add_folder', '--input', '[1]'],
  'a missing folder': ['tool', 'remove_folder', '--id', 'none'],
};

test.each(Object.keys(failures))('G61 1 for %s, with or without --json', async (kind) => {
  const env = scratchEnv(scratchFolder());
  const args = failures[kind] as string[];
  expect(await cli(args, env)).toMatchObject({ code: 1, stdout: '' });
  const json = await cli([...args, '--json'], env);
  expect(json).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(json.stdout)).toMatchObject({ success: false });
});

test('G61 1 for a database that cannot be opened and for a bad setting, as an envelope with --json', async () => {
  const folder = scratchFolder();
  const file = path.join(folder, 'library.db');
  writeFileSync(file, 'This is no database, but a text that is long enough.'.repeat(100));
  for (const env of [{ AI_ASSIST_DATABASE: file }, { AI_ASSIST_MAX_BATCH: 'none' }]) {
    const failed = await cli(['tool', 'list_folders', '--json'], scratchEnv(folder, env));
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({ success: false, error_type: expect.any(String) });
  }
});

const mistakes: Record<string, string[]> = {
  'an unknown command': ['destroy'],
  'a command that every object knows': ['constructor'],
  'help for an unknown command': ['help', 'destroy'],
  'a tool without a name': ['tool'],
  'an unknown tool': ['tool', 'destroy_folder'],
  'an unknown tool to explain': ['tools', 'destroy_folder'],
  'a word that is no flag': ['tool', 'add_folder', 'Work'],
  'a flag without its value': ['tool', 'add_folder', '--name'],
  'a number that is none': ['tool', 'audit_list', '--limit', 'ten'],
  'a switch that is neither': ['tool', 'list_folders', '--include-children=maybe'],
  'input that is no JSON': ['tool', 'add_folder', '--input', '{name: Work}'],
  'empty standard input': ['tool', 'add_folder', '--input', '-'],
  'an argument that is no JSON': ['tool', 'add_folder', '--name', 'Work', '--position', 'ending'],
  'audit without a verb': ['audit'],
  'an unknown verb of audit': ['audit', 'erase'],
  'a verb of audit that every object knows': ['audit', 'constructor'],
  'an unknown option of audit': ['audit', 'list', '--colour'],
  'a limit of audit that is no number': ['audit', 'list', '--limit', 'ten'],
  'an unknown option of config': ['config', '--colour'],
  'an unknown option of quickstart': ['quickstart', '--colour'],
};

test.each(Object.keys(mistakes))('G61 2 for %s, with the next move on standard error', async (kind) => {
  const finished = await cli(mistakes[kind] as string[], scratchEnv(scratchFolder()));
  expect(finished).toMatchObject({ code: 2, stdout: '' });
  expect(finished.stderr).toMatch(/^Error: .+\nNext: {2}.+\n$/);
});
