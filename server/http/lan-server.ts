/** One listener on all addresses of this machine, with TLS or plain, that forwards its requests to an application. */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { type AddressInfo, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { endConnections } from '../lifecycle/shutdown.ts';
import { hostNameOf } from '../routes/headers.ts';
import { LISTENER_LIMITS, MAX_CONNECTIONS } from './listen.ts';
import { acceptOnlyCaptures } from './upgrades.ts';
import type { KeptCertificate } from '../services/network/authority.ts';

export type LanServer = {
  port: number;
  /** New connections get the new certificate; open ones keep the old one. */
  use(certificate: KeptCertificate): void;
  /** Stops accepting, and lets requests in progress finish for as long as `endConnections` allows. */
  close(): Promise<void>;
};

const contextOf = ({ certificate, key }: KeptCertificate) => ({
  cert: certificate,
  key,
  minVersion: 'TLSv1.2' as const,
});

/** A year, as ASVS asks. Browsers ignore it where they do not trust the certificate. */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000';

/** This machine's console and others' programs stay reachable without TLS as localhost. */
const isOwnName = (host: string | undefined): boolean => {
  const name = hostNameOf(host);
  return name !== null && name !== 'localhost' && isIP(name) === 0;
};

/** Headers that proxies add. There is no proxy in front of this listener, so a caller must have written them. */
const FORWARDING_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'] as const;

/**
 * @param believesProxies false if callers connect directly: the application, which may trust a proxy in front of its
 * other listener, does not see forwarding headers
 * @throws as `listen` does, if the port is not available
 */
export async function openTls(
  app: FastifyInstance,
  port: number,
  certificate: KeptCertificate,
  { believesProxies = true } = {},
): Promise<LanServer> {
  const asSent = (request: http.IncomingMessage) => {
    if (!believesProxies)
      for (const name of FORWARDING_HEADERS) Reflect.deleteProperty(request.headers, name);
    return request;
  };
  const server = https.createServer(
    { ...LISTENER_LIMITS, ...contextOf(certificate) },
    (request, response) => {
      if (isOwnName(request.headers.host))
        response.setHeader('strict-transport-security', STRICT_TRANSPORT_SECURITY);
      app.routing(asSent(request), response);
    },
  );
  const upgraded = new Set<Duplex>();
  acceptOnlyCaptures(server, (request, socket, head) => {
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
    return app.captureUpgrades.emit('upgrade', asSent(request), socket, head);
  });
  return opened(server, upgraded, port, (next) => server.setSecureContext(contextOf(next)));
}

/** @throws as `openTls` */
export async function openPlain(app: FastifyInstance, port: number): Promise<LanServer> {
  const server = http.createServer(LISTENER_LIMITS, (request, response) => {
    app.routing(request, response);
  });
  acceptOnlyCaptures(server, () => false);
  return opened(server, new Set(), port, () => undefined);
}

async function opened(
  server: http.Server | https.Server,
  upgraded: ReadonlySet<Duplex>,
  port: number,
  use: LanServer['use'],
): Promise<LanServer> {
  server.maxConnections = MAX_CONNECTIONS;
  // Without a host, Node listens on every address, including IPv6 if the machine has it.
  server.listen(port);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    use,
    close() {
      const closed = once(server, 'close');
      server.close();
      // The server waits for WebSockets but does not close them. A page resumes its capture on another connection.
      for (const socket of upgraded) socket.destroy();
      return endConnections([server], closed);
    },
  };
}
