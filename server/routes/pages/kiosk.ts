/** The kiosk's page and its files. */
import type { FastifyInstance } from 'fastify';
import type { HostedOptions } from './hosted.ts';
import { CAMERA_CSP, surface } from './surface.ts';

/** What a kiosk shows is never part of another page. */
const KIOSK_CSP = [...CAMERA_CSP, "frame-ancestors 'none'"].join('; ');

export async function kioskPage(
  app: FastifyInstance,
  { pagesDir }: Pick<HostedOptions, 'pagesDir'>,
): Promise<void> {
  const { sendPage } = await surface(app, { pagesDir, name: 'kiosk', policy: KIOSK_CSP });
  app.get('/kiosk', (_request, reply) => sendPage(reply, KIOSK_CSP));
}
