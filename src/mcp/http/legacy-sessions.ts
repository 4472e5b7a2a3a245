/**
 * Sessions of the 2025 protocol: begun with a handshake, ended by the client, by silence, or when there are
 * too many. A session belongs to the credential that began it; to others it does not exist.
 */
import { randomUUID } from 'node:crypto';
import { type Server, WebStandardStreamableHTTPServerTransport as Transport } from '@modelcontextprotocol/server';
import { mcpServer } from '../server.js';
import { noSession, refuse } from './answers.js';
import type { Principal } from './principals.js';

export type Limits = { idleMs: number; most: number; mostOfOne: number };

type LegacySession = {
  id: string;
  credential: string;
  narrowing: string;
  server: Server;
  transport: Transport;
  /** Requests that are being answered, streams included. */
  open: number;
  lastUsed: number;
};

export function legacySessions(limits: Limits, now: () => number = Date.now) {
  const sessions = new Map<string, LegacySession>();

  const end = (session: LegacySession) => {
    sessions.delete(session.id);
    return session.server.close().catch(() => {});
  };

  /** Makes room: the one that was idle longest goes, and one client's many never push out another's. */
  const makeRoom = (credential: string) => {
    const own = [...sessions.values()].filter((session) => session.credential === credential);
    const crowded = own.length >= limits.mostOfOne ? own : sessions.size >= limits.most ? [...sessions.values()] : [];
    if (crowded.length === 0) return true;
    const idle = crowded.filter(({ open }) => open === 0).sort((a, b) => a.lastUsed - b.lastUsed)[0];
    if (idle) void end(idle);
    return idle !== undefined;
  };

  const begin = async ({ credential, narrowing, session }: Principal): Promise<LegacySession> => {
    const id = randomUUID();
    const transport = new Transport({ sessionIdGenerator: () => id });
    const server = mcpServer(session, { kind: 'subscribe' });
    await server.connect(transport);
    return { id, credential, narrowing, server, transport, open: 0, lastUsed: now() };
  };

  const answer = async (session: LegacySession, request: Request, body: unknown): Promise<Response> => {
    session.lastUsed = now();
    const response = await session.transport.handleRequest(request, body === undefined ? {} : { parsedBody: body });
    if (request.method === 'DELETE' && response.ok) sessions.delete(session.id);
    return response;
  };

  return {
    /** A handshake begins a session; one that fails leaves none. */
    async initialize(principal: Principal, request: Request, body: unknown): Promise<Response> {
      if (!makeRoom(principal.credential)) {
        return refuse(503, 'Too many sessions are open. End one, or try again later.', { 'retry-after': '10' });
      }
      const session = await begin(principal);
      const response = await answer(session, request, body);
      if (session.transport.sessionId === undefined) await session.server.close();
      else sessions.set(session.id, session);
      return response;
    },

    /** A later request: until `closed`, its answer keeps the session alive. */
    async request(principal: Principal, id: string, request: Request, body: unknown, closed: Promise<void>) {
      const session = sessions.get(id);
      if (session?.credential !== principal.credential) return noSession();
      if (principal.narrowing !== '' && principal.narrowing !== session.narrowing) {
        return refuse(400, 'The X-MCP headers differ from those of the handshake. Begin a new session with them.');
      }
      session.open++;
      void closed.then(() => {
        session.open--;
        session.lastUsed = now();
      });
      return answer(session, request, body);
    },

    /** Ends sessions that were silent for too long. */
    sweep(): void {
      const before = now() - limits.idleMs;
      for (const session of sessions.values()) if (session.open === 0 && session.lastUsed < before) void end(session);
    },

    async close(): Promise<void> {
      await Promise.all([...sessions.values()].map(end));
    },
  };
}
