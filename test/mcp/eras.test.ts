/** Clients of both eras, by the real client and by lines written by hand. */
import { ProtocolError } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { tools } from '../../src/tools/index.js';
import {
  callOver,
  callRequest,
  type Era,
  handshake,
  mcpClient,
  modernVersion,
  pipeToServer,
  request,
  toolNames,
} from '../support/mcp.js';

const eras: Era[] = ['legacy', 'modern'];
const handshakeVersions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const editorTools = tools.filter((tool) => tool.role !== 'owner').map((tool) => tool.name);

/** What every request of the newer era carries. */
const who = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': modernVersion,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};
const modernRequest = (id: number, method: string, params = {}) =>
  request(id, method, JSON.stringify({ ...params, ...who }));

test.each(eras)('G70 a client of the %s era lists and calls tools', async (era) => {
  const client = await mcpClient({ era });
  expect(client.getProtocolEra()).toBe(era);
  expect(await toolNames(client)).toEqual(editorTools);
  expect(await callOver(client, 'add_folder', { name: 'Work' })).toMatchObject({ success: true, name: 'Work' });
  expect(await callOver(client, 'list_folders', {})).toMatchObject({ success: true, folders: [{ name: 'Work' }] });
  expect(await callOver(client, 'remove_folder', { id: 'none' })).toMatchObject({ success: false });
});

test.each(handshakeVersions)(
  'G70 a handshake for %s gets that version, and its calls are answered',
  async (version) => {
    const server = await pipeToServer([
      ...handshake(version),
      request(1, 'tools/list'),
      callRequest(2, 'list_folders', '{}'),
    ]);
    expect(server.answerTo(0).result).toMatchObject({ protocolVersion: version, serverInfo: { name: 'ai-assist' } });
    expect(server.answerTo(1).result?.tools).toHaveLength(editorTools.length);
    expect(server.answerTo(2).result?.structuredContent).toMatchObject({ success: true, folders: [] });
  },
);

test('G70 a handshake for an unknown version gets one that the server knows', async () => {
  const server = await pipeToServer(handshake('1999-01-01'));
  expect(handshakeVersions).toContain(server.answerTo(0).result?.protocolVersion);
});

test('G70 requests of the newer era, written by hand, need no handshake', async () => {
  const server = await pipeToServer([
    modernRequest(1, 'server/discover'),
    modernRequest(2, 'tools/list'),
    modernRequest(3, 'tools/call', { name: 'list_folders', arguments: {} }),
  ]);
  expect(server.answerTo(1).result?.supportedVersions).toContain(modernVersion);
  expect(server.answerTo(2).result?.tools).toHaveLength(editorTools.length);
  expect(server.answerTo(3).result?.structuredContent).toMatchObject({ success: true, folders: [] });
});

test.each(eras)('G76 in the %s era an unknown tool is a protocol error that quotes its name', async (era) => {
  const client = await mcpClient({ era });
  const call = client.callTool({ name: 'add_foldr', arguments: {} });
  await expect(call).rejects.toThrow(ProtocolError);
  await expect(call).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('add_foldr') });
});

test('G76 names that every object knows are unknown tools too', async () => {
  const names = ['', '__proto__', 'constructor', 'toString', 'ADD_FOLDER'];
  const calls = names.map((name, index) => callRequest(index + 1, name, '{}'));
  const server = await pipeToServer([...handshake(), ...calls]);
  for (const index of names.keys()) expect(server.answerTo(index + 1).error?.code).toBe(-32602);
});
