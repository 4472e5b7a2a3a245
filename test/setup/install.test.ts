/** `ai-assist install` on real files, and the server that it writes down. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parse as parseToml } from 'smol-toml';
import { expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../src/cli/command.js';
import { run } from '../../src/cli/commands/install.js';
import { clients, entryFor, type Place } from '../../src/setup/clients.js';
import { installInto } from '../../src/setup/install.js';
import { launchFor, sharedLaunch } from '../../src/setup/launch.js';
import { cli, mainFile, scratchEnv, scratchFolder } from '../support/scratch.js';

const home = () => {
  const folder = scratchFolder();
  return { folder, env: scratchEnv(folder) };
};

const expectedFiles: Record<string, string> = {
  'claude-code': '.claude.json',
  'claude-desktop': 'config/Claude/claude_desktop_config.json',
  cursor: '.cursor/mcp.json',
  vscode: 'config/Code/User/mcp.json',
  codex: '.codex/config.toml',
  gemini: '.gemini/settings.json',
  windsurf: '.codeium/windsurf/mcp_config.json',
};

type Launch = { command: string; args: string[] };

function launchIn(file: string, key: string): Launch {
  const text = readFileSync(file, 'utf8');
  const data = (file.endsWith('.toml') ? parseToml(text) : JSON.parse(text)) as Record<string, Record<string, Launch>>;
  return data[key]?.['ai-assist'] as Launch;
}

test.each(clients)('M120 M122 $name gets its entry once', async (client) => {
  const folder = scratchFolder();
  const place = {
    platform: 'linux',
    env: { XDG_CONFIG_HOME: path.join(folder, 'config') },
    home: folder,
    project: folder,
  } as const;
  const file = client.files.user(place);
  expect(file).toBe(path.join(folder, expectedFiles[client.name] ?? ''));
  const entry = entryFor(client, { command: process.execPath, args: [mainFile, 'mcp'] });
  const install = () => installInto(client, file, 'ai-assist', entry, new Date());
  expect(await install()).toEqual({ file, changed: true });
  const { command, args } = launchIn(file, client.key);
  expect([command, ...args]).toEqual([process.execPath, mainFile, 'mcp']);

  const before = readFileSync(file);
  expect(await install()).toEqual({ file, changed: false });
  expect(readFileSync(file)).toEqual(before);
  expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
});

test('M120 what was written starts a server that answers', async () => {
  const { folder, env } = home();
  await cli(['install', 'cursor', '--project', folder, '--', '--read-only'], env);
  const { command, args } = launchIn(path.join(folder, '.cursor/mcp.json'), 'mcpServers');
  expect(args).toEqual([mainFile, 'mcp', '--project', folder, '--read-only']);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({ command, args, env: env as Record<string, string>, stderr: 'ignore' }),
  );
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('list_folders');
  expect(tools.map(({ name }) => name)).not.toContain('add_folder');
});

/** Home, project and what the environment says, for each platform. */
const places: Record<string, [Place, Record<string, string>]> = {
  macOS: [
    { platform: 'darwin', env: {}, home: '/Users/ada', project: '/Users/ada/p' },
    {
      'claude-desktop': '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
      vscode: '/Users/ada/Library/Application Support/Code/User/mcp.json',
      codex: '/Users/ada/.codex/config.toml',
    },
  ],
  Windows: [
    {
      platform: 'win32',
      env: { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
      home: 'C:\\Users\\ada',
      project: 'D:\\p',
    },
    {
      'claude-desktop': 'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
      vscode: 'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json',
      windsurf: 'C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json',
    },
  ],
  Linux: [
    { platform: 'linux', env: { CODEX_HOME: '/srv/codex' }, home: '/home/ada', project: '/p' },
    {
      codex: '/srv/codex/config.toml',
      vscode: '/home/ada/.config/Code/User/mcp.json',
      cursor: '/home/ada/.cursor/mcp.json',
    },
  ],
};

test.each(Object.entries(places))('M120 on %s the files are where the clients look', (_, [place, files]) => {
  for (const [name, file] of Object.entries(files)) {
    expect(clients.find((client) => client.name === name)?.files.user(place)).toBe(file);
  }
});

test('M121 M123 a file keeps its mode and its link, and a copy of it is kept', async () => {
  const { folder, env } = home();
  const real = path.join(folder, 'dotfiles.json');
  const before = '{\n  // mine\n  "theme": "dark"\n}\n';
  writeFileSync(real, before, { mode: 0o640 });
  chmodSync(real, 0o640);
  mkdirSync(path.join(folder, '.cursor'));
  symlinkSync(real, path.join(folder, '.cursor/mcp.json'));

  const { stdout } = await cli(['install', 'cursor'], env);
  expect(readFileSync(real, 'utf8')).toContain('  // mine\n  "theme": "dark",\n  "mcpServers": {');
  expect(statSync(real).mode & 0o777).toBe(0o640);
  expect(readFileSync(path.join(folder, '.cursor/mcp.json'), 'utf8')).toContain('ai-assist');
  const backup = /backup {2}(.+)/.exec(stdout)?.[1] ?? '';
  expect(readFileSync(backup, 'utf8')).toBe(before);

  await cli(['install', 'cursor', '--', '--read-only'], env);
  await cli(['install', 'cursor', '--', '--role', 'reader'], env);
  expect(readdirSync(folder).filter((name) => name.endsWith('.bak'))).toHaveLength(3);
});

test('M121 a link that leads to nothing yet stays a link', async () => {
  const { folder, env } = home();
  mkdirSync(path.join(folder, '.gemini'));
  symlinkSync('../later.json', path.join(folder, '.gemini/settings.json'));
  expect(await cli(['install', 'gemini'], env)).toMatchObject({ code: 0 });
  expect(lstatSync(path.join(folder, '.gemini/settings.json')).isSymbolicLink()).toBe(true);
  expect(readFileSync(path.join(folder, 'later.json'), 'utf8')).toContain('ai-assist');
});

test('M121 M124 many at once leave a whole file with every entry, or say that they did not', async () => {
  const { folder, env } = home();
  const names = ['one', 'two', 'three', 'four'];
  const runs = await Promise.all(names.map((name) => cli(['install', 'cursor', '--name', name], env)));
  const written = Object.keys(JSON.parse(readFileSync(path.join(folder, '.cursor/mcp.json'), 'utf8')).mcpServers);
  expect(runs.some(({ code }) => code === 0)).toBe(true);
  for (const name of written) expect(names).toContain(name);
  for (const { code, stderr } of runs.filter((run) => run.code !== 0)) {
    expect(code).toBe(1);
    expect(stderr).toContain('Try again');
  }
});

const unusable: [string, (file: string) => void, string][] = [
  ['is broken', (file) => writeFileSync(file, '{\n "a": \n'), 'line 3, column 1'],
  ['is a link to itself', (file) => symlinkSync(file, file), 'in a circle'],
  ['is a folder', (file) => mkdirSync(file), 'not a file'],
  ['is not UTF-8', (file) => writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d])), 'not UTF-8'],
];

