import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type OpenaiSettings, openai } from '../../../src/search/embed/openai.js';
import { scratchEnv, scratchFolder, scratchWorkspace } from '../../support/scratch.js';

type Asked = { input: string[]; model: string; dimensions?: number; authorization: string | undefined; url: string };
type Answer = { status?: number; headers?: Record<string, string>; body?: unknown; text?: string };

/** A server on this machine that notes what it is asked. */
async function server(answer: (asked: Asked, count: number) => Answer) {
  const asked: Asked[] = [];
  const listener = createServer((request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8') || '{}');
      asked.push({ ...body, authorization: request.headers.authorization, url: request.url });
      const { status = 200, headers = {}, body: json, text } = answer(asked.at(-1) as Asked, asked.length);
      response.writeHead(status, headers).end(text ?? JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void listener.close());
  return { asked, url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/v1` };
}

const good = ({ input }: Asked): Answer => ({
  // Backwards: what counts is the index.
  body: { data: input.map((text, index) => ({ index, embedding: [text.length, 0, 0] })).reverse() },
});

const settings = (url: string, more: Partial<OpenaiSettings> = {}): OpenaiSettings => ({
  url,
  model: 'a-model',
  dimensions: 0,
  key: undefined,
  timeoutMs: 5000,
  pauseMs: 1,
  ...more,
});

test('V10 texts go in batches, and vectors come in their order with length one', async () => {
  const { asked, url } = await server(({ input }) => ({
    body: {
      data: input.map((text, index) => ({ index, embedding: [Number(text.split(' ')[1]) + 1, 1] })).reverse(),
    },
  }));
  const embedder = openai(settings(`${url}/`, { dimensions: 2, key: 'secret' }));
  const vectors = await embedder.embed(Array.from({ length: 150 }, (_, at) => `text ${at}`));
  expect(asked.map(({ input }) => input.length)).toEqual([64, 64, 22]);
  expect(asked[0]).toMatchObject({ model: 'a-model', dimensions: 2, authorization: 'Bearer secret' });
  expect(asked[0]?.url).toBe('/v1/embeddings');
  for (const [at, vector] of vectors.entries()) {
    expect((vector[0] as number) / (vector[1] as number)).toBeCloseTo(at + 1, 2);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  }
  expect(embedder.name).toBe(`openai:${new URL(url).host}/v1/embeddings:a-model:2`);
});

test('V10 an empty text and half a character are sent as something that a server takes', async () => {
  const { asked, url } = await server(good);
  await openai(settings(url)).embed(['', 'x\ud800']);
  expect(asked[0]?.input).toEqual([' ', 'x\ufffd']);
});

test('V11 a server that is busy or broken is asked again', async () => {
  const { asked, url } = await server((question, count) => {
    if (count === 1) return { status: 429, headers: { 'retry-after': '0' }, body: {} };
    return count === 2 ? { status: 503, text: 'later' } : good(question);
  });
  await openai(settings(url)).embedQuery('text');
  expect(asked).toHaveLength(3);
});

test('V11 after a few times the failure names the server', async () => {
  const { asked, url } = await server(() => ({ status: 500, body: { error: { message: 'out of order' } } }));
  const { origin } = new URL(url);
  await expect(openai(settings(url)).embed(['text'])).rejects.toThrow(
    `${origin} answered with status 500: out of order`,
  );
  expect(asked).toHaveLength(4);

  const nobody = openai(settings('http://127.0.0.1:9/v1'));
  await expect(nobody.embed(['text'])).rejects.toThrow('cannot be reached');
  const denied = await server(() => ({ status: 401, body: { error: 'no key' } }));
  await expect(openai(settings(denied.url)).embed(['text'])).rejects.toThrow('status 401: no key');
  expect(denied.asked).toHaveLength(1);
});

test('V11 waiting for a server can be given up', async () => {
  const { url } = await server(() => ({ status: 429, headers: { 'retry-after': '30' }, body: {} }));
  const stop = new AbortController();
  const asking = openai(settings(url)).embed(['text'], { signal: stop.signal });
  stop.abort();
  await expect(asking).rejects.toThrow();
});

test('V12 a redirect is not followed', async () => {
  const other = await server(good);
  const { url } = await server(() => ({ status: 307, headers: { location: `${other.url}/embeddings` }, body: {} }));
  await expect(openai(settings(url, { key: 'secret' })).embed(['text'])).rejects.toThrow('cannot be reached');
  expect(other.asked).toEqual([]);
});

test('V12 the key of other programs is not sent to a server of another name', async () => {
  const { asked, url } = await server(good);
  for (const env of [{ OPENAI_API_KEY: 'theirs' }, { OPENAI_API_KEY: 'theirs', AI_ASSIST_OPENAI_KEY: 'ours' }]) {
    const folder = scratchFolder();
    writeFileSync(path.join(folder, 'a.md'), '# Title\n\nText.');
    const session = (
      await scratchWorkspace({
        settings: { 'search.embedder': 'openai', 'search.openai.url': url },
        env: scratchEnv(folder, env),
      })
    ).session({ project: folder });
    await session.call('project_init', {});
    await session.call('collection_add', { name: 'docs', path: '.' });
    expect(await session.call('collection_sync', { wait: true })).toMatchObject({ success: true, embedded: 1 });
  }
  expect(asked.map(({ authorization }) => authorization)).toEqual([undefined, 'Bearer ours']);
});

test('V13 an answer that is not one list of numbers for each text is refused', async () => {
  const wrong: unknown[] = [
    null,
    {},
    { data: [] },
    { data: [{ index: 0, embedding: [1] }] },
    { data: [{ embedding: [1] }, { embedding: ['x'] }] },
    { data: [{ embedding: [1] }, { embedding: [] }] },
    { data: [{ embedding: [1] }, { embedding: [0, 0] }] },
    {
      data: [
        { index: 0, embedding: [1] },
        { index: 0, embedding: [1] },
      ],
    },
    {
      data: [
        { index: 7, embedding: [1] },
        { index: -1, embedding: [1] },
      ],
    },
  ];
  for (const body of wrong) {
    const { url } = await server(() => ({ body }));
    await expect(openai(settings(url)).embed(['a', 'b']), JSON.stringify(body)).rejects.toThrow(
      /did not give|is not a/,
    );
  }
  const { url } = await server(() => ({ text: '<html>' }));
  await expect(openai(settings(url)).embed(['a'])).rejects.toThrow('not JSON');
});

test('V13 a URL that is none is refused with the setting to change', () => {
  for (const url of ['nonsense', 'ftp://host/v1', '']) expect(() => openai(settings(url))).toThrow('not valid');
});
