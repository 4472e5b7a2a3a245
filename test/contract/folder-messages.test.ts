/** Every documented message of the folder tools, provoked through MCP. */
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import type { Envelope } from '../../src/workspace.js';
import { callOver, mcpClient } from '../support/mcp.js';

const nameRequired = 'Folder name is required and must be a non-empty string';
const relativeToRequired = "relativeTo is required when placement is 'before' or 'after'";
const identifierRequired = 'Either id or name must be provided to identify the folder';

type Ids = { work: string; guides: string };
type Case = {
  promise: string;
  tool: string;
  input: (ids: Ids) => Record<string, unknown>;
  error: string | ((ids: Ids) => string);
  type?: string;
};

const cases: Case[] = [
  {
    promise: 'F8',
    tool: 'list_folders',
    input: () => ({ parentId: 'xyz' }),
    error: "Invalid parentId 'xyz': folder not found",
    type: 'not_found',
  },
  {
    promise: 'F8',
    tool: 'list_folders',
    input: () => ({ parentId: '' }),
    error: "Invalid parentId '': folder not found",
    type: 'not_found',
  },
  { promise: 'F12', tool: 'add_folder', input: () => ({ name: '' }), error: nameRequired },
  { promise: 'F12', tool: 'add_folder', input: () => ({ name: ' \t\n ' }), error: nameRequired },
  { promise: 'F12', tool: 'add_folder', input: () => ({}), error: `name: ${nameRequired}` },
  {
    promise: 'F14',
    tool: 'add_folder',
    input: () => ({ name: 'x', position: { placement: 'before' } }),
    error: relativeToRequired,
  },
  {
    promise: 'F14',
    tool: 'add_folder',
    input: () => ({ name: 'x', position: { placement: 'after', relativeTo: '' } }),
    error: relativeToRequired,
  },
  {
    promise: 'F14',
    tool: 'move_folder',
    input: ({ work }) => ({ id: work, position: { placement: 'after' } }),
    error: relativeToRequired,
  },
  {
    promise: 'F15',
    tool: 'add_folder',
    input: () => ({ name: 'x', position: { placement: 'ending', relativeTo: 'xyz' } }),
    error: "Invalid relativeTo 'xyz': folder not found",
    type: 'not_found',
  },
  {
    promise: 'F15',
    tool: 'add_folder',
    input: () => ({ name: 'x', position: { placement: 'ending', relativeTo: '' } }),
    error: "Invalid relativeTo '': folder not found",
    type: 'not_found',
  },
  {
    promise: 'F15',
    tool: 'move_folder',
    input: ({ work }) => ({ id: work, position: { placement: 'before', relativeTo: 'xyz' } }),
    error: "Invalid relativeTo 'xyz': folder not found",
    type: 'not_found',
  },
  {
    promise: 'F16',
    tool: 'add_folder',
    input: () => ({ name: 'x', position: { placement: 'ending', relativeTo: null } }),
    error: 'position.relativeTo: Invalid input: expected string, received null',
  },
  {
    promise: 'F17',
    tool: 'add_folder',
    input: () => ({ name: 'x', position: { placement: 'after', relativeTo: 'library' } }),
    error: "Invalid relativeTo 'library': folder is not a sibling in target parent",
  },
  {
    promise: 'F17',
    tool: 'move_folder',
    input: ({ work }) => ({ id: work, position: { placement: 'before', relativeTo: 'library' } }),
    error: "Invalid relativeTo 'library': folder is not a sibling in target parent",
  },
  { promise: 'F23', tool: 'edit_folder', input: () => ({ newName: 'x' }), error: identifierRequired },
  { promise: 'F23', tool: 'remove_folder', input: () => ({}), error: identifierRequired },
  { promise: 'F23', tool: 'remove_folder', input: () => ({ id: '', name: '' }), error: identifierRequired },
  {
    promise: 'F23',
    tool: 'move_folder',
    input: () => ({ position: { placement: 'ending' } }),
    error: identifierRequired,
  },
  {
    promise: 'F24',
    tool: 'edit_folder',
    input: () => ({ id: 'xyz', newName: 'x' }),
    error: "Invalid id 'xyz': folder not found",
    type: 'not_found',
  },
  {
    promise: 'F24',
    tool: 'edit_folder',
    input: () => ({ id: 'library', newName: 'x' }),
    error: "Invalid id 'library': folder not found",
    type: 'not_found',
  },
  {
    promise: 'F24',
    tool: 'remove_folder',
    input: () => ({ id: 'xyz' }),
    error: "Invalid id 'xyz': folder not found",
    type: 'not_found',
  },
  {
    promise: 'F24',
    tool: 'move_folder',
    input: () => ({ name: 'work', position: { placement: 'ending' } }),
    error: "Invalid name 'work': folder not found",
    type: 'not_found',
  },
  {
    promise: 'F24',
    tool: 'remove_folder',
    input: () => ({ name: 'Work ' }),
    error: "Invalid name 'Work ': folder not found",
    type: 'not_found',
  },
  {
    promise: 'F32',
    tool: 'edit_folder',
    input: ({ work }) => ({ id: work }),
    error: 'At least one of newName or newStatus must be provided',
  },
  { promise: 'F33', tool: 'edit_folder', input: ({ work }) => ({ id: work, newName: '  ' }), error: nameRequired },
  {
    promise: 'F41',
    tool: 'remove_folder',
    input: () => ({ id: 'library' }),
    error: 'Cannot delete library: not a valid folder target',
  },
  {
    promise: 'F51',
    tool: 'move_folder',
    input: ({ work }) => ({ id: work }),
    error: 'position: Invalid input: expected object, received undefined',
  },
  {
    promise: 'F52',
    tool: 'move_folder',
    input: ({ work, guides }) => ({ id: work, position: { placement: 'ending', relativeTo: guides } }),
    error: ({ work }) => `Cannot move folder '${work}': target is a descendant of source`,
  },
  {
    promise: 'F52',
    tool: 'move_folder',
    input: ({ work }) => ({ id: work, position: { placement: 'before', relativeTo: work } }),
    error: ({ work }) => `Cannot move folder '${work}': target is a descendant of source`,
  },
  {
    promise: 'F53',
    tool: 'move_folder',
    input: () => ({ id: 'library', position: { placement: 'ending' } }),
    error: 'Cannot move library: not a valid folder target',
  },
];

