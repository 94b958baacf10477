import type { FastifyInstance } from 'fastify';
import type { ServiceDeps } from '../deps.ts';

/** Finders are told to look again after this time (RFC 9116 wants less than a year). */
const VALID_MS = 30 * 24 * 60 * 60_000;

export type SecurityTxtOptions = {
  /** Address for reports of vulnerabilities, as a URI; null: there is no such file. */
  securityContact: string | null;
};

/** `/.well-known/security.txt` (RFC 9116): whom to tell about a vulnerability of this installation. */
export async function securityTxtRoute(
  app: FastifyInstance,
  { securityContact, deps }: SecurityTxtOptions & { deps: Pick<ServiceDeps, 'clock'> },
): Promise<void> {
  if (securityContact === null) return;
  app.get('/.well-known/security.txt', (_request, reply) => {
    const expires = new Date(deps.clock.now() + VALID_MS).toISOString();
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send(`Contact: ${securityContact}\nExpires: ${expires}\nPreferred-Languages: en, de, es, fr\n`);
  });
}
