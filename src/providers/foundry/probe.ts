/** Whether the relay answers, knows the key, and has the world. */
import { invalidArgument } from '../../errors.js';
import type { Relay } from './relay-client.js';

export async function probeRelay(relay: Relay, clientId: string): Promise<void> {
  const { clients } = await relay({ method: 'GET', path: '/clients', query: {} });
  const ids = (Array.isArray(clients) ? clients : []).map((client: { id?: unknown }) => client.id);
  if (clientId === '' || ids.includes(clientId)) return;
  throw invalidArgument`Invalid setting providers.foundry.clientId '${clientId}': the relay knows no such world`.advise(
    `Open the world in Foundry. The relay has ${ids.length === 0 ? 'none now' : ids.join(', ')}.`,
  );
}
