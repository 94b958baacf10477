import type { FastifyInstance, FastifyRequest } from 'fastify';
import { COMPANY_GONE_EVENT, SIGNED_OUT_EVENT } from '../../contract/console/changes.ts';
import type { Scope } from '../../domain/scope.ts';
import { listCompaniesOf } from '../../services/companies/companies.ts';
import { Refusal } from '../../refusals/refusal.ts';
import type { ConsoleDeps } from '../deps.ts';
import { followChanges, INSTALLATION } from '../../services/changes/changes.ts';
import { resumeSession } from '../../services/operators/operator-session.ts';
import { openEventStream } from '../event-streams.ts';
import { sessionTokenOf } from './guard.ts';
import { system } from '../../contract/routes/console/system.ts';
import { register } from './register.ts';

/** Server-sent events of one company and partition. */
export function changesRoute(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'events' | 'health' | 'maintenance' | 'unsavedActivity'>,
): void {
  register(app, deps, system.changes, async ({ signedIn, scope, query, request, reply }) => {
    const { sessionId, isLimited, operator } = signedIn;
    const audited = isLimited
      ? (await listCompaniesOf(deps.db, operator.id)).map(({ company_id: id }) => id)
      : undefined;
    // A page without a stream refreshes from time to time and tries again. A browser opens six connections to a server for
    // all its tabs together; this leaves some for other calls.
    const stream = openEventStream(request, reply, { holder: sessionId, whenFull: 'refused' });
    const write = (event: string) => stream.write(`event: ${event}\ndata: {}\n\n`);
    stream.onEnd(followChanges(deps, { companyId: scope.companyId, audited, page: query.page }, write));
    stream.onEnd(deps.events.onDrain(() => stream.end()));
    stream.begin();
    stream.write(': listening\n\n');
    // Signing out, and what an operator may see, is recorded; a session that nobody uses ends by the clock.
    const look = () => {
      endOf(request, scope).then(
        (end) => {
          if (end === null) stream.write(': still here\n\n');
          else {
            write(end);
            stream.end();
          }
        },
        () => stream.end(),
      );
    };
    stream.onEnd(deps.db.follow('audit', look, INSTALLATION));
  });

  /** Why the stream ends; null while the operator is signed in and may see the company. @throws StoreError */
  const endOf = async (request: FastifyRequest, { companyId }: Scope) => {
    try {
      const { operator } = await resumeSession(deps, sessionTokenOf(request), { isActivity: false });
      const visible = await listCompaniesOf(deps.db, operator.id);
      return visible.some(({ company_id }) => company_id === companyId) ? null : COMPANY_GONE_EVENT;
    } catch (error) {
      // A database that is away for a moment signs nobody out: the page connects again.
      if (!(error instanceof Refusal)) throw error;
      return SIGNED_OUT_EVENT;
    }
  };
}
