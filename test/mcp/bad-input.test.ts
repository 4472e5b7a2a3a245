/** Every folder tool gets every kind of bad input, as raw JSON, from a process that only speaks MCP. */
import { expect, test } from 'vitest';
import { callRequest, handshake, type Message, pipeToServer } from '../support/mcp.js';
import { scratchEnv, scratchFolder, scratchWorkspace } from '../support/scratch.js';

/** A tool with input that works, as members of a JSON object; the argument to spoil, and the rest beside it. */
type Subject = { tool: string; works: (id: string) => string; spoilt: string; rest: string; missing: string };

const atEnd = '"position":{"placement":"ending"}';
const all = '"includeChildren":true';
const drop = '"newStatus":"dropped"';

const subjects: Subject[] = [
  { tool: 'list_folders', works: () => all, spoilt: 'parentId', rest: all, missing: '{"parentId":"none"}' },
  { tool: 'add_folder', works: () => `"name":"New",${atEnd}`, spoilt: 'name', rest: atEnd, missing: '{}' },
  { tool: 'edit_folder', works: (id) => `"id":"${id}",${drop}`, spoilt: 'id', rest: drop, missing: '{}' },
  { tool: 'remove_folder', works: (id) => `"id":"${id}"`, spoilt: 'id', rest: '"name":"Work"', missing: '{}' },
  { tool: 'move_folder', works: (id) => `"id":"${id}",${atEnd}`, spoilt: 'id', rest: atEnd, missing: '{}' },
];

const MEGABYTE = 1024 * 1024;
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const nestedObjects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Values that no text argument takes. */
const badValues: Record<string, string> = {
  'a number': '5',
  'a switch': 'true',
  'an object': '{}',
  'an array': '["Work"]',
  'a huge number': '1e308',
  'a number beyond all numbers': '1e400',
  'a number with fifty digits': '1'.repeat(50),
  'a NUL character': '"a\\u0000b"',
  'half of a surrogate pair': '"a\\ud800b"',
  'the other half': '"a\\udc00"',
  '10 MB of text': `"${'x'.repeat(10 * MEGABYTE)}"`,
  'arrays 10,000 deep': nested(10_000),
  'objects 10,000 deep': nestedObjects(10_000),
};

/** Members that no tool takes, beside input that would work. */
const badMembers: Record<string, string> = {
  'an unknown argument': '"nmae":"Work"',
  'the key __proto__': '"__proto__":{"dryRun":true}',
  'the key constructor': '"constructor":{"prototype":{}}',
  'the key prototype': '"prototype":1',
  'a key with a NUL character': '"a\\u0000":1',
  'a key with half of a surrogate pair': '"\\ud800":1',
  'an empty key': '"":1',
  'an unknown argument 10,000 deep': `"extra":${nested(10_000)}`,
};

type Bad = { kind: string; json: string };

function badInputs({ works, rest, spoilt, missing }: Subject, id: string): Bad[] {
  const values = Object.entries(badValues).map(([kind, value]) => ({ kind, json: `{${rest},"${spoilt}":${value}}` }));
  const members = Object.entries(badMembers).map(([kind, member]) => ({ kind, json: `{${works(id)},${member}}` }));
  return [...values, ...members, { kind: 'nothing', json: missing }];
}

/** A library with two folders, and what it looks like. */
async function library() {
  const env = scratchEnv(scratchFolder(), { AI_ASSIST_CALLS_PER_MINUTE: '0' });
  const workspace = await scratchWorkspace({ env });
  const session = workspace.session();
  const work = await session.call('add_folder', { name: 'Work' });
  await session.call('add_folder', { name: 'Home' });
  const look = () => session.call('list_folders', {});
  return { env, id: work.success ? work.id : '', look };
}

function expectRefused({ kind }: Bad, { result }: Message): void {
  const envelope = result?.structuredContent;
  expect(result?.isError, kind).toBe(true);
  expect(envelope, kind).toMatchObject({ success: false, error: expect.any(String), instruction: expect.any(String) });
  expect(['invalid_argument', 'not_found'], kind).toContain(envelope?.error_type);
}

test.each(subjects)('G77 $tool refuses bad input of every kind, and the library is unchanged', async (subject) => {
  const { env, id, look } = await library();
  const before = await look();
  const inputs = badInputs(subject, id);
  const calls = inputs.map(({ json }, index) => callRequest(index + 1, subject.tool, json));
  const server = await pipeToServer([...handshake(), ...calls], { env });
  for (const [index, input] of inputs.entries()) expectRefused(input, server.answerTo(index + 1));
  expect(await look()).toEqual(before);
});

