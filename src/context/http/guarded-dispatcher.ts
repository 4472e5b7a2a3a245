/**
 * Connections that reach only what they may. The addresses that a name resolves to are judged at
 * the moment of connecting, and the connection goes to those very addresses: a second DNS answer
 * cannot slip in between.
 */
import type { LookupAddress } from 'node:dns';
import { lookup as lookupName } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import { isPublicAddress, literalAddress } from './addresses.js';

/** Every address of a name, as the system resolves it. */
export type Lookup = (hostname: string) => Promise<LookupAddress[]>;
export type BuildConnector = typeof buildConnector;

export const systemLookup: Lookup = (hostname) => lookupName(hostname, { all: true });

/** A host whose address this way may not reach. */
export class AddressRefused extends Error {
  readonly address: string;
  constructor(address: string) {
    super(`Not reached: ${address}`);
    this.address = address;
  }
}

export type Dispatchers = {
  /** Reaches public addresses only: one other address among a name's answers refuses them all. */
  public: Agent;
  /** Reaches this machine and private networks only, so that what it brings surely comes from there. */
  local: Agent;
};

const longestConnectMs = 10_000;
/** Without a single byte, in the middle of a body. */
const longestPauseMs = 30_000;

export type DispatcherOptions = { connections: number; timeoutMs: number; lookup: Lookup };

export async function openDispatchers(options: DispatcherOptions, build?: BuildConnector): Promise<Dispatchers> {
  const undici = await import('undici');
  const { connections, timeoutMs } = options;
  const open = (choose: Choose) =>
    new undici.Agent({
      connect: guardedConnector(build ?? undici.buildConnector, options, choose),
      connections,
      pipelining: 1,
      headersTimeout: timeoutMs,
      bodyTimeout: Math.min(timeoutMs, longestPauseMs),
    });
  return { public: open(onlyPublic), local: open(onlyLocal) };
}

/** The addresses that may be reached, of those found. Throws AddressRefused where none may. */
type Choose = (found: LookupAddress[]) => LookupAddress[];

const onlyPublic: Choose = (found) => {
  const other = found.find(({ address }) => !isPublicAddress(address));
  if (other !== undefined) throw new AddressRefused(other.address);
  return found;
};

const onlyLocal: Choose = (found) => {
  const local = found.filter(({ address }) => !isPublicAddress(address));
  if (local.length === 0 && found[0] !== undefined) throw new AddressRefused(found[0].address);
  return local;
};

function guardedConnector(
  build: BuildConnector,
  { timeoutMs, lookup }: DispatcherOptions,
  choose: Choose,
): buildConnector.connector {
  const connect = build({ timeout: Math.min(timeoutMs, longestConnectMs), lookup: guardedLookup(lookup, choose) });
  return (options, callback) => {
    // A literal address is connected to without a lookup.
    const refused = refusedLiteral(options.hostname, choose);
    if (refused === undefined) connect(options, callback);
    else queueMicrotask(() => callback(refused, null));
  };
}

function refusedLiteral(hostname: string, choose: Choose): AddressRefused | undefined {
  const address = literalAddress(hostname);
  if (address === undefined) return undefined;
  try {
    choose([{ address, family: address.includes(':') ? 6 : 4 }]);
    return undefined;
  } catch (thrown) {
    return thrown as AddressRefused;
  }
}

function guardedLookup(lookup: Lookup, choose: Choose): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (found: LookupAddress[]) => {
      const [first] = found;
      if (first === undefined) callback(Object.assign(new Error('No address'), { code: 'ENOTFOUND' }), []);
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    };
    lookup(hostname)
      .then(choose)
      .then(answer, (thrown) => callback(thrown, []));
  };
}
