/** Between Node's streams and the requests and responses of the web platform, which the SDK speaks. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The body as text, or nothing where it is larger than `limit`. What is too large is not kept. */
export async function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  if (Number(request.headers['content-length']) > limit) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The request without its body, which is handed on parsed. The signal fires when the client goes away. */
export function webRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headersDistinct)) {
    for (const one of value ?? []) headers.append(name, one);
  }
  const { method = 'GET', url = '/' } = request;
  return new Request(new URL(url, 'http://server'), { method, headers, signal });
}

/** Writes a response: one that is whole in one piece, a stream as fast as the client takes it. */
export async function writeResponse(
  response: Response,
  to: ServerResponse,
  more: Record<string, string>,
): Promise<void> {
  const headers = { ...Object.fromEntries(response.headers), ...more };
  if (!response.body) return void to.writeHead(response.status, headers).end();
  if (response.headers.get('content-type') === 'text/event-stream') {
    to.writeHead(response.status, headers);
    return writeStream(response.body, to);
  }
  const body = Buffer.from(await response.arrayBuffer());
  to.writeHead(response.status, { ...headers, 'content-length': body.length }).end(body);
}

async function writeStream(body: ReadableStream<Uint8Array>, to: ServerResponse): Promise<void> {
  // Without this, the head would wait for the first event.
  to.flushHeaders();
  const reader = body.getReader();
  // The source of the stream stops when the client goes away.
  const stop = () => void reader.cancel().catch(() => {});
  to.once('close', stop);
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (!to.write(next.value) && !to.closed) await drained(to);
  }
  to.off('close', stop);
  to.end();
}

function drained(to: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      to.off('drain', done).off('close', done);
      resolve();
    };
    to.once('drain', done).once('close', done);
  });
}
