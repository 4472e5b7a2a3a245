/** Where configuration and data are kept on each platform. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { configFile, loadConfig } from '../../src/config/config.js';
import { platformFolders } from '../../src/config/platform.js';
import { cli, scratchEnv, scratchFolder } from '../support/scratch.js';

const home = '/home/ann';
const below = (...parts: string[]) => path.join(home, ...parts, 'ai-assist');

test('G54 Linux keeps configuration and data in the folders of the XDG standard', () => {
  expect(platformFolders({ HOME: home }, 'linux')).toEqual({
    config: below('.config'),
    data: below('.local', 'share'),
  });
  expect(platformFolders({ HOME: home, XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d' }, 'linux')).toEqual({
    config: '/c/ai-assist',
    data: '/d/ai-assist',
  });
});

test('G53 G54 empty variables for the folders count as not set', () => {
  expect(platformFolders({ HOME: home, XDG_CONFIG_HOME: '', XDG_DATA_HOME: '' }, 'linux')).toEqual({
    config: below('.config'),
    data: below('.local', 'share'),
  });
  expect(platformFolders({ HOME: '' }, 'linux')).toEqual(platformFolders({ HOME: os.homedir() }, 'linux'));
});

test('G54 a relative folder is no folder of the XDG standard, and is passed over', () => {
  expect(platformFolders({ HOME: home, XDG_CONFIG_HOME: 'here', XDG_DATA_HOME: './there' }, 'linux')).toEqual({
    config: below('.config'),
    data: below('.local', 'share'),
  });
});

test('G54 macOS keeps configuration and data in the Library', () => {
  expect(platformFolders({ HOME: home }, 'darwin')).toEqual({
    config: below('Library', 'Preferences'),
    data: below('Library', 'Application Support'),
  });
});

test('G54 Windows keeps configuration and data in the folders for applications', () => {
  expect(platformFolders({ HOME: home }, 'win32')).toEqual({
    config: below('AppData', 'Roaming'),
    data: below('AppData', 'Local'),
  });
  expect(platformFolders({ APPDATA: '/r', LOCALAPPDATA: '/l' }, 'win32')).toEqual({
    config: path.join('/r', 'ai-assist'),
    data: path.join('/l', 'ai-assist'),
  });
});

test('G54 the file and the database are looked for in these folders', () => {
  const env = scratchEnv(scratchFolder());
  const { config, data } = platformFolders(env);
  expect(configFile(env)).toBe(path.join(config, 'config.json'));
  expect(loadConfig(env).get('database')).toBe(path.join(data, 'library.db'));
});

test('G54 a call makes its database in the data folder, and nothing anywhere else', async () => {
  const folder = scratchFolder();
  const env = scratchEnv(folder);
  const { code } = await cli(['tool', 'add_folder', '--name', 'Work'], env);
  expect(code).toBe(0);
  expect(existsSync(path.join(platformFolders(env).data, 'library.db'))).toBe(true);
  expect(readdirSync(folder)).toEqual(['data']);
  expect(readdirSync(path.join(folder, 'data'))).toEqual(['ai-assist']);
});

test('G54 a call reads the file in the configuration folder', async () => {
  const env = scratchEnv(scratchFolder());
  mkdirSync(platformFolders(env).config, { recursive: true });
  writeFileSync(path.join(platformFolders(env).config, 'config.json'), JSON.stringify({ readOnly: true }));
  const { stdout } = await cli(['tool', 'add_folder', '--name', 'Work', '--json'], env);
  expect(JSON.parse(stdout)).toMatchObject({ success: false, error_type: 'forbidden' });
});
