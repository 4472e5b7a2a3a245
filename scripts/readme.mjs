// @ts-check
// The parts of the README that are made from the code: each stands between two comments that name it.
import { loadConfig } from '../dist/config/config.js';
import { clients, entryFor } from '../dist/setup/clients.js';
import { snippet } from '../dist/setup/install.js';
import { dailyTools } from '../dist/tools/daily.js';
import { tools } from '../dist/tools/index.js';

/** The configuration that works everywhere: the others say the same in their own form. */
const standard = { command: 'npx', args: ['-y', 'ai-assist', 'mcp'] };

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** @param {string[][]} rows */
function table([head = [], ...rows]) {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
}

/** @param {string} summary */
const firstSentence = (summary) => summary.split(/(?<=\.)\s/)[0] ?? '';

/** @param {string} title @param {string} body */
const folded = (title, body) => `<details>\n<summary>${title}</summary>\n\n${body}\n\n</details>`;

/** @param {string} language @param {string} text */
const code = (language, text) => `\`\`\`${language}\n${text}\n\`\`\``;

function toolTables() {
  const daily = new Set(/** @type {readonly string[]} */ (dailyTools));
  const toolsets = [...new Set(tools.map(({ toolset }) => toolset))];
  return toolsets
    .map((toolset) => {
      const rows = tools
        .filter((tool) => tool.toolset === toolset)
        .map(({ name, summary, effect }) => [
          `[\`${name}\`](docs/tools.md#${name})${daily.has(name) ? ' •' : ''}`,
          firstSentence(summary),
          effect === 'read' ? 'reads' : effect === 'write' ? 'changes' : 'removes',
        ]);
      const head = ['tool', 'what it does', 'effect'];
      return folded(`<b>${toolset}</b>: ${rows.length} tools`, table([head, ...rows]));
    })
    .join('\n\n');
}

/** Defaults that differ from machine to machine. */
const elsewhere = new Map([
  ['database', 'in the folder for data, see below'],
  ['agent.name', 'your user name'],
]);

function optionTable() {
  const rows = loadConfig({ HOME: '/nowhere', APPDATA: '/nowhere' })
    .entries()
    .map(({ name, value, doc, env }) => {
      const standardValue = elsewhere.get(name) ?? (value === '' ? 'none' : `\`${value}\``);
      return [`\`${name}\``, `\`${env}\``, standardValue, doc];
    });
  return table([['setting', 'environment variable', 'default', 'what it does'], ...rows]);
}

function clientSections() {
  return clients
    .map((client) => {
      const { name, title, format, files } = client;
      const command = code('sh', `npx ai-assist install ${name}`);
      const entry = code(format, snippet(client, 'ai-assist', entryFor(client, standard)));
      const place = (/** @type {NodeJS.Platform} */ platform) => {
        const home = platform === 'win32' ? '%USERPROFILE%' : '~';
        const env = platform === 'win32' ? { APPDATA: '%APPDATA%' } : {};
        return { platform, env, home, project: '.' };
      };
      /** @type {NodeJS.Platform[]} */
      const platforms = ['darwin', 'linux', 'win32'];
      const names = { darwin: 'macOS', linux: 'Linux', win32: 'Windows' };
      const rows = platforms.map((platform) => [
        names[/** @type {'darwin' | 'linux' | 'win32'} */ (platform)],
        `\`${files.user(place(platform))}\``,
      ]);
      const project = files.project
        ? `For everyone who works on a project, add \`--scope project\`: it writes \`${files.project(place('linux'))}\` there.`
        : '';
      const parts = [command, 'Or by hand:', entry, table([['platform', 'file'], ...rows]), project, client.afterwards];
      return folded(title, parts.filter((part) => part !== '').join('\n\n'));
    })
    .join('\n\n');
}

function links() {
  const cursor = new URL('https://cursor.com/en/install-mcp');
  cursor.searchParams.set('name', 'ai-assist');
  cursor.searchParams.set('config', Buffer.from(JSON.stringify(standard)).toString('base64'));
  const vscode = new URL('https://insiders.vscode.dev/redirect/mcp/install');
  vscode.searchParams.set('name', 'ai-assist');
  vscode.searchParams.set('config', JSON.stringify({ type: 'stdio', ...standard }));
  return `**[Install in Cursor](${cursor})** · **[Install in VS Code](${vscode})**`;
}

const standardConfiguration = () => code('json', JSON.stringify({ mcpServers: { 'ai-assist': standard } }, null, 2));

/** @type {Record<string, () => string>} */
const parts = {
  links,
  'standard configuration': standardConfiguration,
  clients: clientSections,
  tools: toolTables,
  options: optionTable,
};

/**
 * The README with its made parts as they should be now.
 * @param {string} text
 */
export function readmeWith(text) {
  return Object.entries(parts).reduce((done, [name, make]) => {
    const [begin, end] = [`<!-- begin: ${name} -->`, `<!-- end: ${name} -->`];
    const [from, to] = [done.indexOf(begin), done.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`README.md has no place for ${name}`);
    return `${done.slice(0, from + begin.length)}\n\n${make()}\n\n${done.slice(to)}`;
  }, text);
}
