/** What a client is told of each tool, and the shape of each answer. */
import type { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { tools } from '../../src/tools/index.js';
import { type Era, mcpClient } from '../support/mcp.js';

const eras: Era[] = ['legacy', 'modern'];

async function answers(client: Client) {
  const call = (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input });
  return {
    added: await call('add_folder', { name: 'Ordner "ä" \u{1F4C1}' }),
    listed: await call('list_folders', {}),
    invalid: await call('add_folder', { name: 5 }),
    missing: await call('remove_folder', { id: 'none' }),
    forbidden: await call('audit_list', {}),
  };
}

test.each(eras)('G71 in the %s era structuredContent is the envelope and the text is its JSON', async (era) => {
  const results = Object.values(await answers(await mcpClient({ era })));
  for (const { content, structuredContent } of results) {
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  }
});

test.each(eras)('G71 in the %s era isError is true on failure, and false on success', async (era) => {
  const { added, listed, invalid, missing, forbidden } = await answers(await mcpClient({ era }));
  for (const result of [added, listed]) {
    expect(result).toMatchObject({ isError: false, structuredContent: { success: true } });
  }
  expect(invalid).toMatchObject({ isError: true, structuredContent: { error_type: 'invalid_argument' } });
  expect(missing).toMatchObject({ isError: true, structuredContent: { error_type: 'not_found' } });
  expect(forbidden).toMatchObject({ isError: true, structuredContent: { error_type: 'forbidden' } });
});

async function listing() {
  const client = await mcpClient({ args: ['--role', 'owner'] });
  return (await client.listTools()).tools;
}

test('G72 every tool of the table is listed with all four annotations', async () => {
  const listed = await listing();
  expect(listed.map((tool) => tool.name)).toEqual(tools.map((tool) => tool.name));
  for (const { name, annotations } of listed) {
    const tool = tools.find((candidate) => candidate.name === name);
    expect(annotations, name).toMatchObject({
      readOnlyHint: tool?.effect === 'read',
      destructiveHint: tool?.effect === 'destroy',
      idempotentHint: expect.any(Boolean),
      openWorldHint: tool?.outside,
    });
  }
});

test('G72 every tool has an outputSchema with an object at the root, and no alternatives there', async () => {
  for (const { name, outputSchema } of await listing()) {
    expect(outputSchema, name).toMatchObject({ type: 'object', required: ['success'] });
    for (const keyword of ['anyOf', 'oneOf', 'allOf', '$ref']) expect(outputSchema, name).not.toHaveProperty(keyword);
  }
});

test('G72 every outputSchema describes the fields of success and of failure', async () => {
  for (const { name, outputSchema } of await listing()) {
    const fields = Object.keys(tools.find((tool) => tool.name === name)?.output.shape ?? {});
    const known = Object.keys((outputSchema as { properties: object }).properties);
    expect(known, name).toEqual(expect.arrayContaining(['success', 'error', 'error_type', 'instruction', ...fields]));
  }
});
