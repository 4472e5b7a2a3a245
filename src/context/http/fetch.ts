/** Fetches over HTTP: pooled, bounded, patient with servers in trouble, and strict about where it goes. */
import { setTimeout as wait } from 'node:timers/promises';
import { plainFailure } from '../../errors.js';
import { TooLarge } from '../too-large.js';
import { readBytes, type Stored, storeBytes, UnknownEncoding } from './body.js';
import { type Deadline, startDeadline } from './deadline.js';
import { BadStatus, failureOf, setbackOf, timeoutFailure } from './failures.js';
import {
  type BuildConnector,
  type Dispatchers,
  type Lookup,
  openDispatchers,
  systemLookup,
} from './guarded-dispatcher.js';
import { retryDelay } from './retry.js';
import { openSlots } from './slots.js';
import { readUrl } from './url.js';
import { type Answer, drain, type Visit, visit } from './visit.js';

export type HttpSettings = {
  /** For one fetch with all its tries; a transfer that goes on well may take longer. */
  timeoutMs: number;
  /** Hosts, or hosts with a port, on private networks that packages may be fetched from. */
  allowHosts: readonly string[];
  /** Fetches at the same time. */
  concurrency: number;
  userAgent: string;
};

export type GetOptions = {
  maxBytes: number;
  etag?: string | null | undefined;
  lastModified?: string | null | undefined;
  signal: AbortSignal;
  /** The project file itself names this URL: it may be on this machine or a private network. */
  trusted: boolean;
  /** What `localHost` was of the answer that led to this URL: that host may be asked again. */
  localHost?: string | undefined;
};

type Validators = { etag: string | null; lastModified: string | null };
export type Fetched<Content> = Content & Validators & { status: 200; localHost: string | undefined };
export type NotModified = { status: 304; notModified: true };

export interface HttpClient {
  get(url: string, options: GetOptions): Promise<Fetched<{ bytes: Uint8Array }> | NotModified>;
  /** Keeps the bytes as they came: in memory, or from `memoryBytes` on in a file. */
  download(url: string, options: DownloadOptions): Promise<Fetched<Stored> | NotModified>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

export type DownloadOptions = GetOptions & { memoryBytes: number; newFile: () => Promise<string> };

/** What the client takes from outside: time, chance and the network's names. */
export type HttpPorts = {
  now: () => number;
  random: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  lookup: Lookup;
  buildConnector?: BuildConnector;
};

const realPorts: HttpPorts = {
  now: Date.now,
  random: Math.random,
  sleep: (ms, signal) => wait(ms, undefined, { signal }),
  lookup: systemLookup,
};

/** Turns an answer into what the caller wants of it. */
type Read<Content> = (answer: Answer, deadline: Deadline) => Promise<Content>;

export function openHttp(settings: HttpSettings, ports: HttpPorts = realPorts): HttpClient {
  const { timeoutMs, concurrency } = settings;
  const slots = openSlots(concurrency);
  const closing = new AbortController();
  let opened: Promise<Dispatchers> | undefined;
  const dispatchers = () => {
    const options = { connections: concurrency, timeoutMs, lookup: ports.lookup };
    opened ??= openDispatchers(options, ports.buildConnector);
    return opened;
  };

  async function request<Content>(url: string, options: GetOptions, encodings: string, read: Read<Content>) {
    const { signal } = options;
    const first = firstVisit(url, options, settings, encodings);
    return slots.run(AbortSignal.any([signal, closing.signal]), async () => {
      const deadline = startDeadline(timeoutMs, [signal, closing.signal]);
      const attempt = async () => {
        const answer = await visit(await dispatchers(), { ...first, signal: deadline.signal });
        return settle(answer, options, deadline, read);
      };
      try {
        return await persist(attempt, ports, deadline);
      } catch (thrown) {
        throw signal.aborted ? signal.reason : ending(thrown, url, deadline, timeoutMs, closing.signal);
      } finally {
        deadline.end();
      }
    });
  }

  return {
    get: (url, options) => request(url, options, 'gzip, br, deflate', whole(options)),
    download: (url, options) => request(url, options, 'identity', stored(options)),
    async close() {
      closing.abort(plainFailure('internal', 'Fetch stopped: the client is closed'));
      const agents = await opened;
      await Promise.all([agents?.public.destroy(), agents?.local.destroy()]);
    },
  };
}

/** Tries until it works, or waiting any longer is of no use. */
async function persist<Result>(attempt: () => Promise<Result>, ports: HttpPorts, deadline: Deadline): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (thrown) {
      const delay = retryDelay(setbackOf(thrown), tries, ports.now(), ports.random());
      if (delay === undefined || deadline.signal.aborted || delay >= deadline.left()) throw thrown;
      await ports.sleep(delay, deadline.signal);
    }
  }
}