const idOf = (envelope: Envelope) => String('id' in envelope && envelope.id);

async function filledLibrary(): Promise<{ client: Client; ids: Ids }> {
  const client = await mcpClient();
  const add = async (name: string, relativeTo?: string) =>
    idOf(await callOver(client, 'add_folder', { name, position: { placement: 'ending', relativeTo } }));
  const work = await add('Work');
  return { client, ids: { work, guides: await add('Guides', work) } };
}

describe('messages of the folder tools through MCP', () => {
  test('F8 F12 F14 F15 F16 F17 F23 F24 F32 F33 F41 F51 F52 F53 every documented message, to the letter', async () => {
    const { client, ids } = await filledLibrary();
    const before = await callOver(client, 'list_folders', {});
    for (const { promise, tool, input, error, type = 'invalid_argument' } of cases) {
      const envelope = await callOver(client, tool, input(ids));
      expect(envelope, `${promise} ${tool}`).toMatchObject({
        success: false,
        error: typeof error === 'string' ? error : error(ids),
        error_type: type,
        instruction: expect.stringMatching(/\.$/),
      });
      expect(envelope).not.toHaveProperty('code');
    }
    expect(await callOver(client, 'list_folders', {})).toEqual(before);
  });

  test.each(['edit_folder', 'remove_folder', 'move_folder'])('F22 %s asks which folder is meant', async (tool) => {
    const { client, ids } = await filledLibrary();
    const twin = idOf(await callOver(client, 'add_folder', { name: 'Guides' }));
    const more = {
      edit_folder: { newName: 'x' },
      remove_folder: {},
      move_folder: { position: { placement: 'ending' } },
    };
    const envelope = await callOver(client, tool, { name: 'Guides', ...more[tool as keyof typeof more] });
    expect(envelope).toMatchObject({
      success: false,
      error: "Ambiguous name 'Guides': found 2 matches",
      error_type: 'invalid_argument',
      code: 'DISAMBIGUATION_REQUIRED',
      matchingIds: [ids.guides, twin],
    } satisfies Partial<Envelope>);
  });

  test('F12 F30 names are trimmed when they are given, and not when they are looked up', async () => {
    const { client } = await filledLibrary();
    expect(await callOver(client, 'add_folder', { name: '  Notes\t' })).toMatchObject({ name: 'Notes' });
    expect(await callOver(client, 'edit_folder', { name: 'Notes', newName: ' Memos ' })).toMatchObject({
      name: 'Memos',
    });
    expect(await callOver(client, 'edit_folder', { name: ' Memos', newName: 'x' })).toMatchObject({ success: false });
  });

  test('F7 a parent of null is the library', async () => {
    const { client } = await filledLibrary();
    const listed = await callOver(client, 'list_folders', { parentId: null, includeChildren: false });
    expect(listed).toMatchObject({ success: true, folders: [{ name: 'Work' }] });
  });
});
