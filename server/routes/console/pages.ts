/** The console's pages: one application with deep links, served with a policy that allows no foreign code. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../refusals/refusal.ts';
import { builtFiles } from '../pages/surface.ts';

/** Styles and scripts only from our own files; pictures of cases are blobs, QR codes data URLs. */
const CONSOLE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const NOT_BUILT = 'The pages are not built. Run "npm run build", or start with "npm start".\n';

/** Below these paths, a missing file is a 404. */
const NOT_PAGES = /^\/(console\/api|assets)(\/|$)/;

/** In a checkout without built pages, each address answers 503 with the command that builds them. */
export async function consolePages(app: FastifyInstance, { pagesDir }: { pagesDir: string }): Promise<void> {
  const root = path.join(pagesDir, 'console');
  await builtFiles(app, { root, prefix: '/assets/console/', policy: CONSOLE_CSP });

  app.get('/*', (request, reply) => {
    const { pathname } = new URL(request.url, 'http://console');
    if (NOT_PAGES.test(pathname)) throw new Refusal('not_found');
    if (!existsSync(path.join(root, 'index.html')))
      return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
    return reply
      .header('content-security-policy', CONSOLE_CSP)
      .header('permissions-policy', 'camera=(), microphone=(), geolocation=()')
      .header('cache-control', 'no-cache')
      .sendFile('index.html', root, { cacheControl: false });
  });
}