function ending(thrown: unknown, url: string, deadline: Deadline, timeoutMs: number, closing: AbortSignal) {
  if (closing.aborted) return closing.reason;
  return deadline.passed ? timeoutFailure(url, timeoutMs) : failureOf(thrown, url);
}

function firstVisit(
  url: string,
  options: GetOptions,
  settings: HttpSettings,
  encodings: string,
): Omit<Visit, 'signal'> {
  const { etag, lastModified, trusted, localHost } = options;
  return {
    ...readUrl(url),
    trusted,
    localHost,
    allowHosts: settings.allowHosts,
    headers: {
      accept: '*/*',
      'accept-encoding': encodings,
      'user-agent': settings.userAgent,
      ...(etag ? { 'if-none-match': etag } : {}),
      ...(lastModified ? { 'if-modified-since': lastModified } : {}),
    },
  };
}

async function settle<Content>(answer: Answer, options: GetOptions, deadline: Deadline, read: Read<Content>) {
  const { statusCode, headers, body } = answer;
  if (statusCode === 200) {
    try {
      return await content(answer, options, deadline, read);
    } catch (thrown) {
      // A body that is given up is an error to the stream, and an error that nobody hears ends the process.
      body.on('error', () => {}).destroy();
      throw thrown;
    }
  }
  await drain(answer, deadline.signal);
  if (statusCode === 304 && (options.etag || options.lastModified)) return { status: 304, notModified: true } as const;
  throw new BadStatus(statusCode, header(headers['retry-after']) ?? undefined);
}

async function content<Content>(answer: Answer, options: GetOptions, deadline: Deadline, read: Read<Content>) {
  const { headers, localHost } = answer;
  // A body that is declared too large need not be begun.
  if (Number(headers['content-length']) > options.maxBytes) throw new TooLarge(options.maxBytes);
  const validators = { etag: header(headers.etag), lastModified: header(headers['last-modified']) };
  return { status: 200 as const, localHost, ...validators, ...(await read(answer, deadline)) };
}

/** A header that can be kept and sent back. */
function header(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && /^[\x20-\x7e]{1,512}$/.test(value) ? value : null;
}

function whole({ maxBytes }: GetOptions): Read<{ bytes: Uint8Array }> {
  return async ({ headers, body }, deadline) => {
    const encoding = headers['content-encoding'];
    return { bytes: await readBytes(body, encoding?.toString(), maxBytes, deadline.arrived) };
  };
}

function stored({ maxBytes, memoryBytes, newFile }: DownloadOptions): Read<Stored> {
  return ({ headers, body }, deadline) => {
    // Some servers declare a .tar.gz as gzip-encoded tar: as it came, it is what was asked for.
    const encoding = headers['content-encoding']?.toString() ?? 'identity';
    if (!/^(identity|(x-)?gzip)$/i.test(encoding.trim())) throw new UnknownEncoding();
    return storeBytes(body, { maxBytes, memoryBytes, newFile, onBytes: deadline.arrived });
  };
}
