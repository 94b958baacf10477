/** The guide and the reference for people, and as Markdown for tools; `/openapi.json` is for machines. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { builtFiles } from './surface.ts';

/** A page loads the texts of its search and tries out an operation, only on this server. */
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
    reply
      .type(`${type}; charset=utf-8`)
      .header('cache-control', 'no-cache')
      .header('access-control-allow-origin', '*')
      .sendFile(file, guide, { cacheControl: false });
  const sendPage = (reply: FastifyReply, file: string, folder: string) =>
    reply
      .header('content-security-policy', DOCS_CSP)
      .header('cache-control', 'no-cache')
      .sendFile(file, folder, { cacheControl: false });
  const notFound = (reply: FastifyReply) => reply.code(404).send({ detail: 'not found' });

  app.get('/llms.txt', (_request, reply) =>
    existsSync(path.join(guide, 'llms.txt')) ? sendText(reply, 'llms.txt', 'text/plain') : notFound(reply),
  );
  app.get('/docs', (_request, reply) => {
    if (!existsSync(path.join(root, 'index.html'))) {
      return reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('The reference has not been built. Run "npm run build", or start with "npm start".\n');
    }
    return sendPage(reply, 'index.html', root);
  });
  app.get<{ Params: { '*': string } }>('/docs/*', ({ params }, reply) => {
    const [, name, markdown] = /^([a-z0-9]+(?:[/-][a-z0-9]+)*)(\.md)?$/.exec(params['*']) ?? [];
    const file = `${name ?? ''}${markdown ?? '.html'}`;
    if (name === undefined || !existsSync(path.join(guide, file))) return notFound(reply);
    return markdown === undefined ? sendPage(reply, file, guide) : sendText(reply, file, 'text/markdown');
  });
}
