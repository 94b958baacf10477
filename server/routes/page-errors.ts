/** Writes errors of pages to the log. Anyone may call this, so it returns nothing and accepts little. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MAX_PAGE_ERROR_BYTES, PAGE_ERRORS_PATH, PageErrorReport } from '../contract/page-errors.ts';
import { loggedError, loggedUserAgent, loggedVersion } from '../domain/page-error.ts';
import { placeOf } from '../domain/address.ts';
import type { RateLimit } from '../domain/rate-limits/window.ts';
import { countOrWait, limited } from '../services/rate-limits/rate-limits.ts';
import type { ServiceDeps } from './deps.ts';
import { acceptJsonBodies } from './json-bodies.ts';
import { neverStore } from './headers.ts';

const PER_ADDRESS = { limit: 10, windowMs: 60_000 };
/** Keeps many addresses together from filling the disk. */
const ALTOGETHER_LIMIT = { limit: 60, windowMs: 60_000 };
const ALTOGETHER = limited('page-errors', 'all', ALTOGETHER_LIMIT);

export async function pageErrorRoutes(
  scope: FastifyInstance,
  { deps }: { deps: Pick<ServiceDeps, 'clock' | 'db'> },
): Promise<void> {
  const logsUncounted = createWindow(ALTOGETHER_LIMIT);

  /** Reports matter most while the database fails, so this node then counts in memory. */
  async function isLogged(request: FastifyRequest): Promise<boolean> {
    const nowMs = deps.clock.now();
    const ofAddress = limited('page-errors-address', placeOf(request.ip), PER_ADDRESS);
    try {
      return (await countOrWait(deps.db, [ALTOGETHER, ofAddress], nowMs)) === null;
    } catch (error) {
      const isAllowed = logsUncounted(nowMs);
      if (isAllowed) request.log.warn({ err: error }, 'page errors could not be counted');
      return isAllowed;
    }
  }

  await scope.register(async (plain) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    acceptJsonBodies(app);
    app.addHook('onRequest', neverStore);
    app.post(
      PAGE_ERRORS_PATH,
      { bodyLimit: MAX_PAGE_ERROR_BYTES, schema: { body: PageErrorReport } },
      async (request, reply) => {
        if (await isLogged(request)) {
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

/** Allows a number of calls in each window, which starts with the first one. */
function createWindow({ limit, windowMs }: RateLimit): (nowMs: number) => boolean {
  let startedAt = -Infinity;
  let used = 0;
  return (nowMs) => {
    if (Math.abs(nowMs - startedAt) >= windowMs) {
      startedAt = nowMs;
      used = 0;
    }
    used += 1;
    return used <= limit;
  };
}
