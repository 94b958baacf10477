/** Built pages with a camera: their files and their only document, each with its own policy. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { builtFiles } from './built-files.ts';
import type { LanguageOffer } from '../../contract/languages.ts';
import { withLanguages } from './languages.ts';

/** Pages with a camera may load only from this server. MediaPipe's WebAssembly needs `wasm-unsafe-eval`. */
export const CAMERA_CSP = [
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

export type SurfaceOptions = {
  pagesDir: string;
  /** Name of the folder of its built files, and of their path. */
  name: string;
  /** Content security policy of the files; worker scripts take theirs from their own response. */
  policy: string;
  /** The languages currently offered to guests. */
  offer: () => Promise<LanguageOffer>;
};

/** @param facts for the page's script in `<meta>` tags, by name */
export type SendPage = (
  reply: FastifyReply,
  policy: string,
  facts?: Readonly<Record<string, string>>,
) => Promise<FastifyReply>;

/** Serves a surface's files below `/assets/<name>/`, and returns a function that answers with its document. */
export async function surface(
  app: FastifyInstance,
  { pagesDir, name, policy, offer }: SurfaceOptions,
): Promise<{ sendPage: SendPage }> {
  const root = path.join(pagesDir, name);
  await builtFiles(app, { root, prefix: `/assets/${name}/`, policy });
  return {
    async sendPage(reply, pagePolicy, facts) {
      const document = await readFile(path.join(root, 'index.html'), 'utf8').catch(() => null);
      if (document === null) {
        return reply
          .code(503)
          .type('text/plain; charset=utf-8')
          .send('The pages have not been built. Run "npm run build", or start with "npm start".\n');
      }
      return reply
        .header('content-security-policy', pagePolicy)
        .header('permissions-policy', 'camera=(self), microphone=(), geolocation=()')
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(withLanguages(document, await offer(), reply.request.headers['accept-language'], facts));
    },
  };
}
