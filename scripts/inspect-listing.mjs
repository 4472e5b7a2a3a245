// The inspector's strict listing of every tool must find nothing to say, over stdio. It needs Node 22.19 or newer.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const inspector = path.join(root, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const home = mkdtempSync(path.join(os.tmpdir(), 'ai-assist-inspector-'));

const asked = [
  '--cli',
  '--method',
  'tools/list',
  '--strict',
  '-e',
  'AI_ASSIST_TOOLSETS=all',
  '-e',
  'AI_ASSIST_ROLE=owner',
];
const server = [process.execPath, path.join(root, 'dist/cli/main.cjs'), 'mcp'];
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [inspector, ...asked, '-e', `AI_ASSIST_DATABASE=${path.join(home, 'library.db')}`, '--', ...server],
  { env: { PATH: process.env.PATH, HOME: home }, encoding: 'utf8', timeout: 60_000 },
);
rmSync(home, { recursive: true, force: true });

const problems = stderr.split('\n').filter((line) => /^(Warning|Error)|\d+ (errors|warnings)/.test(line));
if (status !== 0 || problems.length > 0) {
  console.error(stderr);
  process.exit(1);
}
console.log(`The inspector lists ${JSON.parse(stdout).tools.length} tools, and has nothing to say.`);
