// @ts-check
// Makes the .mcpb bundle, which clients with a window install by a click, and proves that it works: the manifest is
// checked, the file is unpacked again, and the server in it is started as a client would. Build first.
//   node scripts/bundle.mjs [--output FILE]
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { getMcpConfigForManifest, packExtension, unpackExtension, validateManifest } from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { bundledPackages, bundleManifest } from './bundle-content.mjs';

const root = path.dirname(import.meta.dirname);

/** @param {string} folder */
function stage(folder) {
  const keep = ['dist', 'package.json', 'LICENSE', ...bundledPackages(root)];
  for (const name of keep) cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, 'manifest.json'), `${JSON.stringify(bundleManifest(root), null, 2)}\n`);
}

/**
 * Starts the server with the command that a client makes of the manifest, and asks it for its tools.
 * @param {string} folder
 */
async function tryServer(folder) {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8'));
  const config = await getMcpConfigForManifest({
    manifest,
    extensionPath: folder,
    systemDirs: { HOME: folder },
    userConfig: {},
    pathSeparator: path.sep,
  });
  if (!config) throw new Error('The manifest gives no command');
  const env = { PATH: process.env.PATH ?? '', ...config.env, AI_ASSIST_DATABASE: ':memory:' };
  const transport = new StdioClientTransport({ command: process.execPath, args: config.args ?? [], env });
  const client = new Client({ name: 'bundle', version: '1.0.0' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  // Node has SQLite itself from 22.13 on; the bundle brings no other.
  const canCall = Number(process.versions.node.split('.')[0]) >= 24;
  const answer = canCall ? await client.callTool({ name: 'list_folders', arguments: {} }) : undefined;
  await client.close();
  if (answer?.isError) throw new Error(`The server in the bundle fails: ${JSON.stringify(answer.content)}`);
  return { tools: tools.length, called: canCall };
}

async function main() {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const { values } = parseArgs({ options: { output: { type: 'string' } } });
  const output = path.resolve(values.output ?? path.join(root, `ai-assist-${version}.mcpb`));
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'ai-assist-bundle-'));
  try {
    const [staged, unpacked] = [path.join(scratch, 'staged'), path.join(scratch, 'unpacked')];
    mkdirSync(staged);
    stage(staged);
    if (!validateManifest(path.join(staged, 'manifest.json'))) throw new Error('The manifest is not valid');
    if (!(await packExtension({ extensionPath: staged, outputPath: output, silent: true }))) {
      throw new Error('The bundle could not be packed');
    }
    await unpackExtension({ mcpbPath: output, outputDir: unpacked, silent: true });
    const { tools, called } = await tryServer(unpacked);
    const size = (statSync(output).size / 1024 / 1024).toFixed(1);
    console.log(`${output}: ${size} MB, ${tools} tools${called ? ', and a call is answered' : ''}`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

await main();
