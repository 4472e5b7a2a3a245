/** Completion of arguments: of prompts, and of the variables in addresses of resources. */
import {
  type CompleteRequestParams,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server';
import type { Session } from '../workspace.js';
import type { WorkflowPrompt } from './prompts/prompt.js';
import { findPrompt } from './prompts.js';
import type { ResourceFamily } from './resource-family.js';

/** The protocol allows no more values in one answer. */
const MOST_VALUES = 100;

export type Offer = { session: Session; families: readonly ResourceFamily[]; prompts: readonly WorkflowPrompt[] };

export function offerCompletion(server: Server, offer: Offer): void {
  server.setRequestHandler('completion/complete', async ({ params }) => {
    const all = await valuesFor(offer, params);
    const values = all.slice(0, MOST_VALUES);
    return { completion: { values, total: all.length, hasMore: all.length > values.length } };
  });
}

async function valuesFor({ session, families, prompts }: Offer, params: CompleteRequestParams): Promise<string[]> {
  const { ref, argument, context } = params;
  if (ref.type === 'ref/prompt') {
    const values = await findPrompt(prompts, ref.name).complete(session, argument.name);
    return begunWith(values, argument.value);
  }
  const family = families.find(({ prefix }) => ref.uri.startsWith(prefix));
  if (!family) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown resource template '${ref.uri}'`);
  return family.complete(ref.uri, { ...argument, given: context?.arguments ?? {} });
}

/** Those that begin with what was typed first, then those that have it anywhere. */
function begunWith(values: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase();
  const at = (value: string) => value.toLowerCase().indexOf(wanted);
  return [...values.filter((value) => at(value) === 0), ...values.filter((value) => at(value) > 0)];
}
