/** The browser SDK, its overview and its demo page, for organisers' pages on any origin. */
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** The demo acts as an organiser's page: its own script and styles, the API, and the hosted page in a frame. */
const DEMO_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGES = { '/sdk/': 'overview.html', '/sdk/demo': 'index.html' } as const;

/** Names have no hash, so that integrators can write them down: changes must arrive within minutes. */
const MAX_AGE_S = 300;

export async function sdkFiles(app: FastifyInstance, { pagesDir }: { pagesDir: string }): Promise<void> {
  const root = path.join(pagesDir, 'sdk');
  await app.register(fastifyStatic, {
    root,
    prefix: '/sdk/',
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, file) {
      // Its extension alone would mean a video (MPEG transport stream).
      if (file.endsWith('.d.ts')) void reply.type('text/plain; charset=utf-8');
      void reply
        .header('access-control-allow-origin', '*')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('cache-control', `public, max-age=${MAX_AGE_S}`);
    },
  });

  for (const [address, file] of Object.entries(PAGES)) {
    app.get(address, (_request, reply) =>
      reply
        .header('content-security-policy', DEMO_CSP)
        .header('cache-control', 'no-cache')
        .sendFile(file, root, { cacheControl: false }),
    );
  }
}
