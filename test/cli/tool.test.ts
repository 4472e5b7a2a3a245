/** `ai-assist tool`: input as JSON, from standard input and as flags. */
import { expect, test } from 'vitest';
import { cli, scratchEnv, scratchFolder } from '../support/scratch.js';

const scratch = () => scratchEnv(scratchFolder());
const parsed = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Record<string, unknown>;

test('G60 --input takes the arguments as JSON, and --json prints the envelope', async () => {
  const input = JSON.stringify({ name: 'Work', position: { placement: 'beginning' } });
  const added = await cli(['tool', 'add_folder', '--input', input, '--json'], scratch());
  expect(parsed(added)).toEqual({ success: true, id: expect.any(String), name: 'Work', version: 'r1' });
  expect(added).toMatchObject({ code: 0, stderr: '' });
});

test('G60 --input - reads the JSON from standard input', async () => {
  const env = scratch();
  const name = 'Ordner "ä" \u{1F4C1} '.repeat(20_000).trim();
  const added = await cli(['tool', 'add_folder', '--input', '-', '--json'], env, JSON.stringify({ name }));
  expect(parsed(added)).toMatchObject({ success: true, name });
  expect(parsed(await cli(['tool', 'list_folders', '--json'], env))).toMatchObject({ folders: [{ name }] });
});

test('G60 flags are the arguments in kebab-case; objects are JSON', async () => {
  const env = scratch();
  const work = parsed(await cli(['tool', 'add_folder', '--name', 'Work', '--json'], env));
  const position = JSON.stringify({ placement: 'ending', relativeTo: work.id });
  await cli(['tool', 'add_folder', '--name=Inside', `--position=${position}`], env);
  const inside = await cli(['tool', 'list_folders', '--parent-id', String(work.id), '--json'], env);
  expect(parsed(inside)).toMatchObject({ folders: [{ name: 'Inside', parentId: work.id }] });
});

test('G60 a switch alone means true, --no-… means false, and both may have a value', async () => {
  const env = scratch();
  const work = parsed(await cli(['tool', 'add_folder', '--name', 'Work', '--json'], env));
  await cli(['tool', 'add_folder', '--input', JSON.stringify({ name: 'In', position: inside(work.id) })], env);
  const count = async (...flags: string[]) => {
    const { folders } = parsed(await cli(['tool', 'list_folders', ...flags, '--json'], env));
    return (folders as unknown[]).length;
  };
  expect(await count('--include-children')).toBe(2);
  expect(await count('--include-children=true')).toBe(2);
  expect(await count('--no-include-children')).toBe(1);
  expect(await count('--include-children', 'false')).toBe(1);
});

const inside = (relativeTo: unknown) => ({ placement: 'ending', relativeTo });

test('G60 flags win over --input, and numbers are read as numbers', async () => {
  const env = scratch();
  const input = JSON.stringify({ name: 'From input', dryRun: true });
  const added = await cli(['tool', 'add_folder', '--input', input, '--name', 'From flag', '--json'], env);
  expect(parsed(added)).toMatchObject({ success: true, name: 'From flag', dryRun: true });
  const listed = await cli(['tool', 'audit_list', '--limit', '1', '--json'], env);
  expect(parsed(listed).entries).toHaveLength(1);
});

test('G60 a value may begin with a hyphen, hold an equals sign, or be empty', async () => {
  const env = scratch();
  const name = async (...flags: string[]) => parsed(await cli(['tool', 'add_folder', ...flags, '--json'], env)).name;
  expect(await name('--name=--help')).toBe('--help');
  expect(await name('--name', '-x')).toBe('-x');
  expect(await name('--name=a=b')).toBe('a=b');
  expect(parsed(await cli(['tool', 'add_folder', '--name=', '--json'], env))).toMatchObject({ success: false });
});

test('G60 G61 a forgotten value does not swallow the next flag', async () => {
  const env = scratch();
  expect(await cli(['tool', 'add_folder', '--name', '--json'], env)).toMatchObject({ code: 2, stdout: '' });
  expect(parsed(await cli(['tool', 'list_folders', '--json'], env))).toMatchObject({ folders: [] });
});

test('G60 a nullable argument takes text that looks like something else', async () => {
  const { stdout } = await cli(['tool', 'list_folders', '--parent-id', '12345', '--json'], scratch());
  expect(JSON.parse(stdout)).toMatchObject({ error: "Invalid parentId '12345': folder not found" });
});

test('G60 without --json a person gets a tree of names', async () => {
  const env = scratch();
  const work = parsed(await cli(['tool', 'add_folder', '--name', 'Work', '--json'], env));
  await cli(['tool', 'add_folder', '--input', JSON.stringify({ name: 'Guides', position: inside(work.id) })], env);
  await cli(['tool', 'edit_folder', '--name', 'Guides', '--new-status', 'dropped'], env);
  const { stdout } = await cli(['tool', 'list_folders'], env);
  expect(stdout).toMatch(/^Work +\S+\n {2}Guides \(dropped\) +\S+\nversion: r3\n$/);
});

test('G60 a failure is an envelope with --json, and a sentence with the next move without', async () => {
  const env = scratch();
  const failed = await cli(['tool', 'remove_folder', '--id', 'none', '--json'], env);
  expect(parsed(failed)).toMatchObject({ success: false, error_type: 'not_found' });
  const told = await cli(['tool', 'remove_folder', '--id', 'none'], env);
  expect(told).toMatchObject({ code: 1, stdout: '' });
  expect(told.stderr).toMatch(/^Error: .*none.*\nNext: {2}.+\n$/);
});

/** Flags that no tool has, with names that every object knows among them. */
const unknownFlags = ['--nmae', '--constructor', '--__proto__', '--to-string', '--no-name'];

test.each(unknownFlags)('G4 G60 the unknown flag %s is refused, and nothing is added', async (flag) => {
  const env = scratch();
  const added = await cli(['tool', 'add_folder', '--name', 'Work', flag, 'x', '--json'], env);
  expect(added.code).toBe(1);
  expect(parsed(added)).toMatchObject({ success: false, error_type: 'invalid_argument' });
  expect(parsed(await cli(['tool', 'list_folders', '--json'], env))).toMatchObject({ folders: [] });
});
