/** The browser SDK, both SDKs as npm packages, the overview and its demo page, for organisers' pages on any origin. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** The demo acts as an organiser's page: its own script, styles and font, the API, and the hosted page in a frame. */
const DEMO_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Of the page that is put on a shop: it contains its script and styles, and calls the address that is typed into it. */
function reachCsp(html: string): string {
  const [script, style] = ['script', 'style'].map((tag) => {
    const text = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html)?.[1] ?? '';
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  });
  return [
    "default-src 'none'",
    `script-src ${script}`,
    `style-src ${style}`,
    'connect-src http: https:',
    'frame-src http: https:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

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

  app.get('/sdk/reach', async (_request, reply) =>
    reply
      .header('content-security-policy', reachCsp(await readFile(path.join(root, 'reach.html'), 'utf8')))
      .header('cache-control', 'no-cache')
      .sendFile('reach.html', root, { cacheControl: false }),
  );
  for (const [address, file] of Object.entries(PAGES)) {
    app.get(address, (_request, reply) =>
      reply
        .header('content-security-policy', DEMO_CSP)
        .header('cache-control', 'no-cache')
        .sendFile(file, root, { cacheControl: false }),
    );
  }
}
