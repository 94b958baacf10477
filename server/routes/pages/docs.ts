/** The API reference for people, and the guide as Markdown for tools; `/openapi.json` is for machines. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { builtFiles } from './surface.ts';

/** The page loads the document and tries out operations, only on this server. */
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

export async function docsPage(app: FastifyInstance, { pagesDir }: { pagesDir: string }): Promise<void> {
  const root = path.join(pagesDir, 'docs');
  await builtFiles(app, { root, prefix: '/assets/docs/', policy: DOCS_CSP });

  const guide = path.join(root, 'guide');
  const sendText = (reply: FastifyReply, file: string, type: string) =>
    existsSync(path.join(guide, file))
      ? reply
          .type(`${type}; charset=utf-8`)
          .header('cache-control', 'no-cache')
          .header('access-control-allow-origin', '*')
          .sendFile(file, guide, { cacheControl: false })
      : reply.code(404).send({ detail: 'not found' });
  app.get('/llms.txt', (_request, reply) => sendText(reply, 'llms.txt', 'text/plain'));
  app.get<{ Params: { page: string } }>('/docs/:page(^[a-z-]+$).md', ({ params }, reply) =>
    sendText(reply, `${params.page}.md`, 'text/markdown'),
  );

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
