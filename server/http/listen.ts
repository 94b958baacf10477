/** Opens the service’s listeners, with error messages for the operator, and closes them gracefully. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ConfigError } from '../data/errors.ts';
import { endConnections } from '../lifecycle/shutdown.ts';

/** Lets requests in progress finish, for as long as `endConnections` allows. */
export function closeGracefully(apps: readonly FastifyInstance[]): Promise<void> {
  return endConnections(
    apps.map(({ server }) => server),
    Promise.all(apps.map((app) => app.close())),
  );
}

/**
 * @param option of the command line that sets another port
 * @returns the address as a browser of this machine writes it
 * @throws ConfigError if the port or address is not available
 */
export async function listen(
  app: FastifyInstance,
  host: string,
  port: number,
  option: string,
): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenError(error, host, port, option);
  }
  const address = app.server.address() as AddressInfo;
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${address.port}`;
}

function listenError(error: unknown, host: string, port: number, option: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  switch (code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `Port ${port} on ${host} is in use by another program. Choose another with ${option}.`,
      );
    case 'EACCES':
      return new ConfigError(
        `Port ${port} is not available to this account. Choose a port above 1023 with ${option}.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(`${host} is not an address of this machine. Choose another with --host.`);
    default:
      return error;
  }
}

// Time limits for the connections of every listener, in milliseconds, with the names of `node:http`.

/** A complete request must arrive within this time, or a slow sender could hold a socket forever. */
const REQUEST_TIMEOUT_MS = 30_000;

export const LISTENER_LIMITS = {
  requestTimeout: REQUEST_TIMEOUT_MS,
  headersTimeout: REQUEST_TIMEOUT_MS,
  /** Interval between checks for overdue requests; a socket is held this much longer at most. */
  connectionsCheckingInterval: 5_000,
  /** Longer than common proxies keep connections, so that they never reuse a socket that is closing. */
  keepAliveTimeout: 72_000,
} as const;

/** Of one listener. Beyond it new ones are closed unanswered; within it all stay below the limits of the operating system. */
export const MAX_CONNECTIONS = 8_000;
