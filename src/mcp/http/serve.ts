/** Serving MCP over HTTP: where it listens, under which names, and how it ends. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { type Failure, plainFailure } from '../../errors.js';
import type { Workspace } from '../../workspace.js';
import { type DoorOptions, openDoor } from './door.js';
import { checkOrigins, hostNames, inUrl, isLoopback } from './gate.js';

export type HttpOptions = Omit<DoorOptions, 'allowAnonymous'> & {
  host: string;
  port: number;
  allowHosts: readonly string[];
  allowOrigins: readonly string[];
  requireToken: boolean;
  /** How long a client may take to send the head and the whole of a request. */
  headersTimeoutMs?: number;
  requestTimeoutMs?: number;
  /** How long calls may run on after the end was asked for. */
  graceMs?: number;
};

export type HttpServer = {
  /** Where clients connect to. */
  readonly url: string;
  /** Whether every client needs a token. */
  readonly tokenNeeded: boolean;
  /** Takes no more requests, finishes running calls, and ends. */
  close(): Promise<void>;
};

export async function serveHttp(workspace: Workspace, options: HttpOptions): Promise<HttpServer> {
  const server = createServer({
    headersTimeout: options.headersTimeoutMs ?? 15_000,
    requestTimeout: options.requestTimeoutMs ?? 60_000,
    connectionsCheckingInterval: Math.min(2000, options.headersTimeoutMs ?? 2000),
    keepAliveTimeout: 30_000,
  });
  const origins = checkOrigins(options.allowOrigins);
  const { address, port } = await listen(server, options);
  const tokenNeeded = options.requireToken || !isLoopback(address);
  const gate = { hosts: hostNames(address, [options.host, ...options.allowHosts], machineNames()), origins };
  const door = openDoor(workspace, { ...options, allowAnonymous: !tokenNeeded }, gate);
  // Such as too many open files: the server goes on when some are closed.
  server.on('error', (error) => options.onError?.(error));
  server.on('request', (request, response) => void door.take(request, response));
  return {
    url: `http://${inUrl(address === '0.0.0.0' || address === '::' ? 'localhost' : address)}:${port}/mcp`,
    tokenNeeded,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      await door.close(options.graceMs ?? 30_000);
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Every name and address by which other machines may know this one. */
const machineNames = (): string[] => [
  os.hostname(),
  ...Object.values(os.networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address)),
];

function listen(server: Server, { host, port }: HttpOptions): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)));
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}

function cannotListen({ code, message }: NodeJS.ErrnoException, host: string, port: number): Failure {
  if (code === 'EADDRINUSE') {
    return plainFailure('invalid_argument', `Port ${port} of ${host} is taken by another program`).advise(
      'Name another with --port, or --port 0 for any that is free.',
    );
  }
  return plainFailure('invalid_argument', `Cannot listen on ${host}, port ${port}: ${message}`).advise(
    'Name an address of this machine with --host, and a port you may use with --port.',
  );
}
