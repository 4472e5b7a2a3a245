/** Resources: families of addresses, each read through the tools of the session. */
import {
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type Server,
  type TextResourceContents,
} from '@modelcontextprotocol/server';
import type { FailureEnvelope } from '../errors.js';
import type { Session, WorkspaceChange } from '../workspace.js';

/** One argument that a client wants completed, with those that it has already. */
export type Asked = { name: string; value: string; given: Readonly<Record<string, string>> };

export type ResourceFamily = {
  /** What its addresses begin with, such as `tree://`. */
  prefix: string;
  templates: readonly ResourceTemplateType[];
  list(): Promise<Resource[]>;
  read(uri: string): Promise<TextResourceContents[]>;
  /** Values for a variable of a template, the best first. */
  complete(template: string, asked: Asked): Promise<string[]>;
  /** What clients should read again after a change. */
  affected(change: WorkspaceChange): Promise<Affected>;
};

export type Affected = {
  uris: readonly string[];
  /** Whether the listing may be another one. */
  listing: boolean;
};

/** Answers listings and reads from the family that an address belongs to. */
export function offerResources(server: Server, families: readonly ResourceFamily[]): void {
  server.setRequestHandler('resources/list', async () => ({
    resources: (await Promise.all(families.map((family) => family.list()))).flat(),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: families.flatMap((family) => family.templates),
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const family = families.find(({ prefix }) => uri.startsWith(prefix));
    if (!family) throw new ResourceNotFoundError(uri, `Unknown resource '${uri}'`);
    return { contents: await family.read(uri) };
  });
}

/** A failed call as the protocol tells it: what is not there is a matter of the address. */
export function resourceFailure(uri: string, { error, error_type, instruction }: FailureEnvelope): ProtocolError {
  const message = `${error}. ${instruction}`;
  if (error_type === 'not_found' || error_type === 'invalid_argument') return new ResourceNotFoundError(uri, message);
  const code = error_type === 'internal' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidRequest;
  return new ProtocolError(code, message);
}

/** Whether a session may call all of these tools. */
export function canCall(session: Session, names: readonly string[]): boolean {
  const allowed = new Set(session.tools().map(({ name }) => name));
  return names.every((name) => allowed.has(name));
}
