/** A real server on loopback in this process, and real clients of both eras on it. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { type HttpOptions, type HttpServer, serveHttp } from '../../src/mcp/http/serve.js';
import type { Workspace } from '../../src/workspace.js';
import { type Era, negotiation } from './mcp.js';
import { scratchFolder, scratchWorkspace } from './scratch.js';

export type Served = HttpServer & { workspace: Workspace; origin: string };

const usual: Omit<HttpOptions, 'project'> = {
  host: '127.0.0.1',
  port: 0,
  allowHosts: [],
  allowOrigins: [],
  requireToken: false,
  maxBodyBytes: 1_000_000,
  sessionIdleMs: 60_000,
  anonymous: { agent: 'local', role: 'editor' },
  selection: { toolsets: ['all'] },
  readOnly: false,
};

type Wanted = Partial<HttpOptions> & { workspace?: Workspace };

/** Serves a scratch workspace until the test ends. */
export async function served({ workspace, ...options }: Wanted = {}): Promise<Served> {
  const opened = workspace ?? (await scratchWorkspace());
  const server = await serveHttp(opened, { ...usual, project: scratchFolder(), graceMs: 500, ...options });
  onTestFinished(() => server.close());
  return { ...server, workspace: opened, origin: new URL(server.url).origin };
}

export const tokenFor = async (
  { workspace }: Pick<Served, 'workspace'>,
  wanted: Parameters<ReturnType<Workspace['tokens']>['create']>[0],
): Promise<string> => (await workspace.tokens().create(wanted)).text;

type ClientWanted = { era?: Era; token?: string; headers?: Record<string, string> };

export async function httpClient(url: string, { era = 'modern', token, headers }: ClientWanted = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: negotiation[era] });
  const sent = { ...headers, ...(token && { authorization: `Bearer ${token}` }) };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: sent } }));
  onTestFinished(() => client.close());
  return client;
}

/** Posts a message by hand. */
export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export type Answer = { result?: Record<string, unknown>; error?: { code: number; message: string }; id: unknown };

/** The first message of an answer, be it JSON or a stream. */
export async function messageOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const data = /^data: (.+)$/m.exec(text)?.[1];
  return JSON.parse(data ?? text) as Answer;
}

export const rpc = (method: string, params: object = {}, id = 1) => ({ jsonrpc: '2.0', id, method, params });

export const callOf = (name: string, input: object = {}, id = 1) => rpc('tools/call', { name, arguments: input }, id);

export const initialize = rpc('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
});
