/** The edits of clients' files: what a person wrote stays. */
import fc from 'fast-check';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { expect, test } from 'vitest';
import type { Failure } from '../../src/errors.js';
import { editJsonEntry } from '../../src/setup/edit-json.js';
import { editTomlEntry } from '../../src/setup/edit-toml.js';

const entry = { command: '/usr/bin/node', args: ['/opt/ai-assist/main.js', 'mcp'] };
const json = (text: string, more = {}) =>
  editJsonEntry(text, { file: 'mcp.json', key: 'mcpServers', name: 'ai-assist', entry, ...more });
const toml = (text: string, more = {}) =>
  editTomlEntry(text, { file: 'config.toml', key: 'mcp_servers', name: 'ai-assist', entry, ...more });

const added = `"ai-assist": {
      "command": "/usr/bin/node",
      "args": ["/opt/ai-assist/main.js", "mcp"]
    }`;

/** A file as it was, and as it is after the edit. */
const layouts: Record<string, [string, string]> = {
  'nothing but an object': ['{}', `{\n  "mcpServers": {\n    ${added}\n  }\n}`],
  'an empty list of servers': ['{\n  "mcpServers": {}\n}\n', `{\n  "mcpServers": {\n    ${added}\n  }\n}\n`],
  'another server': [
    '{\n  "mcpServers": {\n    "b": { "command": "x" }\n  },\n  "theme": "dark"\n}\n',
    `{\n  "mcpServers": {\n    "b": { "command": "x" },\n    ${added}\n  },\n  "theme": "dark"\n}\n`,
  ],
  'comments behind, above and below': [
    '// mine\n{\n  /* one */ "a": 1, // last\n  "mcpServers": {\n    "b": {} // keep me here\n    // and me below\n  }\n}\n',
    `// mine\n{\n  /* one */ "a": 1, // last\n  "mcpServers": {\n    "b": {}, // keep me here\n    ${added}\n    // and me below\n  }\n}\n`,
  ],
  'a trailing comma': [
    '{\n  "mcpServers": {\n    "b": {}, // c\n  },\n}\n',
    `{\n  "mcpServers": {\n    "b": {}, // c\n    ${added},\n  },\n}\n`,
  ],
  'an object with a comment only': [
    '{\n  "mcpServers": {\n    // none yet\n  }\n}\n',
    `{\n  "mcpServers": {\n    // none yet\n    ${added}\n  }\n}\n`,
  ],
  'all on one line': [
    '{"mcpServers": {"b": {}}}',
    '{"mcpServers": {"b": {}, "ai-assist": { "command": "/usr/bin/node", "args": [ "/opt/ai-assist/main.js", "mcp" ] }}}',
  ],
};

test.each(Object.entries(layouts))('M121 JSON with %s keeps what is there', async (_, [before, after]) => {
  expect(await json(before)).toBe(after);
  expect(await json(after)).toBe(after);
});

test('M121 tabs, CRLF and a byte order mark are kept', async () => {
  const before = '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"b": {}\r\n\t}\r\n}';
  const after = await json(before);
  expect(
    after.startsWith('\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"b": {},\r\n\t\t"ai-assist": {\r\n\t\t\t"command"'),
  ).toBe(true);
  expect(after.replaceAll('\r\n', '')).not.toContain('\n');
});

test('M122 an older entry gets the new command, and keeps what a person added to it', async () => {
  const before = '{ "mcpServers": { "ai-assist": { "env": { "A": "1" }, "command": "old", "disabled": true } } }';
  const after = await json(before);
  expect(JSON.parse(after)).toEqual({
    mcpServers: { 'ai-assist': { env: { A: '1' }, command: entry.command, disabled: true, args: entry.args } },
  });
  expect(after.indexOf('"env"')).toBeLessThan(after.indexOf('"command"'));
});

const brokenJson: [string, string][] = [
  ['{\n  "a": 1,\n  "b": }\n', 'mcp.json: line 3, column 8: not JSON (ValueExpected)'],
  ['{\n  "mcpServers": {', 'mcp.json: line 2, column 18: not JSON (CloseBraceExpected)'],
  ['{ "a": 1 } x', 'mcp.json: line 1, column 12: not JSON (InvalidSymbol)'],
  ["{ 'a': 1 }", 'line 1, column 3'],
  ['[]', 'mcp.json: the file is not a JSON object'],
  ['"text"', 'mcp.json: the file is not a JSON object'],
  ['// only a comment', 'mcp.json: line 1'],
  ['{"mcpServers": []}', 'mcp.json: mcpServers is not an object'],
  ['{"mcpServers": {"ai-assist": "x"}}', 'mcp.json: mcpServers.ai-assist is not an object'],
  ['{"mcpServers": {}, "mcpServers": {}}', 'mcp.json: the key "mcpServers" stands twice'],
  ['{"mcpServers": {"ai-assist": {"url": "http://x"}}}', 'mcp.json: mcpServers.ai-assist has a url already'],
  ['{"a":'.repeat(50_000), 'mcp.json: '],
];

