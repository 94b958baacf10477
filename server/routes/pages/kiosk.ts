/** The kiosk's page and its files. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { HOSTED_CSP, type HostedOptions } from './hosted.ts';

/** What a kiosk shows is never part of another page. */
const KIOSK_CSP = [...HOSTED_CSP, "frame-ancestors 'none'"].join('; ');
const YEAR_S = 31_536_000;

export async function kioskPage(
  app: FastifyInstance,
  { pagesDir }: Pick<HostedOptions, 'pagesDir'>,
): Promise<void> {
  const root = path.join(pagesDir, 'kiosk');
  await app.register(fastifyStatic, {
    root,
    prefix: '/assets/kiosk/',
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, file) {
      // Bundles carry their hash in their name; the rest is asked for again.
      const isHashed = /-[\w-]{8}\.\w+(\.gz)?$/.test(file);
      void reply.header(
        'cache-control',
        isHashed ? `public, max-age=${YEAR_S}, immutable` : 'public, max-age=0',
      );
      // Worker scripts take their policy from their own response.
      void reply.header('content-security-policy', KIOSK_CSP);
    },
  });

  app.get('/kiosk', (_request, reply) => {
    if (!existsSync(path.join(root, 'index.html'))) {
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('The pages have not been built. Run "npm run build", or start with "npm start".\n');
    }
    return reply
      .header('content-security-policy', KIOSK_CSP)
      .header('permissions-policy', 'camera=(self), microphone=(), geolocation=()')
      .header('cache-control', 'no-cache')
      .sendFile('index.html', root, { cacheControl: false });
  });
}
