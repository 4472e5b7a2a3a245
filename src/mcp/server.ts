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
import { offerCompletion } from './completion.js';
import { instructionsFor } from './instructions.js';
import { listingOf } from './listing.js';
import { announceChanges, offerSubscriptions } from './notices.js';
import { growing } from './progress.js';
import { offerPrompts, promptsFor } from './prompts.js';
import { offerResources } from './resource-family.js';
import { contextResources } from './resources.js';
import { treeResources } from './tree-resources.js';

/** The SDK's own schema of a call drops the key __proto__ unseen; the guard must see and refuse it. */
const callParams = z.looseObject({
  name: z.string(),
  arguments: z.unknown().optional(),
  _meta: z.looseObject({ progressToken: z.union([z.string(), z.number()]).optional() }).optional(),
});

/**
 * How changes of resources are made known: not at all, to a client that subscribes on this connection, or through
 * the SDK to those who listen. `onListen` is given what to call when the first one does.
 */
export type Notices =
  | { kind: 'none' }
  | { kind: 'subscribe' }
  | { kind: 'listen'; onListen?: (start: () => void) => void };

type Offer = ReturnType<typeof makeOffer>;
const offers = new WeakMap<Session, Offer>();

/** What a session is offered. Made once: over HTTP every request has a server of its own. */
export function offerOf(session: Session): Offer {
  const offer = offers.get(session) ?? makeOffer(session);
  offers.set(session, offer);
  return offer;
}

function makeOffer(session: Session) {
  const listing = listingOf(session.tools());
  return {
    listing,
    families: [...contextResources(session), ...treeResources(session)],
    prompts: promptsFor(session),
    instructions: instructionsFor(listing.map(({ name }) => name)),
    /** Tools that change which names there are, and with them the listing of resources. */
    naming: new Set(
      session.tools().flatMap(({ name, toolset, effect }) => (toolset === 'catalog' && effect !== 'read' ? name : [])),
    ),
  };
}

/** A server for one connection. The high-level class would check arguments itself, with other messages. */
export function mcpServer(session: Session, notices: Notices = { kind: 'none' }): Server {
  const { listing, families, prompts, instructions, naming } = offerOf(session);
  const lasts = notices.kind === 'subscribe' || (notices.kind === 'listen' && notices.onListen !== undefined);
  const announces = notices.kind !== 'none' && { subscribe: true, listChanged: true };
  const server = new Server(
    { name: 'ai-assist', version: packageVersion() },
    {
      capabilities: {
        tools: {},
        logging: {},
        ...(prompts.length > 0 && { prompts: {} }),
        ...(families.length > 0 && { resources: { ...announces } }),
        ...(families.length + prompts.length > 0 && { completions: {} }),
      },
      instructions,
    },
  );
  if (prompts.length > 0) offerPrompts(server, session, prompts);
  if (families.length > 0) offerResources(server, families);
  if (families.length + prompts.length > 0) offerCompletion(server, { session, families, prompts });
  if (families.length > 0 && notices.kind === 'subscribe') offerSubscriptions(server, families, session.watch);
  if (families.length > 0 && notices.kind === 'listen')
    notices.onListen?.(announceChanges(server, families, session.watch));

  server.setRequestHandler('tools/list', () => ({ tools: listing }));
  server.setRequestHandler('tools/call', { params: callParams }, async (params, context) => {
    if (!session.knows(params.name)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool '${params.name}'`);
    }
    const envelope = await session.callUntyped(params.name, params.arguments ?? {}, callOptions(params, context));
    if (lasts && envelope.success && naming.has(params.name)) void server.sendResourceListChanged().catch(() => {});
    // What is not the caller's mistake is worth a line in the client's log too.
    if (envelope.error_type === 'internal') await context.mcpReq.log('error', envelope.error, params.name);
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
  const onProgress = growing((step) => {
    // The client may be gone; the work goes on, or is cancelled by the signal.
    notify({ method: 'notifications/progress', params: { progressToken, ...step } }).catch(() => {});
  });
  return { signal, onProgress };
}
