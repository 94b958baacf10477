import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { sessions } from '../../contract/routes/console/sessions.ts';
import type { ConsoleDeps } from '../deps.ts';
import { overrideSession, setSessionLock } from '../../services/passes/actions.ts';
import { readSessionDetail } from '../../services/passes/detail.ts';
import { exportSessions, listSessionItems, listVerificationChoices } from '../../services/passes/list.ts';
import { cancelStuckSession, reopenStuckSession } from '../../services/runs/stuck-sessions.ts';
import { type ConsoleCall, register } from './register.ts';

/** Sessions and passes: staff see and release them, reviewers lock, admins override. */
export function sessionRoutes(app: FastifyInstance, deps: Pick<ConsoleDeps, 'db' | 'clock'>): void {
  register(app, deps, sessions.list, ({ scope, query, signedIn }) =>
    listSessionItems(deps, scope, query, signedIn.operator.role),
  );
  register(
    app,
    deps,
    sessions.export,
    async ({ scope, query: { language = 'en', ...query }, actor, signedIn, reply }) => {
      const { role } = signedIn.operator;
      const lines = await exportSessions(deps, scope, query, { actor, role, language });
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="gatehouse-sessions-${scope.partition}.csv"`)
        .send(Readable.from(lines));
    },
  );
  register(app, deps, sessions.verifications, ({ scope }) => listVerificationChoices(deps.db, scope));
  register(app, deps, sessions.read, ({ scope, params, signedIn }) =>
    readSessionDetail(deps, scope, params.session_id, signedIn.operator.role),
  );

  /** Answers a completed change with the session's new state. */
  const changed = async (
    { scope, params, signedIn }: Pick<ConsoleCall<typeof sessions.read>, 'scope' | 'params' | 'signedIn'>,
    change: Promise<unknown>,
  ) => {
    await change;
    return readSessionDetail(deps, scope, params.session_id, signedIn.operator.role);
  };
  register(app, deps, sessions.cancel, (call) => {
    const { scope, params, body, actor } = call;
    return changed(call, cancelStuckSession(deps, scope, params.session_id, { ...body, actor }));
  });
  register(app, deps, sessions.reopen, (call) => {
    const { scope, params, body, actor } = call;
    return changed(call, reopenStuckSession(deps, scope, params.session_id, { ...body, actor }));
  });
  for (const [route, locked] of [
    [sessions.lock, true],
    [sessions.unlock, false],
  ] as const) {
    register(app, deps, route, (call) => {
      const { scope, params, body, actor } = call;
      return changed(call, setSessionLock(deps, scope, params.session_id, { ...body, actor, locked }));
    });
  }
  register(app, deps, sessions.override, (call) => {
    const { scope, params, body, actor } = call;
    return changed(call, overrideSession(deps, scope, params.session_id, { ...body, actor }));
  });
}
