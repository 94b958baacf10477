/** Built pages with a camera: their files and their only document, each with its own policy. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import fastifyStatic from '@fastify/static';
import { FOREVER } from '../headers.ts';
import { LANGUAGE_META, languageFor, type LanguageOffer } from '../../contract/languages.ts';

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

type SurfaceOptions = {
  pagesDir: string;
  /** Name of the folder of its built files, and of their path. */
  name: string;
  /** Content security policy of the files; worker scripts take theirs from their own response. */
  policy: string;
  /** The languages currently offered to guests. */
  offer: () => Promise<LanguageOffer>;
};

/** @param facts for the page's script in `<meta>` tags, by name */
type SendPage = (
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

/** Bundles have a hash in their name; other files are revalidated. */
const HASHED = /-[\w-]{8}\.\w+(\.gz)?$/;

type BuiltFiles = {
  /** Folder of the files. */
  root: string;
  /** Prefix of their addresses, with a trailing slash. */
  prefix: string;
  /** Content security policy of the files; worker scripts take theirs from their own response. */
  policy: string;
};

/** Serves the files that the build wrote into a folder, compressed if the build provides that. */
export async function builtFiles(app: FastifyInstance, { root, prefix, policy }: BuiltFiles): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    prefix,
    index: false,
    // A page may have several folders.
    decorateReply: !app.hasReplyDecorator('sendFile'),
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, file) {
      void reply
        .header('cache-control', HASHED.test(file) ? FOREVER : 'no-cache')
        .header('content-security-policy', policy);
    },
  });
}

// Writes the offered languages into a guest's page, so that it knows them before it shows its first word.

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;' };
const escaped = (text: string): string => text.replace(/[&"<]/g, (character) => ESCAPES[character] ?? '');
const meta = (name: string, content: string): string =>
  `<meta name="${name}" content="${escaped(content)}" />`;

const CATALOGUE_LINK = /<link [^>]*data-catalogue="(\w+)"[^>]*>/g;

/**
 * The built document with the offered languages and more facts by name. Of its links to catalogues, only those of the
 * page’s first language stay.
 * @param wishes value of the request’s Accept-Language
 */
export function withLanguages(
  document: string,
  { offered, default_language }: LanguageOffer,
  wishes = '',
  facts: Readonly<Record<string, string>> = {},
): string {
  const said = [
    meta(LANGUAGE_META.offered, offered.join(' ')),
    meta(LANGUAGE_META.defaultLanguage, default_language),
    ...Object.entries(facts).map(([name, content]) => meta(name, content)),
  ];
  const language = languageFor({ offered, default_language }, wishes.split(','));
  return document
    .replaceAll(CATALOGUE_LINK, (link, of: string) => (of === language ? link : ''))
    .replace('<head>', `<head>\n    ${said.join('\n    ')}`);
}