test.each(subjects)('G77 $tool takes the same input without what is bad in it', async ({ tool, works }) => {
  const { env, id } = await library();
  const server = await pipeToServer([...handshake(), callRequest(1, tool, `{${works(id)}}`)], { env });
  expect(server.answerTo(1).result?.structuredContent).toMatchObject({ success: true });
});

/** What is wrong with one argument of one tool, where the table above has no place for it. */
const special: Record<string, [tool: string, json: string]> = {
  'a name that is null': ['add_folder', '{"name":null}'],
  'an empty name': ['add_folder', '{"name":""}'],
  'a name of white space': ['add_folder', '{"name":" \\t\\n\\u00a0"}'],
  'a position that is an array': ['add_folder', '{"name":"New","position":["ending"]}'],
  'a position that is null': ['add_folder', '{"name":"New","position":null}'],
  'a position that is text': ['add_folder', '{"name":"New","position":"ending"}'],
  'an unknown placement': ['add_folder', '{"name":"New","position":{"placement":"middle"}}'],
  'a key __proto__ in the position': ['add_folder', '{"name":"New","position":{"placement":"ending","__proto__":{}}}'],
  'a position below nothing': ['add_folder', '{"name":"New","position":{"placement":"ending","relativeTo":"none"}}'],
  'an empty new name': ['edit_folder', '{"name":"Work","newName":"  "}'],
  'a status that is null': ['edit_folder', '{"name":"Work","newStatus":null}'],
  'an unknown status': ['edit_folder', '{"name":"Work","newStatus":"DROPPED"}'],
  'an empty id and name': ['remove_folder', '{"id":"","name":""}'],
  'an id that is null': ['remove_folder', '{"id":null,"name":"Work"}'],
  'a list of ids': ['remove_folder', '{"id":["Work","Home"]}'],
  'a wildcard for a name': ['remove_folder', '{"name":"%"}'],
  'a name with SQL': ['remove_folder', '{"name":"\' OR 1=1 --"}'],
  'a move without a position': ['move_folder', '{"name":"Work"}'],
  'a status that is a list': ['list_folders', '{"status":["active"]}'],
  'a switch that is text': ['list_folders', '{"includeChildren":"yes"}'],
  'an empty parent': ['list_folders', '{"parentId":""}'],
  'a version that is a number': ['add_folder', '{"name":"New","version":1}'],
  'a version that is none': ['add_folder', '{"name":"New","version":"latest"}'],
  'an empty idempotencyKey': ['add_folder', '{"name":"New","idempotencyKey":""}'],
  'a dryRun that is text': ['add_folder', '{"name":"New","dryRun":"false"}'],
};

test('G77 each argument refuses what it cannot take, and the library is unchanged', async () => {
  const { env, look } = await library();
  const before = await look();
  const inputs = Object.entries(special).map(([kind, [tool, json]]) => ({ kind, tool, json }));
  const calls = inputs.map(({ tool, json }, index) => callRequest(index + 1, tool, json));
  const server = await pipeToServer([...handshake(), ...calls], { env });
  for (const [index, input] of inputs.entries()) expectRefused(input, server.answerTo(index + 1));
  expect(await look()).toEqual(before);
});

/** The protocol itself says that arguments are an object. */
const noObjects = ['[]', '[1]', 'null', '"name"', '5', 'true'];

test.each(subjects)('G77 $tool gets no call whose arguments are not an object', async ({ tool }) => {
  const { env, look } = await library();
  const before = await look();
  const calls = noObjects.map((json, index) => callRequest(index + 1, tool, json));
  const server = await pipeToServer([...handshake(), ...calls], { env });
  for (const index of noObjects.keys()) expect(server.answerTo(index + 1).error?.code).toBe(-32602);
  expect(await look()).toEqual(before);
});

test('G77 a name of 10 MB is refused with the limit, a name of 1 MB is kept, and the server goes on', async () => {
  const { env, look } = await library();
  const name = (megabytes: number) => JSON.stringify({ name: 'x'.repeat(megabytes * MEGABYTE) });
  const calls = [callRequest(1, 'add_folder', name(10)), callRequest(2, 'add_folder', name(1))];
  const server = await pipeToServer([...handshake(), ...calls], { env });
  expect(server.answerTo(1).result?.structuredContent).toMatchObject({
    error: 'Input is too large: at most 8388608 bytes are allowed',
    error_type: 'invalid_argument',
  });
  expect(server.answerTo(2).result?.structuredContent).toMatchObject({ success: true });
  const listed = await look();
  expect(listed.success && listed.folders.map((folder) => folder.name.length)).toEqual([4, 4, MEGABYTE]);
});
