/** The MCP door: lists the tools of a session and passes calls to it. */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { packageVersion } from '../version.js';
import type { CallOptions, Envelope, Session } from '../workspace.js';
import { listingOf } from './listing.js';

const instructions = `ai-assist keeps a durable library that several agents share.
Reads return a version. Pass it to a change, and the change is refused if someone else has changed the same things since; read again and retry.
Pass an idempotencyKey to a change that you may have to repeat: it happens once. Pass dryRun to see what a change would do.
A failed call has error, error_type and instruction: follow the instruction.`;

/** The SDK's own schema of a call drops the key __proto__ unseen; the guard must see and refuse it. */
const callParams = z.looseObject({
  name: z.string(),
  arguments: z.unknown(),
  _meta: z.looseObject({ progressToken: z.union([z.string(), z.number()]).optional() }).optional(),
});

/** A server for one connection. The high-level class would check arguments itself, with other messages. */
export function mcpServer(session: Session): Server {
  const server = new Server(
    { name: 'ai-assist', version: packageVersion() },
    { capabilities: { tools: {} }, instructions },
  );
  const listing = listingOf(session.tools());

  server.setRequestHandler('tools/list', () => ({ tools: listing }));
  server.setRequestHandler('tools/call', { params: callParams }, async (params, context) => {
    if (!session.knows(params.name)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool '${params.name}'`);
    }
    const envelope = await session.callUntyped(params.name, params.arguments ?? {}, callOptions(params, context));
    return asResult(envelope);
  });
  return server;
}

function asResult(envelope: Envelope): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(envelope) }],
    structuredContent: envelope,
    isError: !envelope.success,
  };
}

function callOptions(
  params: { _meta?: { progressToken?: string | number | undefined } | undefined },
  context: ServerContext,
): CallOptions {
  const { signal, notify } = context.mcpReq;
  const progressToken = params._meta?.progressToken;
  if (progressToken === undefined) return { signal };
  return {
    signal,
    onProgress: ({ done, total, message }) => {
      const params = {
        progressToken,
        progress: done,
        ...(total !== undefined && { total }),
        ...(message && { message }),
      };
      // The client may be gone; the work goes on, or is cancelled by the signal.
      notify({ method: 'notifications/progress', params }).catch(() => {});
    },
  };
}
