/** A workspace on another machine, or in another process: the same typed calls, over HTTP. */
import type { Client, RequestOptions } from '@modelcontextprotocol/client';
import { type Failure, plainFailure } from './errors.js';
import { packageVersion } from './version.js';
import type { CallOptions, Envelope, Session } from './workspace.js';

/** What a remote session has of a session: calls that answer envelopes, and an end. */
export type RemoteSession = Pick<Session, 'call' | 'callUntyped' | 'close'> & {
  /** Names of the tools that the server shows to this client. */
  tools(): Promise<string[]>;
};

export type RemoteOptions = {
  /** Headers that go with every request, such as X-MCP-Toolsets. */
  headers?: Readonly<Record<string, string>>;
};

type ClientModule = typeof import('@modelcontextprotocol/client');

/** A sync may take its time; who wants to stop waiting passes a signal. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Connects to `ai-assist serve`. Rejects where nothing answers or the token is refused; later trouble of the
 * network is an envelope like any other failure.
 */
export async function connectWorkspace(
  url: string | URL,
  token?: string,
  { headers = {} }: RemoteOptions = {},
): Promise<RemoteSession> {
  const module = await loadClient();
  const client = new module.Client(
    { name: 'ai-assist', version: packageVersion() },
    { versionNegotiation: { mode: 'auto' } },
  );
  const sent = { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const address = parsed(url);
  try {
    await client.connect(new module.StreamableHTTPClientTransport(address, { requestInit: { headers: sent } }));
  } catch (thrown) {
    throw connectionFailure(module, address, thrown);
  }
  const callUntyped: Session['callUntyped'] = (name, input, options = {}) =>
    call(client, { name, arguments: input as Record<string, unknown> }, options).catch((thrown: unknown) =>
      callFailure(module, address, thrown, options).toEnvelope(),
    );
  return {
    callUntyped,
    call: callUntyped as Session['call'],
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    close: () => client.close(),
  };
}

/** Loaded when it is needed: who opens workspaces in process only need not install it. */
async function loadClient(): Promise<ClientModule> {
  try {
    return await import('@modelcontextprotocol/client');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw thrown;
    throw plainFailure('invalid_argument', "connectWorkspace needs the package '@modelcontextprotocol/client'").advise(
      'Install it: npm install @modelcontextprotocol/client',
    );
  }
}

function parsed(url: string | URL): URL {
  if (URL.canParse(String(url))) return new URL(url);
  throw plainFailure('invalid_argument', `'${url}' is not a URL`).advise(
    'Write the whole address, such as http://127.0.0.1:7333/mcp.',
  );
}

async function call(
  client: Client,
  params: { name: string; arguments: Record<string, unknown> },
  { signal, onProgress }: CallOptions,
): Promise<Envelope> {
  signal?.throwIfAborted();
  const options: RequestOptions = {
    timeout: NEVER_MS,
    ...(signal && { signal }),
    ...(onProgress && {
      onprogress: ({ progress, total, message }) =>
        onProgress({ done: progress, ...(total !== undefined && { total }), ...(message && { message }) }),
    }),
  };
  return (await client.callTool(params, options)).structuredContent as Envelope;
}

function callFailure(module: ClientModule, url: URL, thrown: unknown, { signal }: CallOptions): Failure {
  if (signal?.aborted) {
    return plainFailure('internal', 'The call was cancelled before it was done').advise(
      'Nothing of it was kept in the library. Call again if you still want it.',
    );
  }
  if (thrown instanceof module.ProtocolError && thrown.code === module.ProtocolErrorCode.InvalidParams) {
    return plainFailure('not_found', thrown.message).advise('List the tools to see which there are.');
  }
  return connectionFailure(module, url, thrown);
}

function connectionFailure(module: ClientModule, url: URL, thrown: unknown): Failure {
  const status = thrown instanceof module.SdkHttpError ? thrown.status : undefined;
  if (status === 401 || thrown instanceof module.UnauthorizedError) {
    return plainFailure('forbidden', `${url.origin} refused the token`).advise(
      'Ask the owner for a new one: ai-assist tokens create --agent NAME',
    );
  }
  return plainFailure('internal', `Cannot reach ${url.href}: ${reasonOf(thrown)}`).advise(
    'Check the address, and that ai-assist serve runs there. A change may have been made: look before you repeat it.',
  );
}

/** The innermost reason says most: a failed fetch hides a refused connection. */
function reasonOf(thrown: unknown): string {
  let reason = thrown;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  return reason instanceof Error ? reason.message || reason.name : String(reason);
}
