import type { FastifyInstance } from 'fastify';
import type { ServiceDeps } from '../../services/deps.ts';
import { readLanguageOffer } from '../../services/languages.ts';
import { CAMERA_CSP, surface } from './surface.ts';

/** A run may be shown in an organiser's page (decisions §6, embedded). */
const RUN_CSP = [...CAMERA_CSP, 'frame-ancestors *'].join('; ');
/** A person's own page has an erase button and is never shown in another's. */
const OWN_PAGE_CSP = [...CAMERA_CSP, "frame-ancestors 'none'"].join('; ');

const LANDMARKER_FILE = 'face_landmarker.task';

export type HostedOptions = { pagesDir: string; modelDir: string };
export type PageDeps = { deps: Pick<ServiceDeps, 'db'> };

/** The person's page, its files, and the landmark model that it coaches with. */
export async function hostedPages(
  app: FastifyInstance,
  { pagesDir, modelDir, deps }: HostedOptions & PageDeps,
): Promise<void> {
  const { sendPage } = await surface(app, {
    pagesDir,
    name: 'hosted',
    policy: RUN_CSP,
    offer: () => readLanguageOffer(deps.db),
  });
  for (const address of ['/verification', '/invite/:code', '/v/:id', '/connect', '/connect/direct']) {
    app.get(address, (_request, reply) => sendPage(reply, RUN_CSP));
  }
  app.get('/my', (_request, reply) => sendPage(reply, OWN_PAGE_CSP));

  app.get(`/assets/models/${LANDMARKER_FILE}`, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').sendFile(LANDMARKER_FILE, modelDir),
  );
}
