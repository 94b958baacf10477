/** The API reference for people, beside `/openapi.json` for machines. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** The page asks for the document and tries operations out: on this server, nowhere else. */
const DOCS_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const YEAR_S = 31_536_000;

export async function docsPage(app: FastifyInstance, { pagesDir }: { pagesDir: string }): Promise<void> {
  const root = path.join(pagesDir, 'docs');
  await app.register(fastifyStatic, {
    root,
    prefix: '/assets/docs/',
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, file) {
      // Bundles carry their hash in their name; the rest is asked for again.
      const isHashed = /-[\w-]{8}\.\w+(\.gz)?$/.test(file);
      void reply
        .header('cache-control', isHashed ? `public, max-age=${YEAR_S}, immutable` : 'public, max-age=0')
        .header('content-security-policy', DOCS_CSP);
    },
  });

  app.get('/docs', (_request, reply) => {
    if (!existsSync(path.join(root, 'index.html'))) {
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('The reference has not been built. Run "npm run build", or start with "npm start".\n');
    }
    return reply
      .header('content-security-policy', DOCS_CSP)
      .header('cache-control', 'no-cache')
      .sendFile('index.html', root, { cacheControl: false });
  });
}
