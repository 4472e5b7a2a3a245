// @ts-check
// What goes into the .mcpb bundle: its manifest, and the packages that the server needs at run time.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { dailyTools } from '../dist/tools/daily.js';
import { tools } from '../dist/tools/index.js';

/**
 * @param {string} root
 * @param {string} file
 */
const readJson = (root, file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

/**
 * The folders of the packages that are needed at run time on every platform. Optional ones are left out: they are
 * native, for Nodes without SQLite, and a bundle with them would work on one platform only.
 * @param {string} root
 * @returns {string[]}
 */
export function bundledPackages(root) {
  const { packages } = readJson(root, 'package-lock.json');
  return Object.entries(packages)
    .filter(([folder, entry]) => folder !== '' && !entry.dev && !entry.optional && !entry.devOptional)
    .map(([folder]) => folder);
}

/** @param {string} summary */
const firstSentence = (summary) => summary.split(/(?<=\.)\s/)[0];

/** @param {string} root */
export function bundleManifest(root) {
  const { name, version, description, license, keywords } = readJson(root, 'package.json');
  const daily = new Set(/** @type {readonly string[]} */ (dailyTools));
  return {
    manifest_version: '0.3',
    name,
    display_name: 'ai-assist',
    version,
    description,
    author: { name: 'ai-assist contributors' },
    license,
    keywords,
    server: {
      type: 'node',
      entry_point: 'dist/cli/main.cjs',
      mcp_config: {
        command: 'node',
        // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the client fills these in
        args: [
          '${__dirname}/dist/cli/main.cjs',
          'mcp',
          '--project',
          '${user_config.project}',
          '--toolsets',
          '${user_config.toolsets}',
        ],
        env: { AI_ASSIST_READ_ONLY: '${user_config.read_only}' },
        // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the client fills these in
      },
    },
    tools: tools
      .filter((tool) => daily.has(tool.name))
      .map((tool) => ({ name: tool.name, description: firstSentence(tool.summary) })),
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=22.13.0' } },
    user_config: {
      project: {
        type: 'directory',
        title: 'Project folder',
        description: 'The folder with the context.json of your project. Its collections are searched.',
        required: false,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills this in
        default: '${HOME}',
      },
      toolsets: {
        type: 'string',
        title: 'Toolsets',
        description:
          'default for daily work, all, or some of context, catalog, documents, folders, tree, tree-advanced.',
        required: false,
        default: 'default',
      },
      read_only: {
        type: 'boolean',
        title: 'Read only',
        description: 'Refuse every call that changes something.',
        required: false,
        default: false,
      },
    },
  };
}
