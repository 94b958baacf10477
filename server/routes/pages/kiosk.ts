/** The kiosk's page and its files. */
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { builtFiles, CAMERA_CSP, surface } from './surface.ts';
import { readLanguageOffer } from '../../services/companies/languages.ts';
import type { HostedOptions, PageDeps } from './hosted.ts';

/** A kiosk's page must never be embedded. */
const KIOSK_CSP = [...CAMERA_CSP, "frame-ancestors 'none'"].join('; ');

export async function kioskPage(
  app: FastifyInstance,
  { pagesDir, deps }: Pick<HostedOptions, 'pagesDir'> & PageDeps,
): Promise<void> {
  const { sendPage } = await surface(app, {
    pagesDir,
    name: 'kiosk',
    policy: KIOSK_CSP,
    offer: () => readLanguageOffer(deps.db),
  });
  // The WebAssembly, 15 MB, is the same for both pages, so it is built once, with the hosted page.
  const root = path.join(pagesDir, 'hosted/vision');
  await builtFiles(app, { root, prefix: '/assets/kiosk/vision/', policy: KIOSK_CSP });
  app.get('/kiosk', (_request, reply) => sendPage(reply, KIOSK_CSP));
}
