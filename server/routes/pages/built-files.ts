import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const YEAR_S = 31_536_000;
/** Bundles have a hash in their name; other files are revalidated. */
const HASHED = /-[\w-]{8}\.\w+(\.gz)?$/;

export type BuiltFiles = {
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
        .header('cache-control', HASHED.test(file) ? `public, max-age=${YEAR_S}, immutable` : 'no-cache')
        .header('content-security-policy', policy);
    },
  });
}
