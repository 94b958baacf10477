import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Where pages with a camera may load from: this server alone. MediaPipe's WebAssembly needs `wasm-unsafe-eval`. */
export const HOSTED_CSP = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];

/** A run may be shown in an organiser's page (decisions §6, embedded). */
const RUN_CSP = [...HOSTED_CSP, 'frame-ancestors *'].join('; ');
/** A person's own page has an erase button and is never shown in another's. */
const OWN_PAGE_CSP = [...HOSTED_CSP, "frame-ancestors 'none'"].join('; ');

const YEAR_S = 31_536_000;
const LANDMARKER_FILE = 'face_landmarker.task';

export type HostedOptions = { pagesDir: string; modelDir: string };

/** The person's page, its files, and the landmark model that it coaches with. */
export async function hostedPages(
  app: FastifyInstance,
  { pagesDir, modelDir }: HostedOptions,
): Promise<void> {
  const root = path.join(pagesDir, 'hosted');
  await app.register(fastifyStatic, {
    root,
    prefix: '/assets/hosted/',
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
      void reply.header('content-security-policy', RUN_CSP);
    },
  });

  for (const path of ['/verification', '/invite/:code', '/v/:id', '/connect', '/connect/direct']) {
    app.get(path, (_request, reply) => sendPage(reply, RUN_CSP));
  }
  app.get('/my', (_request, reply) => sendPage(reply, OWN_PAGE_CSP));

  app.get(`/assets/models/${LANDMARKER_FILE}`, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').sendFile(LANDMARKER_FILE, modelDir),
  );

  function sendPage(reply: FastifyReply, policy: string): FastifyReply {
    if (!existsSync(path.join(root, 'index.html'))) {
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('The pages have not been built. Run "npm run build", or start with "npm start".\n');
    }
    return reply
      .header('content-security-policy', policy)
      .header('permissions-policy', 'camera=(self), microphone=(), geolocation=()')
      .header('cache-control', 'no-cache')
      .sendFile('index.html', root, { cacheControl: false });
  }
}