test.each(brokenJson)('M124 JSON %j is refused with the place', async (text, message) => {
  const failure = await json(text).then(
    () => expect.fail('It should have failed'),
    (thrown: Failure) => thrown,
  );
  expect(failure.message).toContain(message);
  expect(failure.instruction).toContain('Nothing was changed');
});

const tomlEntry = '[mcp_servers.ai-assist]\ncommand = "/usr/bin/node"\nargs = ["/opt/ai-assist/main.js", "mcp"]\n';

const tomlLayouts: Record<string, [string, string]> = {
  'nothing in it': ['', tomlEntry],
  'settings and comments': ['# mine\nmodel = "o" # fast\n', `# mine\nmodel = "o" # fast\n\n${tomlEntry}`],
  'no line end at the end': ['model = "o"', `model = "o"\n\n${tomlEntry}`],
  'another server': ['[mcp_servers.b]\ncommand = "x"\n', `[mcp_servers.b]\ncommand = "x"\n\n${tomlEntry}`],
  'an older entry with settings of a person': [
    '[mcp_servers."ai-assist"] # mine\n# why\nargs = [\n  "a", # one\n  "b",\n]\nstartup_timeout_sec = 20\ncommand = "old"\n\n[mcp_servers.ai-assist.env]\nA = "1"\n',
    '[mcp_servers."ai-assist"] # mine\n# why\nargs = ["/opt/ai-assist/main.js", "mcp"]\nstartup_timeout_sec = 20\ncommand = "/usr/bin/node"\n\n[mcp_servers.ai-assist.env]\nA = "1"\n',
  ],
};

test.each(Object.entries(tomlLayouts))('M121 TOML with %s keeps what is there', async (_, [before, after]) => {
  expect(await toml(before)).toBe(after);
  expect(await toml(after)).toBe(after);
});

test('M121 TOML with CRLF keeps it', async () => {
  const after = await toml('a = 1\r\n');
  expect(after).toBe(`a = 1\r\n\r\n${tomlEntry.replaceAll('\n', '\r\n')}`);
});

const brokenToml: [string, string][] = [
  ['a = 1\nb = \n', 'config.toml: line 2, column '],
  ['a = 1\na = 2\n', 'config.toml: line 2, column '],
  ['mcp_servers = 3\n', 'config.toml: mcp_servers is not a table'],
  ['mcp_servers = { b = { command = "x" } }\n', 'config.toml: the entry has no safe place in it'],
  ['mcp_servers.ai-assist.command = "x"\n', 'config.toml: mcp_servers.ai-assist is not a table with a head of its own'],
  ['[mcp_servers.ai-assist]\nurl = "http://x"\n', 'config.toml: mcp_servers.ai-assist has a url already'],
];

test.each(brokenToml)('M124 TOML %j is refused with the place', async (text, message) => {
  await expect(toml(text)).rejects.toThrow(message);
});

test('M124 a head that only stands in a text is not taken for the entry', async () => {
  const text = 'note = """\n[mcp_servers.ai-assist]\ncommand = "x"\n"""\n';
  expect(parseToml(await toml(text))).toMatchObject({
    note: '[mcp_servers.ai-assist]\ncommand = "x"\n',
    mcp_servers: {},
  });
  const both = `${text}[mcp_servers.ai-assist]\ncommand = "old"\n`;
  await expect(toml(both)).rejects.toThrow('no safe place');
});

const space = fc.constantFrom('', ' ', '\n', '\n  ', '\t', ' // c\n', ' /* d */ ');

test('M121 M122 whatever the layout, an edit adds the entry, keeps the rest, and is done once', async () => {
  const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'mcpServers', '"', '\\', 'ü'), { maxLength: 4 });
  const file = fc
    .tuple(keys, fc.array(space, { minLength: 24, maxLength: 24 }), fc.boolean())
    .map(([names, gaps, comma]) => {
      let next = 0;
      const gap = () => gaps[next++ % gaps.length] ?? '';
      const value = (name: string) =>
        name === 'mcpServers' ? `{${gap()}"x"${gap()}:${gap()}{}${gap()}}` : `[1,${gap()}2]`;
      const members = names.map((name) => `${gap()}${JSON.stringify(name)}${gap()}:${gap()}${value(name)}${gap()}`);
      return `${gap()}{${members.join(',')}${comma && names.length > 0 ? ',' : ''}${gap()}}${gap()}`;
    });
  await fc.assert(
    fc.asyncProperty(file, async (text) => {
      const old = parseJsonc(text) as Record<string, object>;
      const edited = await json(text);
      expect(parseJsonc(edited)).toEqual({ ...old, mcpServers: { ...old.mcpServers, 'ai-assist': entry } });
      expect((edited.match(/\/\/ c|\/\* d \*\//g) ?? []).length).toBe((text.match(/\/\/ c|\/\* d \*\//g) ?? []).length);
      expect(await json(edited)).toBe(edited);
    }),
    { numRuns: 300 },
  );
});
