/** Where a call of the console may come from: its own pages, under a host name of its own. */
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RelyingParty } from '../../services/operators/webauthn.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { hostNameOf } from '../headers.ts';

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;

/** Whether the caller is on this machine. Always false behind a proxy. */
export function isLocal({ socket, headers }: Pick<FastifyRequest, 'socket' | 'headers'>): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined;
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '');
}

/** Whether only this machine can reach a listener on that address. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || LOOPBACK.test(host);

/**
 * Refuses calls under a foreign host name. Otherwise a page whose name is made to resolve to this address (DNS
 * rebinding) would have the console's own origin. Addresses cannot be redirected, so any is accepted.
 * @param names additional names of the console
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
    throw new Refusal('foreign_host');
  });
}

/**
 * Under which name passkeys of this browser are: browsers take no IP address, and want HTTPS or this very machine. The
 * name is one of the console's own (`refuseForeignHosts`).
 */
export function relyingPartyOf({ headers, protocol }: FastifyRequest): RelyingParty {
  const id = hostNameOf(headers.host);
  if (id === null || isIP(id) !== 0) return null;
  if (protocol !== 'https' && id !== 'localhost') return null;
  return { id, origin: `${protocol}://${headers.host ?? ''}` };
}

function namesOfMachine(): string[] {
  const name = hostname().toLowerCase();
  return [name, `${name}.local`];
}

/**
 * Refuses requests that a page of another site sent, as browsers report. Programs report nothing, and have no cookie
 * that could be misused.
 * @throws Refusal `foreign_origin`
 */
export function refuseForeignOrigin({ headers, protocol, method }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const isRead = method === 'GET' || method === 'HEAD';
  const isOwnSite = site === undefined || site === 'same-origin' || (site === 'none' && isRead);
  const { origin } = headers;
  const isOwnOrigin = origin === undefined || origin === `${protocol}://${headers.host ?? ''}`;
  if (isOwnSite && isOwnOrigin) return;
  throw new Refusal('foreign_origin');
}
