import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  SessionDetail,
  SessionOverride,
  SessionPage,
  SessionQuery,
  SessionReason,
  VerificationChoices,
} from '../../contract/console/sessions.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import { overrideSession, setSessionLock } from '../../services/passes/actions.ts';
import { readSessionDetail } from '../../services/passes/detail.ts';
import { listSessionItems, listVerificationChoices } from '../../services/passes/list.ts';
import { cancelStuckSession, reopenStuckSession } from '../../services/runs/force-close.ts';
import { scopedRoute } from './route.ts';

/** Sessions and passes: staff see and unstick, reviewers lock, admins override. */
export function sessionRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const params = { session_id: Type.String() };

  scopedRoute(app, deps, {
    method: 'GET',
    url: '/sessions',
    role: 'staff',
    summary: 'Sessions, newest first',
    query: SessionQuery.properties,
    response: SessionPage,
    handler: ({ scope, query, signedIn }) => listSessionItems(deps, scope, query, signedIn.operator.role),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/sessions/verifications',
    role: 'staff',
    summary: 'Verifications to filter sessions by',
    response: VerificationChoices,
    handler: ({ scope }) => listVerificationChoices(deps.db, scope),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/sessions/:session_id',
    role: 'staff',
    summary: 'A session with its pass and its story',
    params,
    response: SessionDetail,
    handler: ({ scope, params: { session_id: id }, signedIn }) =>
      readSessionDetail(deps, scope, id, signedIn.operator.role),
  });
  const acts = [
    { verb: 'cancel', role: 'staff', summary: 'End an open session', act: cancelStuckSession },
    {
      verb: 'reopen',
      role: 'staff',
      summary: 'Take an open session off its device',
      act: reopenStuckSession,
    },
    { verb: 'lock', role: 'reviewer', summary: 'Lock the pass', act: lockingTo(true) },
    { verb: 'unlock', role: 'reviewer', summary: 'Unlock the pass', act: lockingTo(false) },
  ] as const;
  for (const { verb, role, summary, act } of acts) {
    scopedRoute(app, deps, {
      method: 'POST',
      url: `/sessions/:session_id/${verb}`,
      role,
      summary,
      params,
      body: SessionReason,
      response: SessionDetail,
      handler: async ({ scope, params: { session_id: id }, body: { reason }, actor, signedIn }) => {
        await act(deps, scope, id, { reason, actor });
        deps.live.publish('session', scope);
        return readSessionDetail(deps, scope, id, signedIn.operator.role);
      },
    });
  }
  scopedRoute(app, deps, {
    method: 'POST',
    url: '/sessions/:session_id/override',
    role: 'admin',
    summary: 'Replace the verdict by hand',
    params,
    body: SessionOverride,
    response: SessionDetail,
    handler: async ({ scope, params: { session_id: id }, body, actor, signedIn }) => {
      await overrideSession(deps, scope, id, { ...body, actor });
      deps.live.publish('session', scope);
      return readSessionDetail(deps, scope, id, signedIn.operator.role);
    },
  });
}

type Act = Parameters<typeof setSessionLock>;

const lockingTo =
  (locked: boolean) =>
  (deps: Act[0], scope: Act[1], id: string, { reason, actor }: { reason: string; actor: string }) =>
    setSessionLock(deps, scope, id, { reason, actor, locked });
