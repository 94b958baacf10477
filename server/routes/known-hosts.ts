/** If a public address is set, requests under a name that is not this server's are refused. */
import { hostname, networkInterfaces } from 'node:os';
import type { FastifyInstance } from 'fastify';
import { ownSubjects } from '../services/network/service.ts';
import { isConnectPath } from '../refusals/connect.ts';
import { hostNameOf } from './headers.ts';
import { isLoopbackHost } from './console/origin.ts';

/** Load balancers query health by any address, or without a name. */
const HEALTH: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
const MISDIRECTED = 421;

export type KnownHosts = {
  /** Advertised origin. Without one every name is accepted. */
  publicUrl: string | null;
  /** Additional names and addresses, such as a proxy's name for this server. */
  publicNames: readonly string[];
};

/**
 * Accepts the public address, the additional names, loopback, and this machine's own names and addresses on its
 * networks, which network mode uses. Ports are not compared, because a proxy may have another.
 */
export function refuseUnknownHosts(app: FastifyInstance, { publicUrl, publicNames }: KnownHosts): void {
  if (publicUrl === null) return;
  const named = new Set([publicUrl, ...publicNames.map((name) => `http://${name}`)].map(nameIn));
  const reason =
    `This server does not accept this host name. Open it at ${publicUrl}, ` +
    'or add the name to GATEHOUSE_PUBLIC_NAMES.';
  app.addHook('onRequest', async (request, reply) => {
    const name = hostNameOf(request.headers.host);
    if (name !== null && (named.has(name) || isLoopbackHost(name) || namesOfMachine().has(name))) return;
    if (HEALTH.has(request.routeOptions.url ?? '')) return;
    const body = isConnectPath(request.url)
      ? { status: 'failure', failure_code: 'INVALID_REQUEST', failure_reason: reason }
      : { detail: 'unknown_host', reason };
    await reply.code(MISDIRECTED).header('cache-control', 'no-store').send(body);
  });
}

const nameIn = (address: string): string | null =>
  hostNameOf(address.replace(/^https?:\/\//, '').split('/')[0]);

/** Called again for each unknown name, because a laptop can change networks. */
function namesOfMachine(): ReadonlySet<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return new Set([
    hostname().toLowerCase(),
    ...ownSubjects().names,
    ...addresses.map(({ address }) => address.toLowerCase()),
  ]);
}
