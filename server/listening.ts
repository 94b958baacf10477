/** Opens the service's doors, with words for the operator where one cannot be opened, and shuts them gently. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ConfigError } from './config.ts';

/** While closing, how often connections are looked at for having fallen idle. */
const IDLE_SWEEP_MS = 100;

/** Lets requests under way finish; connections that were busy then are closed as they fall idle, not kept alive. */
export async function closeGracefully(apps: readonly FastifyInstance[]): Promise<void> {
  const sweep = setInterval(() => {
    for (const { server } of apps) server.closeIdleConnections();
  }, IDLE_SWEEP_MS);
  try {
    await Promise.all(apps.map((app) => app.close()));
  } finally {
    clearInterval(sweep);
  }
}

/**
 * @param option of the command line, which says another port
 * @returns the address as a browser of this machine writes it
 * @throws ConfigError where the port or address cannot be had
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
        `Port ${port} may not be used by this account. Choose one above 1023 with ${option}.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(`This machine has no address ${host}. Choose another with --host.`);
    default:
      return error;
  }
}
