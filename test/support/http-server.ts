/** A real HTTP server on loopback that does, path by path, what servers do on bad days. Gone when the test ends. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import zlib from 'node:zlib';
import { onTestFinished } from 'vitest';

/** Answers one request. */
export type Reply = (request: IncomingMessage, response: ServerResponse) => void;
/** Plain content is served as it is, without validators. */
export type Content = string | Uint8Array | Reply;

export type HttpServer = {
  /** Such as `http://127.0.0.1:40001`. */
  readonly origin: string;
  readonly port: number;
  url(path: string): string;
  /** What a path answers: the first reply to the first request, and so on; the last one stays. */
  set(path: string, ...replies: Content[]): void;
  /** How many requests there were, for one path or all. */
  count(path?: string): number;
  /** The headers of each request for a path. */
  headers(path: string): IncomingMessage['headers'][];
};

type Seen = { path: string; headers: IncomingMessage['headers'] };

export async function httpServer(files: Record<string, Content> = {}): Promise<HttpServer> {
  const scripts = new Map(Object.entries(files).map(([path, content]) => [path, [content]]));
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    seen.push({ path, headers: request.headers });
    const script = scripts.get(path) ?? [status(404)];
    const reply = script.length > 1 ? script.shift() : script[0];
    asReply(reply ?? status(404))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const of = (path: string) => seen.filter((request) => request.path === path);
  return {
    origin,
    port,
    url: (path) => `${origin}${path}`,
    set: (path, ...replies) => void scripts.set(path, replies),
    count: (path) => (path === undefined ? seen.length : of(path).length),
    headers: (path) => of(path).map(({ headers }) => headers),
  };
}

function asReply(content: Content): Reply {
  return typeof content === 'function' ? content : page(content);
}

type Encoding = 'gzip' | 'br' | 'deflate' | 'raw deflate';

const encode = {
  gzip: (bytes) => zlib.gzipSync(bytes),
  br: (bytes) => zlib.brotliCompressSync(bytes),
  deflate: (bytes) => zlib.deflateSync(bytes),
  'raw deflate': (bytes) => zlib.deflateRawSync(bytes),
} satisfies Record<Encoding, (bytes: Uint8Array) => Uint8Array>;

export type PageOptions = {
  /** `true` for one made of the content. A request that has it gets 304. */
  etag?: string | true;
  /** A request that has the same gets 304. */
  lastModified?: string;
  /** Compresses, whatever the request accepts. */
  encoding?: Encoding;
  headers?: Record<string, string>;
};

/** Content with what belongs to it. */
export function page(body: string | Uint8Array, { etag, lastModified, encoding, headers }: PageOptions = {}): Reply {
  const plain = Buffer.from(body);
  const bytes = encoding === undefined ? plain : encode[encoding](plain);
  const tag = etag === true ? `"${createHash('sha256').update(plain).digest('hex').slice(0, 16)}"` : etag;
  const answer: Record<string, string> = {
    ...(encoding === undefined ? {} : { 'content-encoding': encoding.replace('raw ', '') }),
    ...(tag === undefined ? {} : { etag: tag }),
    ...(lastModified === undefined ? {} : { 'last-modified': lastModified }),
    ...headers,
  };
  return (request, response) => {
    const { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = request.headers;
    const same =
      tag === undefined ? lastModified !== undefined && ifModifiedSince === lastModified : ifNoneMatch === tag;
    if (same) response.writeHead(304, answer).end();
    else response.writeHead(200, { 'content-length': bytes.byteLength, ...answer }).end(bytes);
  };
}

/** An answer that is only a status. */
export function status(code: number, headers: Record<string, string> = {}): Reply {
  return (_request, response) => void response.writeHead(code, headers).end(`status ${code}`);
}

export function redirect(location: string, code = 302): Reply {
  return status(code, { location });
}

/** Promises the whole body, sends a part of it and breaks the connection. */
export function cutShort(body: string | Uint8Array, after = 1): Reply {
  const bytes = Buffer.from(body);
  return (_request, response) => {
    response.writeHead(200, { 'content-length': bytes.byteLength });
    response.write(bytes.subarray(0, after), () => response.destroy());
  };
}

/** Sends the body in chunks without an end, and closes the connection. */
export function cutChunked(body: string | Uint8Array): Reply {
  return (_request, response) => {
    response.writeHead(200, { 'transfer-encoding': 'chunked' });
    response.write(Buffer.from(body), () => response.destroy());
  };
}

/** Declares a length that is not the body's. */
export function lying(body: string | Uint8Array, contentLength: number): Reply {
  return (_request, response) => {
    response.strictContentLength = false;
    response.writeHead(200, { 'content-length': contentLength, connection: 'close' });
    response.end(Buffer.from(body));
  };
}

/** Sends a body without declaring its length. */
export function unmeasured(body: string | Uint8Array): Reply {
  return (_request, response) => void response.writeHead(200).end(Buffer.from(body));
}

/** Breaks the connection before any answer. */
export const hangUp: Reply = (_request, response) => void response.destroy();

function signal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

export type Held = Reply & {
  /** Resolves when a request has begun to wait. */
  readonly waiting: Promise<void>;
  /** Lets every request that waits, and every later one, end. */
  release(): void;
};

/** A slow body: it trickles, byte by byte, until the test releases it. Its last byte never comes before. */
export function held(body: string | Uint8Array): Held {
  const bytes = Buffer.from(body);
  const arrival = signal();
  const freedom = signal();
  const reply: Reply = (_request, response) => {
    response.writeHead(200, { 'content-length': bytes.byteLength });
    response.flushHeaders();
    let sent = 0;
    const trickle = setInterval(() => {
      if (sent < bytes.byteLength - 1) response.write(bytes.subarray(sent, ++sent));
    }, 5);
    response.on('close', () => clearInterval(trickle));
    arrival.resolve();
    void freedom.promise.then(() => {
      clearInterval(trickle);
      response.end(bytes.subarray(sent));
    });
  };
  return Object.assign(reply, { waiting: arrival.promise, release: freedom.resolve });
}
