/** Which tools a server has, what listing them costs, and how they read. */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { listed, listingOf } from '../../src/mcp/listing.js';
import { dailyTools } from '../../src/tools/daily.js';
import { tools } from '../../src/tools/index.js';
import { isSelected, type Selection, toolsetNames } from '../../src/tools/selection.js';
import { mcpClient, toolNames } from '../support/mcp.js';
import { cli, scratchEnv, scratchFolder, scratchWorkspace } from '../support/scratch.js';

const selected = (selection: Selection) => tools.filter((tool) => isSelected(tool, selection)).map(({ name }) => name);
const daily = selected({ toolsets: ['default'] });
const forEditor = (wanted: string) =>
  tools.filter(({ toolset, role }) => toolset === wanted && role !== 'owner').map(({ name }) => name);

test('M20 the default has at most 30 tools, and its listing is under 12,000 tokens', () => {
  const tokensOf = (names: readonly string[]) =>
    countTokens(JSON.stringify({ tools: tools.filter(({ name }) => names.includes(name)).map(listed) }));
  const tokens = tokensOf(daily);
  process.stdout.write(
    `default: ${daily.length} tools, ${tokens} tokens; all: ${tools.length} tools, ${tokensOf(tools.map(({ name }) => name))} tokens\n`,
  );
  expect(daily).toHaveLength(dailyTools.length);
  expect(daily.length).toBeLessThanOrEqual(30);
  expect(tokens).toBeLessThan(12_000);
});

test('M20 the default covers reading, finding and changing', () => {
  for (const toolset of ['documents', 'folders', 'tree'] as const) {
    const effects = tools
      .filter((tool) => daily.includes(tool.name) && tool.toolset === toolset)
      .map((tool) => tool.effect);
    expect(effects, toolset).toEqual(expect.arrayContaining(['read', 'write']));
  }
});

test('M21 toolsets and tools add up, what is excluded is not there', () => {
  expect(selected({})).toEqual(tools.map(({ name }) => name));
  expect(selected({ toolsets: ['all'] })).toEqual(tools.map(({ name }) => name));
  expect(selected({ tools: ['get_node'] })).toEqual(['get_node']);
  const audit = tools.filter(({ toolset }) => toolset === 'audit').map(({ name }) => name);
  expect(selected({ toolsets: ['audit'], tools: ['list_folders'] })).toEqual(['list_folders', ...audit]);
  expect(selected({ toolsets: ['audit'], excludeTools: audit.slice(1) })).toEqual(audit.slice(0, 1));
  expect(selected({ tools: ['get_node'], excludeTools: ['get_node'] })).toEqual([]);
  expect(toolsetNames(tools)).toEqual(
    expect.arrayContaining(['default', 'all', 'context', 'documents', 'folders', 'tree', 'tree-advanced', 'audit']),
  );
});

type Start = { args?: string[]; env?: Record<string, string>; shows: string[] };
const starts: Record<string, Start> = {
  'nothing said': { shows: daily },
  '--toolsets default,audit': { args: ['--toolsets', 'default,audit'], shows: [...daily, ...forEditor('audit')] },
  '--tools': { args: ['--tools', 'search,get_node'], shows: ['get_node', 'search'] },
  '--toolsets and --tools': {
    args: ['--toolsets', 'folders', '--tools', 'get_node'],
    shows: selected({ toolsets: ['folders'], tools: ['get_node'] }),
  },
  '--exclude-tools': {
    args: ['--toolsets', 'folders', '--exclude-tools', 'add_folder'],
    shows: selected({ toolsets: ['folders'], excludeTools: ['add_folder'] }),
  },
  'the variables': {
    env: {
      AI_ASSIST_TOOLSETS: 'folders',
      AI_ASSIST_TOOLS: 'get_node',
      AI_ASSIST_EXCLUDE_TOOLS: 'move_folder, edit_folder',
    },
    shows: ['list_folders', 'add_folder', 'remove_folder', 'get_node'],
  },
  'a flag over its variable': {
    args: ['--toolsets', 'audit'],
    env: { AI_ASSIST_TOOLSETS: 'folders' },
    shows: forEditor('audit'),
  },
  '--read-only over --tools': { args: ['--tools', 'add_folder,list_folders', '--read-only'], shows: ['list_folders'] },
  'AI_ASSIST_READ_ONLY over --tools': { args: ['--tools', 'add_folder'], env: { AI_ASSIST_READ_ONLY: '1' }, shows: [] },
};

test.each(Object.keys(starts))(
  'M21 M23 with %s a server shows the right tools, in the order of the table',
  async (start) => {
    const { args = [], env = {}, shows } = starts[start] as Start;
    const client = await mcpClient({ args, env: scratchEnv(scratchFolder(), { AI_ASSIST_TOOLSETS: '', ...env }) });
    expect(await toolNames(client)).toEqual(shows);
  },
);

test.each([
  ['--toolsets', 'fodlers', "'fodlers' is not a toolset"],
  ['--tools', 'get_nod', "'get_nod' is not a tool"],
  ['--exclude-tools', 'get_nod', "'get_nod' is not a tool"],
  ['--tools', ',', 'needs names'],
])('M21 %s %s is refused', async (flag, value, problem) => {
  for (const command of ['mcp', 'serve']) {
    const { code, stderr } = await cli([command, flag, value], scratchEnv(scratchFolder()));
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
  }
});

test('M23 a listing is made once for each session, and each tool once for all', async () => {
  const workspace = await scratchWorkspace();
  const session = workspace.session();
  expect(listingOf(session.tools())).toBe(listingOf(session.tools()));
  const [one, other] = [listingOf(session.tools()), listingOf(workspace.session().tools())];
  for (const [index, tool] of one.entries()) expect(tool).toBe(other[index]);
});

test.each(tools)('M24 the description of $name begins with a sentence that says what it does', ({ summary }) => {
  const [first = ''] = summary.split(/(?<=\.)\s/);
  expect(first).toMatch(/^[A-Z][a-z]+ .+\.$/);
  expect(first.length).toBeLessThanOrEqual(200);
});

test.each(tools)('M25 the surface of $name is as it was reviewed', async (tool) => {
  await expect(`${JSON.stringify(listed(tool), null, 2)}\n`).toMatchFileSnapshot(`snapshots/${tool.name}.json`);
});

test('M25 the list of tools, their toolsets and roles are as they were reviewed', async () => {
  const lines = tools.map(
    ({ name, toolset, role }) => `${name}  ${toolset}  ${role}${daily.includes(name) ? '  default' : ''}`,
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('snapshots/tools.txt');
});