test.each(unusable)('M124 a file that %s is left alone', async (_, make, message) => {
  const { folder, env } = home();
  mkdirSync(path.join(folder, '.gemini'));
  const file = path.join(folder, '.gemini/settings.json');
  make(file);
  const { code, stderr } = await cli(['install', 'gemini'], env);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
  expect(stderr).toContain('Nothing was changed');
  expect(readdirSync(path.join(folder, '.gemini'))).toEqual(['settings.json']);
});

test('M124 a folder that cannot be made is told', async () => {
  const { folder, env } = home();
  writeFileSync(path.join(folder, '.codeium'), '');
  const { code, stderr } = await cli(['install', 'windsurf'], env);
  expect(code).toBe(1);
  expect(stderr).toContain('mcp_config.json');
});

test('M125 --print changes nothing, and prints the entry alone', async () => {
  const { folder, env } = home();
  const shown = await cli(['install', 'vscode', '--print'], env);
  expect(JSON.parse(shown.stdout)).toEqual({
    servers: { 'ai-assist': { type: 'stdio', command: process.execPath, args: [mainFile, 'mcp'] } },
  });
  expect(parseToml((await cli(['install', 'codex', '--print'], env)).stdout)).toMatchObject({ mcp_servers: {} });
  expect(existsSync(path.join(folder, 'config'))).toBe(false);
});

test('M126 a shared file names no place of this machine', () => {
  const running = { node: '/usr/bin/node', version: '1.2.3', platform: 'linux' as const };
  const own = { ...running, mainFile: '/p/node_modules/ai-assist/dist/cli/main.js' };
  expect(sharedLaunch(own, '/p', [])).toEqual({ command: 'npx', args: ['--no-install', 'ai-assist', 'mcp'] });
  const cached = { ...running, mainFile: '/home/ada/.npm/_npx/1/node_modules/ai-assist/dist/cli/main.js' };
  expect(launchFor(cached, [])).toEqual({ command: 'npx', args: ['-y', 'ai-assist@1.2.3', 'mcp'] });
  expect(launchFor({ ...cached, platform: 'win32' }, [])).toMatchObject({
    command: 'cmd',
    args: ['/c', 'npx', '-y', 'ai-assist@1.2.3', 'mcp'],
  });
});

test('M126 --scope project writes into the project', async () => {
  const { folder, env } = home();
  const { code } = await cli(['install', 'claude-code', '--scope', 'project'], env, '', folder);
  expect(code).toBe(0);
  expect(launchIn(path.join(folder, '.mcp.json'), 'mcpServers').args).toEqual([mainFile, 'mcp']);
});

const mistakes: [string[], string][] = [
  [['curser'], "Did you mean 'ai-assist install cursor'?"],
  [['netscape'], 'windsurf'],
  [['cursor', 'vscode'], "'vscode'"],
  [['windsurf', '--scope', 'project'], 'Windsurf'],
  [['cursor', '--scope', 'all'], "'all'"],
  [['cursor', '--name', 'a b'], "'a b'"],
  [['cursor', '--', '--reed-only'], '--reed-only'],
  [['cursor', '--frobnicate'], '--frobnicate'],
];

test('M127 a mistake is a usage error that names it', async () => {
  for (const [words, message] of mistakes) {
    const thrown = await run(words).then(
      () => expect.fail(words.join(' ')),
      (error: UsageError) => error,
    );
    expect(thrown).toBeInstanceOf(UsageError);
    expect(`${thrown.message} ${thrown.next}`).toContain(message);
  }
});

test('M127 without a client, the clients are listed', async () => {
  const { stdout, code } = await cli(['install'], home().env);
  expect(code).toBe(0);
  for (const { name } of clients) expect(stdout).toContain(name);
});
