/** The plain listener of network mode: only for devices that have to trust the certificate. */
import { X509Certificate } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { LanguageOffer } from '../../contract/languages.ts';
import { TRUST_STYLE, trustLanguage, trustPage } from './page.ts';
import { appleProfile } from './profile.ts';

/** `certificate` is the authority's, as PEM. */
export type TrustShown = { certificate: string; fingerprint: string; origins: readonly string[] };

const CSP =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function trustRoutes(
  app: FastifyInstance,
  shown: () => TrustShown,
  offerNow: () => Promise<LanguageOffer>,
): void {
  const der = () => new X509Certificate(shown().certificate).raw;
  app.addHook('onSend', async (_request, reply) => {
    void reply
      .header('content-security-policy', CSP)
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer');
  });
  app.get<{ Querystring: { lang?: string } }>('/trust', async (request, reply) => {
    const { fingerprint, origins } = shown();
    const { lang } = request.query;
    const offer = await offerNow();
    const language = trustLanguage(
      offer,
      typeof lang === 'string' ? lang : undefined,
      request.headers['accept-language'],
    );
    const page = trustPage({ language, offered: offer.offered, fingerprint, origins });
    return reply.type('text/html; charset=utf-8').send(page);
  });
  app.get('/', (_request, reply) => reply.redirect('/trust', 302));
  app.get('/trust/style.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(TRUST_STYLE));
  app.get('/trust/gatehouse.crt', (_request, reply) => reply.type('application/x-x509-ca-cert').send(der()));
  app.get('/trust/gatehouse.mobileconfig', (_request, reply) =>
    reply.type('application/x-apple-aspen-config').send(appleProfile(der())),
  );
}
