/** Whom a request comes from: the holder of a token, or on loopback the configured agent. */
import { plainFailure } from '../../errors.js';
import { orDefault, type Selection } from '../../tools/selection.js';
import type { Session, SessionOptions, Token, Workspace } from '../../workspace.js';
import { type Headers, isLocalRequest } from './gate.js';
import { type Narrowing, narrowingText, readNarrowing } from './narrowing.js';
import type { Running } from './running.js';

export type Principal = {
  /** Tells one holder from another: nothing that belongs to one is given to another. */
  credential: string;
  narrowing: string;
  session: Session;
  /** Whether the credential still counts, for what stays open long. */
  stillHolds(): Promise<boolean>;
};

export type PrincipalOptions = {
  /** What a client without a token is. */
  anonymous: Pick<SessionOptions, 'agent' | 'role'>;
  /** Whether a client on this machine needs no token. */
  allowAnonymous: boolean;
  /** The tools that the server was started with. It names none where nobody chose. */
  selection: Selection;
  readOnly: boolean;
  project: string;
};

/** Sessions are kept, so that a listing is made once for each kind of client and not for each request. */
const MOST_SESSIONS = 500;

export function principals(workspace: Workspace, options: PrincipalOptions, calls: Running) {
  const sessions = new Map<string, Session>();

  const sessionFor = (credential: string, narrowing: string, token: Token | undefined, headers: Headers): Session => {
    const key = `${credential} ${narrowing}`;
    const known = sessions.get(key);
    if (known) return known;
    const session = counted(workspace.session(sessionOptions(options, token, readNarrowing(headers))), calls);
    sessions.set(key, session);
    const oldest = sessions.keys().next().value;
    if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    return session;
  };

  return async (headers: Headers): Promise<Principal> => {
    const text = bearerOf(headers);
    const token = text === undefined ? undefined : await workspace.knownToken(text);
    if (text !== undefined && !token) throw refusedToken;
    if (!token && !(options.allowAnonymous && isLocalRequest(headers))) throw missingToken;
    const credential = token ? `token ${token.id}` : 'anonymous';
    const narrowing = narrowingText(headers);
    return {
      credential,
      narrowing,
      session: sessionFor(credential, narrowing, token, headers),
      stillHolds: async () => text === undefined || (await workspace.knownToken(text)) !== undefined,
    };
  };
}

/** A call runs on when its client has gone away, and the server must not end under it. */
function counted(session: Session, calls: Running): Session {
  const callUntyped: Session['callUntyped'] = (...call) => calls.during(session.callUntyped(...call));
  return { ...session, callUntyped, call: callUntyped as Session['call'] };
}

/** A token says what its holder has; what the server was started with limits it. */
function sessionOptions(options: PrincipalOptions, token: Token | undefined, narrowing: Narrowing): SessionOptions {
  const { anonymous, selection, readOnly, project } = options;
  return {
    ...(token ? { agent: token.agent, role: token.role } : anonymous),
    ...(token?.toolsets ? selection : orDefault(selection)),
    project: token?.project ?? project,
    readOnly: readOnly || narrowing.readOnly || token?.readOnly === true,
    narrowedBy: [...(token?.toolsets ? [{ toolsets: token.toolsets }] : []), narrowing.selection],
    door: 'mcp',
  };
}

/** The text of a bearer token. Another scheme is a token that no one knows. */
function bearerOf({ authorization }: Headers): string | undefined {
  if (authorization === undefined) return undefined;
  const [, text] = /^Bearer +([\x21-\x7e]+) *$/i.exec(String(authorization)) ?? [];
  return text ?? '';
}

const missingToken = plainFailure('forbidden', 'This server asks for a token').advise(
  "Send 'Authorization: Bearer TOKEN'. The owner makes one with: ai-assist tokens create --agent NAME",
);

const refusedToken = plainFailure('forbidden', 'The token is unknown, expired or revoked').advise(
  'Ask the owner for a new one: ai-assist tokens create --agent NAME',
);
