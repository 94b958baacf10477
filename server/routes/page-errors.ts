/** Errors of pages, written to the log. Anyone may call this, so it answers nothing and accepts little. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { MAX_PAGE_ERROR_BYTES, PAGE_ERRORS_PATH, PageErrorReport } from '../contract/page-errors.ts';
import { loggedError, loggedUserAgent, loggedVersion } from '../domain/page-error.ts';
import { placeOf } from '../domain/address.ts';
import { countOrWait, limited } from '../services/rate-limits.ts';
import type { ServiceDeps } from '../services/deps.ts';
import { acceptJsonBodies } from './json-bodies.ts';
import { neverStore } from './never-store.ts';

const PER_ADDRESS = { limit: 10, windowMs: 60_000 };
/** So that many addresses together cannot fill the disk either. */
const ALTOGETHER = limited('page-errors', 'all', { limit: 60, windowMs: 60_000 });

export async function pageErrorRoutes(
  scope: FastifyInstance,
  { deps }: { deps: Pick<ServiceDeps, 'clock' | 'db'> },
): Promise<void> {
  await scope.register(async (plain) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    acceptJsonBodies(app);
    app.addHook('onRequest', neverStore);
    app.post(
      PAGE_ERRORS_PATH,
      { bodyLimit: MAX_PAGE_ERROR_BYTES, schema: { body: PageErrorReport } },
      async (request, reply) => {
        const ofAddress = limited('page-errors-address', placeOf(request.ip), PER_ADDRESS);
        if ((await countOrWait(deps.db, [ALTOGETHER, ofAddress], deps.clock.now())) === null) {
          const { page, kind, version, ...error } = request.body;
          request.log.warn(
            {
              page,
              kind,
              version: loggedVersion(version),
              user_agent: loggedUserAgent(request.headers['user-agent']),
              error: loggedError(error),
            },
            'page error',
          );
        }
        return reply.code(204).send();
      },
    );
  });
}
