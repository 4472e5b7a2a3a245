/** Embeddings from a server that speaks OpenAI's protocol: hosted, or on this machine such as Ollama or LM Studio. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Failure, invalidArgument, plainFailure } from '../../errors.js';
import { unit } from '../vectors/quantise.js';
import type { Embedder } from './embedder.js';

export type OpenaiSettings = {
  /** Up to and with the version, such as https://api.openai.com/v1. */
  readonly url: string;
  readonly model: string;
  /** 0: as many as the model has. */
  readonly dimensions: number;
  readonly key: string | undefined;
  readonly timeoutMs: number;
  /** Before the second try; twice as long before each further one. */
  readonly pauseMs?: number;
};

const BATCH = 64;
const TRIES = 4;
const PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export function openai(settings: OpenaiSettings): Embedder {
  const { model, dimensions } = settings;
  const endpoint = endpointOf(settings.url);
  const embed: Embedder['embed'] = async (texts, { signal } = {}) => {
    const vectors: Float32Array[] = [];
    for (let from = 0; from < texts.length; from += BATCH) {
      const input = texts.slice(from, from + BATCH).map(sendable);
      const answer = await ask(endpoint, settings, { model, input, ...(dimensions > 0 && { dimensions }) }, signal);
      vectors.push(...readVectors(answer, input.length, endpoint));
    }
    return vectors;
  };
  return {
    name: `openai:${endpoint.host}${endpoint.pathname}:${model}${dimensions > 0 ? `:${dimensions}` : ''}`,
    engine: `${endpoint.origin}, ${model}`,
    batch: BATCH,
    embed,
    embedQuery: async (text, options) => (await embed([text], options))[0] as Float32Array,
    close: async () => {},
  };
}

/** Servers refuse a text that is empty, and half of a pair of surrogates is no text. */
const sendable = (text: string): string => text.toWellFormed().trim() || ' ';

function endpointOf(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') {
    throw invalidArgument`The URL of the embedding server '${url}' is not valid`.advise(
      'Set AI_ASSIST_OPENAI_URL to an http or https URL, such as http://127.0.0.1:11434/v1.',
    );
  }
  parsed.pathname = `${parsed.pathname.replace(/\/+$/, '')}/embeddings`;
  parsed.username = '';
  parsed.password = '';
  return parsed;
}

/** Tries again when the server is busy, or cannot be reached. */
async function ask(
  endpoint: URL,
  settings: OpenaiSettings,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await post(endpoint, settings, body, signal);
    if ('answer' in outcome) return outcome.answer;
    signal?.throwIfAborted();
    if (!outcome.again || attempt === TRIES) throw outcome.failure;
    const pause = outcome.waitMs ?? (settings.pauseMs ?? PAUSE_MS) * 2 ** (attempt - 1);
    await sleep(Math.min(pause, LONGEST_PAUSE_MS), undefined, signal && { signal });
  }
}

type Outcome = { answer: unknown } | { failure: Failure; again: boolean; waitMs?: number | undefined };

async function post(
  endpoint: URL,
  { key, timeoutMs }: OpenaiSettings,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
      // The key belongs to this server, and to no other that it points to.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    const text = await bounded(response);
    return response.ok ? { answer: parsed(text, endpoint) } : refused(response, text, endpoint);
  } catch (thrown) {
    if ((thrown as Error).name === 'Failure') return { failure: thrown as Failure, again: false };
    const reason = deadline.aborted ? 'did not answer in time' : `cannot be reached: ${causeOf(thrown as Error)}`;
    return { failure: broken(endpoint, reason), again: true };
  }
}

async function bounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`its answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parsed(text: string, endpoint: URL): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw broken(endpoint, 'gave an answer that is not JSON');
  }
}

/** 429 and faults of the server pass; of the others, 400 and 413 are about the texts, and the rest about the settings. */
function refused(response: Response, text: string, endpoint: URL): Outcome {
  const { status } = response;
  const said = messageIn(text);
  if (status === 400 || status === 413 || status === 422) {
    const failure = invalidArgument`The embedding server refused a text with status ${status}: ${said}`;
    return { failure, again: false };
  }
  const failure = broken(endpoint, `answered with status ${status}: ${said}`);
  return { failure, again: status === 429 || status === 408 || status >= 500, waitMs: retryAfter(response) };
}

function retryAfter(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function messageIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } | string };
    return String((typeof error === 'object' ? error.message : error) ?? 'no reason given').slice(0, 200);
  } catch {
    return text.slice(0, 200);
  }
}

const causeOf = (error: Error): string => ((error.cause as Error | undefined)?.message ?? error.message).slice(0, 200);

const broken = (endpoint: URL, reason: string): Failure =>
  plainFailure('internal', `The embedding server ${endpoint.origin} ${reason}`).advise(
    'Check the settings of search and the key in the environment, or set AI_ASSIST_EMBEDDER to minilm.',
  );

type Answer = { data?: { index?: unknown; embedding?: unknown }[] };

/** One vector a text, of length one; an answer that is anything else is refused whole. */
function readVectors(answer: unknown, count: number, endpoint: URL): Float32Array[] {
  const data = (answer as Answer | null)?.data;
  if (!Array.isArray(data) || data.length !== count) {
    throw broken(endpoint, `did not give ${count} embeddings`);
  }
  const vectors: (Float32Array | undefined)[] = new Array(count).fill(undefined);
  for (const [place, item] of data.entries()) {
    vectors[typeof item?.index === 'number' ? item.index : place] = vectorIn(item?.embedding);
  }
  return vectors.slice(0, count).map((vector) => {
    if (!vector) throw broken(endpoint, 'gave an embedding that is not a list of numbers');
    return vector;
  });
}

const MAX_DIMENSIONS = 16_384;

function vectorIn(embedding: unknown): Float32Array | undefined {
  if (!Array.isArray(embedding) || embedding.length === 0 || embedding.length > MAX_DIMENSIONS) return undefined;
  return embedding.every((value) => typeof value === 'number') ? unit(Float32Array.from(embedding)) : undefined;
}
