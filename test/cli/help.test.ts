/** Help for every command and every tool, and for whoever mistypes one. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { commands } from '../../src/cli/commands.js';
import { kebab } from '../../src/cli/flags.js';
import type { Tool } from '../../src/tools/define.js';
import { tools } from '../../src/tools/index.js';
import { cli, scratchEnv, scratchFolder } from '../support/scratch.js';
import { runHere } from './here.js';

/** Words of a text, however its lines are broken. */
const words = (text: string) => text.split(/\s+/).join(' ');

async function helpOf(...args: string[]): Promise<string> {
  const finished = await cli(args, scratchEnv(scratchFolder()));
  expect(finished, args.join(' ')).toMatchObject({ code: 0, stderr: '' });
  return finished.stdout;
}

/** The same, without a process of its own. */
async function helpHere(...args: string[]): Promise<string> {
  const finished = await runHere(args, {});
  expect(finished, args.join(' ')).toMatchObject({ code: 0, stderr: '' });
  return finished.stdout;
}

test.each(commands)(
  'G62 $name has help, in the overview and three ways of its own',
  async ({ name, summary, help }) => {
    expect(help).toContain(`Usage: ai-assist ${name}`);
    expect(await helpOf('--help')).toMatch(new RegExp(`^ {2}${name} +${summary}$`, 'm'));
    const texts = [await helpOf(name, '--help'), await helpOf(name, '-h'), await helpOf('help', name)];
    for (const text of texts) expect(text).toBe(`${summary}\n\n${help}\n`);
  },
);

function descriptions({ input }: Tool): [name: string, description: string][] {
  const properties = z.toJSONSchema(input, { io: 'input' }).properties as Record<string, { description: string }>;
  return Object.entries(properties).map(([name, { description }]) => [name, description]);
}

test.each(tools)(
  'G62 $name has help with every argument, its description, an example and the failures',
  async (tool) => {
    const text = await helpHere('tool', tool.name, '--help');
    expect(await helpHere('tools', tool.name)).toBe(text);
    expect(words(text)).toContain(words(tool.summary));
    for (const [name, description] of descriptions(tool)) {
      expect(text).toMatch(new RegExp(`^ {2}--${kebab(name)} `, 'm'));
      expect(words(text)).toContain(words(description));
    }
    expect(text).toContain(`ai-assist tool ${tool.name}`);
    for (const error of tool.errors) expect(text).toContain(`  ${error} `);
  },
);

test('G62 the help of a tool reads alike from a process of its own', async () => {
  expect(await helpOf('tool', 'add_folder', '--help')).toBe(await helpHere('tool', 'add_folder', '--help'));
});

test('G62 the list of tools names each of them, for people and as JSON', async () => {
  const text = await helpOf('tools');
  for (const { name, toolset } of tools) {
    expect(text).toContain(`  ${name} `);
    expect(text).toContain(`${toolset}\n`);
  }
  const listed = JSON.parse(await helpOf('tools', '--json')) as { name: string; input: object }[];
  expect(listed.map((tool) => tool.name)).toEqual(tools.map((tool) => tool.name));
});

test('G62 help touches no file', async () => {
  const folder = scratchFolder();
  for (const args of [['--help'], ['tool', 'add_folder', '--help'], ['tools']]) await cli(args, scratchEnv(folder));
  expect(readdirSync(folder)).toEqual([]);
});

/** What is typed, and what was meant. */
const slips: [typed: string, meant: string][] = [
  ['tol', "'ai-assist tool'"],
  ['TOOLS', "'ai-assist tools'"],
  ['mpc', "'ai-assist mcp'"],
  ['quikstart', "'ai-assist quickstart'"],
  ['help audti', "'ai-assist audit'"],
  ['tool add-folder', "'add_folder'"],
  ['tool list_folder', "'list_folders'"],
  ['tools mvoe_folder', "'move_folder'"],
];

test.each(slips)('G66 %s is answered with %s', async (typed, meant) => {
  const { code, stderr } = await cli(typed.split(' '), scratchEnv(scratchFolder()));
  expect(stderr).toContain(`Did you mean ${meant}?`);
  expect(code).toBe(2);
});

test('G66 a word that is near to nothing is answered with where to look', async () => {
  const env = scratchEnv(scratchFolder());
  expect((await cli(['xyzzy'], env)).stderr).toContain("Type 'ai-assist --help'");
  expect((await cli(['tool', 'xyzzy'], env)).stderr).toContain("Type 'ai-assist tools'");
});
