/** What is published beside the code: server.json, the bundle's manifest, the skill, and the README. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { v0_3 } from '@anthropic-ai/mcpb';
import { expect, test } from 'vitest';
import { bundledPackages, bundleManifest } from '../../scripts/bundle-content.mjs';
import { commands } from '../../src/cli/commands.js';
import { readFlags } from '../../src/cli/flags.js';
import { loadConfig } from '../../src/config/config.js';
import { clients } from '../../src/setup/clients.js';
import { tools } from '../../src/tools/index.js';
import { cli, root, scratchEnv, scratchFolder } from '../support/scratch.js';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const readJson = (file: string) => JSON.parse(read(file));

test('M130 server.json agrees with package.json, within the limits of the registry', () => {
  const [server, own] = [readJson('server.json'), readJson('package.json')];
  expect(server.name).toBe(own.mcpName);
  expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(server.version).toBe(own.version);
  expect(server.packages).toMatchObject([{ registryType: 'npm', identifier: own.name, version: own.version }]);
  expect(server.description.length).toBeLessThanOrEqual(100);
  expect(own.files).toEqual(expect.arrayContaining(['server.json', 'skills']));
});

test('M131 the manifest of the bundle is valid and lists real tools', () => {
  const manifest = bundleManifest(root);
  expect(v0_3.McpbManifestSchema.safeParse(manifest)).toMatchObject({ success: true });
  const known = tools.map(({ name }) => name);
  for (const { name } of manifest.tools) expect(known).toContain(name);
  expect(manifest.tools.length).toBeGreaterThan(10);
});

test('M131 the bundle takes in every package of the run time, and nothing native', () => {
  const packages = bundledPackages(root);
  const { dependencies } = readJson('package.json');
  for (const name of Object.keys(dependencies)) expect(packages).toContain(`node_modules/${name}`);
  for (const folder of packages) {
    expect(folder).not.toMatch(/libsql/);
    expect(existsSync(path.join(root, folder, 'package.json')), folder).toBe(true);
    expect(readJson(path.join(folder, 'package.json')).cpu, folder).toBeUndefined();
  }
});

/** The lines of a document that a reader would type, without what stands behind a #. */
function typed(text: string): string[] {
  const blocks = [...text.matchAll(/^ *```(?:sh|console)\n([\s\S]*?)^ *```/gm)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split('\n'))
    .map((line) =>
      line
        .trim()
        .replace(/^\$ /, '')
        .replace(/\s+#.*$/, ''),
    )
    .flatMap((line) => /(?:^|\s)(?:npx )?ai-assist (.+)$/.exec(line)?.[1] ?? []);
}

/** Words of a command line, with what stands in quotes as one. */
const words = (line: string) =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, plain]) => single ?? double ?? plain ?? '');

test.each(['skills/ai-assist/SKILL.md', 'README.md'])('M132 every command in %s is one that there is', (file) => {
  const lines = typed(read(file));
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) {
    const [name = '', ...rest] = words(line.split(/ [|>] /)[0] ?? '');
    const command = commands.find((candidate) => candidate.name === name);
    expect(command, line).toBeDefined();
    if (name === 'tool') {
      const tool = tools.find((candidate) => candidate.name === rest[0]);
      expect(tool, line).toBeDefined();
      if (tool) expect(() => readFlags(tool, rest.slice(1)), line).not.toThrow();
      continue;
    }
    const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
    for (const flag of own.filter((word) => word.startsWith('--'))) {
      expect(`${command?.help} --help`, line).toContain(flag.split('=')[0]);
    }
  }
});

test('M132 the skill says when it is of use', () => {
  const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(read('skills/ai-assist/SKILL.md')) ?? [];
  expect(head).toMatch(/^name: ai-assist$/m);
  const [, description = ''] = /^description: (.+)$/m.exec(head) ?? [];
  expect(description.length).toBeGreaterThan(50);
  expect(description.length).toBeLessThanOrEqual(1024);
});

test('M133 the README has every tool, every setting and every client', () => {
  const text = read('README.md');
  for (const { name } of tools) expect(text).toContain(`](docs/tools.md#${name})`);
  for (const { env } of loadConfig({}).entries()) expect(text).toContain(`\`${env}\``);
  for (const { name, title } of clients) {
    expect(text).toContain(`<summary>${title}</summary>`);
    expect(text).toContain(`npx ai-assist install ${name}\n`);
  }
});

test('M133 the picture in the README shows the quickstart as it is', async () => {
  const folder = scratchFolder();
  const { stdout } = await cli(['quickstart'], scratchEnv(folder, { TMPDIR: folder }));
  const titles = stdout.split('\n').filter((line) => /^\d+\. /.test(line));
  expect(titles.length).toBeGreaterThan(6);
  const picture = read('docs/quickstart.svg');
  for (const title of titles) expect(picture).toContain(`>${title.slice(0, 60)}`);
});

test('M134 the one-click links carry the standard configuration', () => {
  const links = [...read('README.md').matchAll(/\[Install in [^\]]+\]\((https:[^)]+)\)/g)].map(
    ([, link = '']) => new URL(link),
  );
  const standard = { command: 'npx', args: ['-y', 'ai-assist', 'mcp'] };
  const [cursor, vscode] = links.map(({ searchParams }) => searchParams.get('config') ?? '');
  expect(links.map(({ searchParams }) => searchParams.get('name'))).toEqual(['ai-assist', 'ai-assist']);
  expect(JSON.parse(Buffer.from(cursor ?? '', 'base64').toString())).toEqual(standard);
  expect(JSON.parse(vscode ?? '')).toEqual({ type: 'stdio', ...standard });
});
