import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  LIVE_BASELINE,
  LIVE_SIGNED_OUT,
  type ChangeVersions,
  type LiveEvent,
} from '../../contract/console/live.ts';
import type { Scope } from '../../domain/scope.ts';
import { companyScope } from '../../services/companies/companies.ts';
import type { ConsoleDeps } from '../../services/deps.ts';
import { ConsoleError } from '../../services/errors.ts';
import { resumeSession } from '../../services/operators/operator-session.ts';
import { HEARTBEAT_MS, openEventStream, writeEvents } from '../headers.ts';
import { sessionTokenOf } from './guard.ts';
import { system } from '../../contract/routes/console/system.ts';
import { register } from './register.ts';

/**
 * The tabs of one operator. Over HTTP/1.1 a browser opens six connections to a server for all its tabs together, and
 * their other calls need some of these. A page without a stream refreshes from time to time and tries again.
 */
const MAX_STREAMS_A_SESSION = 4;

/** Server-sent events of one company and partition. */
export function liveRoute(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'live' | 'unsavedActivity'>,
): void {
  const perSession = new Map<string, number>();

  register(app, deps, system.live, async ({ signedIn: { sessionId }, scope, request, reply }) => {
    const open = perSession.get(sessionId) ?? 0;
    if (open >= MAX_STREAMS_A_SESSION) {
      throw new ConsoleError('too_many_streams');
    }
    const stream = reply.raw;
    const notify = (event: LiveEvent) =>
      writeEvents(stream, `event: ${event.topic}\ndata: ${JSON.stringify(event)}\n\n`);
    const began = (versions: ChangeVersions) =>
      writeEvents(stream, `event: ${LIVE_BASELINE}\ndata: ${JSON.stringify(versions)}\n\n`);
    // Before the head is written, so that too many listeners can be refused with a status.
    const unlisten = deps.live.listen({ scope, notify, began, drained: () => void stream.end() });
    perSession.set(sessionId, open + 1);
    openEventStream(reply);
    writeEvents(stream, ': listening\n\n');
    // Also ends a stream soon after its session.
    const heartbeat = setInterval(() => {
      stillAllowed(request, scope).then(
        () => writeEvents(stream, ': still here\n\n'),
        () => {
          writeEvents(stream, `event: ${LIVE_SIGNED_OUT}\ndata: {}\n\n`);
          stream.end();
        },
      );
    }, HEARTBEAT_MS);
    stream.on('close', () => {
      clearInterval(heartbeat);
      unlisten();
      const left = (perSession.get(sessionId) ?? 1) - 1;
      if (left > 0) perSession.set(sessionId, left);
      else perSession.delete(sessionId);
    });
  });

  /** Whether the operator is signed in and may still see the company. */
  const stillAllowed = async (request: FastifyRequest, { companyId }: Scope) => {
    const { operator } = await resumeSession(deps, sessionTokenOf(request), { isActivity: false });
    await companyScope(deps.db, operator.id, { company_id: companyId });
  };
}
