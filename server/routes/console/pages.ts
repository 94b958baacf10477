/** The console's pages: one application whose addresses are deep links, served with a policy that runs nothing foreign. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ConsoleError } from '../../services/errors.ts';
import { builtFiles } from '../pages/built-files.ts';

/** Styles and scripts are files of ours alone; pictures of cases come as blobs, QR codes as data. */
export const CONSOLE_CSP = [
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

/** Below these, what is not there is not there. */
const NOT_PAGES = /^\/(console\/api|assets)(\/|$)/;

/**
 * @param notBuilt answers where there are no built pages
 */
export async function consolePages(
  app: FastifyInstance,
  { pagesDir, notBuilt }: { pagesDir: string; notBuilt: (reply: FastifyReply) => FastifyReply },
): Promise<void> {
  const root = path.join(pagesDir, 'console');
  await builtFiles(app, { root, prefix: '/assets/console/', policy: CONSOLE_CSP });

  app.get('/*', (request, reply) => {
    const { pathname } = new URL(request.url, 'http://console');
    if (NOT_PAGES.test(pathname)) throw new ConsoleError('not_found');
    if (!existsSync(path.join(root, 'index.html'))) return notBuilt(reply);
    return reply
      .header('content-security-policy', CONSOLE_CSP)
      .header('permissions-policy', 'camera=(), microphone=(), geolocation=()')
      .header('cache-control', 'no-cache')
      .sendFile('index.html', root, { cacheControl: false });
  });
}
