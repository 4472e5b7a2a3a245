/** The way of a request: gate, credentials, body, endpoint, answer. It takes requests until it is closed. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { asFailure, Failure } from '../../errors.js';
import type { Workspace } from '../../workspace.js';
import { notJson, refuse } from './answers.js';
import { readBody, webRequest, writeResponse } from './bridge.js';
import { listens, mcpEndpoint } from './endpoint.js';
import { corsHeaders, type Gate, refusal } from './gate.js';
import { type Principal, type PrincipalOptions, principals } from './principals.js';
import { running } from './running.js';

const SWEEP_MS = 30_000;
const MOST_SESSIONS = 2000;
const MOST_SESSIONS_OF_ONE = 500;

export type DoorOptions = PrincipalOptions & {
  /** Size of one request. */
  maxBodyBytes: number;
  /** How long a session of the 2025 protocol lives without a request. */
  sessionIdleMs: number;
  onError?: (error: Error) => void;
};

export function openDoor(workspace: Workspace, options: DoorOptions, gate: Gate) {
  const onError = options.onError ?? (() => {});
  const calls = running();
  const identify = principals(workspace, options, calls);
  const endpoint = mcpEndpoint(
    { idleMs: options.sessionIdleMs, most: MOST_SESSIONS, mostOfOne: MOST_SESSIONS_OF_ONE },
    onError,
  );
  /** Streams that may stay open for days: each is closed when its credential no longer holds. */
  const streams = new Map<ServerResponse, Principal>();
  let closing = false;

  const sweep = setInterval(() => {
    endpoint.sweep();
    for (const [response, { stillHolds }] of streams)
      void stillHolds().then((holds) => holds || response.destroy(), onError);
  }, SWEEP_MS).unref();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<Response> => {
    const principal = await identify(request.headers);
    const body = request.method === 'POST' ? await parsedBody(request, options.maxBodyBytes) : undefined;
    if (body instanceof Response) return body;
    const gone = new AbortController();
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    void closed.then(() => response.writableFinished || gone.abort());
    if (isStream(request, body)) {
      streams.set(response, principal);
      void closed.then(() => streams.delete(response));
    } else void calls.during(closed);
    return endpoint.answer({ principal, request: webRequest(request, gone.signal), body, closed });
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<Response> => {
    const path = (request.url ?? '/').split('?')[0];
    if (path === '/healthz') return health(workspace, closing);
    if (path !== '/mcp') return refuse(404, `There is nothing at '${path}'. The MCP endpoint is /mcp.`);
    const refused = refusal(request.headers, gate);
    if (refused) return refuse(403, refused);
    if (request.method === 'OPTIONS') return new Response(null, { status: 204 });
    if (closing) return refuse(503, 'The server is shutting down. Try again later.', { 'retry-after': '5' });
    if (!['GET', 'POST', 'DELETE'].includes(request.method ?? '')) {
      return refuse(405, `Method ${request.method} is not allowed`, { allow: 'GET, POST, DELETE' });
    }
    return answer(request, response).catch(asRefusal);
  };

  return {
    async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
      try {
        const answered = await respond(request, response);
        // A body that was not read would be taken for the next request.
        const last = closing || !request.complete ? { connection: 'close' } : {};
        await writeResponse(answered, response, { ...corsHeaders(request.headers, gate), ...last });
      } catch (thrown) {
        onError(asFailure(thrown));
        if (response.headersSent) response.destroy();
        else await writeResponse(refuse(500, 'The server failed. Try again later.'), response, { connection: 'close' });
      }
    },
    async close(graceMs: number): Promise<void> {
      closing = true;
      clearInterval(sweep);
      await Promise.race([calls.idle(), new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
      await endpoint.close();
    },
  };
}

/** The parsed body, or why there is none. */
async function parsedBody(request: IncomingMessage, limit: number): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  if (!isJsonContentType(type)) {
    return refuse(415, `Content-Type '${type}' is not supported. Send application/json.`);
  }
  const text = await readBody(request, limit);
  if (text === undefined) return refuse(413, `The request is larger than ${limit} bytes. Send less at once.`);
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    return notJson((thrown as Error).message);
  }
}

/** Streams carry notices for as long as a client listens; all else is a call that ends. */
const isStream = (request: IncomingMessage, body: unknown) => request.method === 'GET' || listens(body);

function asRefusal(thrown: unknown): Response {
  if (!(thrown instanceof Failure)) throw thrown;
  const text = `${thrown.message}. ${thrown.instruction}`;
  if (thrown.type === 'forbidden') return refuse(401, text, { 'www-authenticate': 'Bearer realm="ai-assist"' });
  if (thrown.type === 'invalid_argument') return refuse(400, text);
  throw thrown;
}

async function health(workspace: Workspace, closing: boolean): Promise<Response> {
  if (closing) return Response.json({ status: 'closing' }, { status: 503 });
  try {
    await workspace.ready();
    return Response.json({ status: 'ok' });
  } catch {
    return Response.json({ status: 'unavailable' }, { status: 503 });
  }
}
