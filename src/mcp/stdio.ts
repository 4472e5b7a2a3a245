/** Serving MCP on standard input and output, for both eras of the protocol. */
import { PassThrough } from 'node:stream';
import type { JSONRPCMessage, McpServerFactory } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { plainFailure } from '../errors.js';
import type { Session } from '../workspace.js';
import { mcpServer } from './server.js';

/** Larger than any input that a tool takes, so that an oversized call gets an answer and not a closed pipe. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Serves until the input ends and every request that was read before that is answered. */
export function serveOnStdio(session: Session): Promise<void> {
  return new Promise((resolve, reject) => {
    const input = new PassThrough();
    const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
    let startNotices = () => {};
    const open = trackRequests(
      transport,
      () => input.end(),
      () => startNotices(),
    );
    // An open input would keep the process alive after the answer to a signal.
    const stop = () => {
      process.stdin.destroy();
      void handle.close().then(resolve);
    };
    const onListen = (start: () => void) => {
      startNotices = start;
    };
    const serve: McpServerFactory = ({ era }) =>
      mcpServer(session, era === 'modern' ? { kind: 'listen', onListen } : { kind: 'subscribe' });
    const handle = serveStdio(serve, {
      transport,
      onerror: (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') process.stderr.write(`${error.message}\n`);
      },
    });

    const line = lineLength();
    process.stdin.on('data', (chunk: Buffer) => {
      if (line.after(chunk) <= MAX_MESSAGE_BYTES) return input.write(chunk);
      process.stdin.destroy();
      reject(tooLong);
    });
    process.stdin.once('end', () => {
      // A last request without a line end is a request too.
      if (line.length() > 0) input.write('\n');
      open.endWhenAnswered();
    });
    // Who no longer reads the answers has gone, and that is no error.
    process.stdout.on('error', stop);
    // The SDK listens once for each answer that waits for room.
    process.stdout.setMaxListeners(0);
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    input.once('close', () => resolve());
  });
}

const tooLong = plainFailure('invalid_argument', `A message is longer than ${MAX_MESSAGE_BYTES} bytes`).advise(
  'Send less in one message, and start the server again.',
);

/** How long the line is that is being read. */
function lineLength() {
  let length = 0;
  return {
    length: () => length,
    after(chunk: Buffer): number {
      const lastEnd = chunk.lastIndexOf('\n');
      length = lastEnd < 0 ? length + chunk.length : chunk.length - lastEnd - 1;
      return length;
    },
  };
}

type RequestId = string | number;

/**
 * Watches which requests are open. The SDK drops them when its input ends; a client that pipes
 * in a few requests and closes the pipe still waits for the answers.
 */
function trackRequests(transport: StdioServerTransport, end: () => void, onListen: () => void) {
  const open = new Set<RequestId>();
  let ending = false;
  const endIfDone = () => {
    if (ending && open.size === 0) end();
  };
  const settle = (id: unknown) => {
    open.delete(id as RequestId);
    setImmediate(endIfDone);
  };

  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if ('id' in message && !('method' in message)) settle(message.id);
  };
  const start = transport.start.bind(transport);
  transport.start = () => {
    const deliver = transport.onmessage;
    transport.onmessage = (message: JSONRPCMessage) => {
      // Who listens waits for no answer: it ends with the connection.
      const listens = 'method' in message && message.method === 'subscriptions/listen';
      if (listens) setImmediate(onListen);
      else if ('method' in message && 'id' in message) open.add(message.id);
      if ('method' in message && message.method === 'notifications/cancelled') {
        settle((message.params as { requestId?: unknown } | undefined)?.requestId);
      }
      deliver?.(message);
    };
    return start();
  };
  return {
    endWhenAnswered() {
      ending = true;
      setImmediate(endIfDone);
    },
  };
}
