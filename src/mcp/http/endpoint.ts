/** The endpoint /mcp: one door for both eras of the protocol. A request that begins no session needs none. */
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  legacyStatelessFallback,
  type McpRequestContext,
} from '@modelcontextprotocol/server';
import type { Session, Watch } from '../../workspace.js';
import { noticeBus } from '../notices.js';
import { mcpServer, offerOf } from '../server.js';
import { refuse } from './answers.js';
import { type Limits, legacySessions } from './legacy-sessions.js';
import type { Principal } from './principals.js';

/** A request that has passed the gate. `body` is parsed JSON, and missing where the method has none. */
export type Passed = { principal: Principal; request: Request; body: unknown; closed: Promise<void> };

export function mcpEndpoint(limits: Limits, onerror: (error: Error) => void) {
  const sessions = legacySessions(limits);
  const sessionOf = (context: McpRequestContext) => context.authInfo?.extra?.session as Session;
  const factory = (context: McpRequestContext) => mcpServer(sessionOf(context));
  // Every session watches the same database; the first request brings one.
  let watch: Watch | undefined;
  const listened = (context: McpRequestContext) => {
    const session = sessionOf(context);
    watch ??= session.watch;
    return mcpServer(session, { kind: 'listen' });
  };
  /** Streams that listen, and not credentials: clients of one credential may have narrowed it differently. */
  const listening = new Set<Passed>();
  const bus = noticeBus(
    async (listener) => (await watch?.(listener)) ?? (() => {}),
    () =>
      [...new Set([...listening].map(({ principal }) => principal.session))].flatMap(
        (session) => offerOf(session).families,
      ),
  );
  const modern = createMcpHandler(listened, { legacy: 'reject', onerror, bus });
  // For who posts a single request by hand, as with curl.
  const sessionless = legacyStatelessFallback(factory, onerror);

  const answerLegacy = ({ principal, request, body, closed }: Passed): Promise<Response> | Response => {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) return sessions.request(principal, id, request, body, closed);
    if (isInitializeRequest(body)) return sessions.initialize(principal, request, body);
    if (request.method !== 'POST') return refuse(400, 'The Mcp-Session-Id header is missing. Begin with initialize.');
    return sessionless(request, { ...identified(principal), parsedBody: body });
  };

  return {
    async answer(passed: Passed): Promise<Response> {
      const { principal, request, body, closed } = passed;
      if (await isLegacyRequest(request, body)) return answerLegacy(passed);
      if (listens(body)) {
        listening.add(passed);
        void closed.then(() => listening.delete(passed));
      }
      return modern.fetch(request, { ...identified(principal), parsedBody: body });
    },
    sweep: sessions.sweep,
    async close(): Promise<void> {
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

/** Whether a message asks for a stream of notices. */
export const listens = (body: unknown): boolean =>
  (body as { method?: unknown } | null | undefined)?.method === 'subscriptions/listen';

/** Hands the session to the factory. The token itself stays outside. */
const identified = ({ credential, session }: Principal) => ({
  authInfo: { token: '', clientId: credential, scopes: [], extra: { session } },
});
