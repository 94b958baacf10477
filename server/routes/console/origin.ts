/** Where a call of the console may come from: its own pages, under a name that is its own. */
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ConsoleError } from '../../services/errors.ts';
import { hostNameOf } from '../host-name.ts';

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;

/** Whether the other end is this machine. Behind a proxy nobody is. */
export function isLocal({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined;
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '');
}

/** Whether a listener on that address can be reached from this machine alone. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || LOOPBACK.test(host);

/**
 * Refuses calls under a foreign name: a page whose name is made to point here (DNS rebinding) would else be of the
 * console's own origin. Addresses cannot be made to point elsewhere, so any is good.
 * @param names further names that the console is reached by
 */
export function refuseForeignHosts(
  app: FastifyInstance,
  { host, names }: { host: string; names: readonly string[] },
): void {
  const own = new Set(['localhost', ...names.map((name) => name.toLowerCase())]);
  if (!isLoopbackHost(host)) for (const name of namesOfMachine()) own.add(name);
  app.addHook('onRequest', async (request) => {
    const name = hostNameOf(request.headers.host);
    if (name !== null && (isIP(name) !== 0 || own.has(name))) return;
    throw new ConsoleError('foreign_host');
  });
}

function namesOfMachine(): string[] {
  const name = hostname().toLowerCase();
  return [name, `${name}.local`];
}

/**
 * Refuses what another page sent: browsers say so. Programs say nothing, and have no cookie that could be misused.
 * @throws ConsoleError `foreign_origin`
 */
export function refuseForeignOrigin({ headers, protocol, method }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const isRead = method === 'GET' || method === 'HEAD';
  const isOwnSite = site === undefined || site === 'same-origin' || (site === 'none' && isRead);
  const { origin } = headers;
  const isOwnOrigin = origin === undefined || origin === `${protocol}://${headers.host ?? ''}`;
  if (isOwnSite && isOwnOrigin) return;
  throw new ConsoleError('foreign_origin');
}
