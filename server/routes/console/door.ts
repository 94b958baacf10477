import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Done } from '../../contract/console/common.ts';
import { DoorCodes, DoorView, UnstickRequest } from '../../contract/console/door.ts';
import type { ConsoleDeps } from '../../services/console-deps.ts';
import { cancelStuckSession, reopenStuckSession } from '../../services/runs/force-close.ts';
import { readCodes, readDoor } from '../../services/venue/door.ts';
import { scopedRoute } from './route.ts';

/** The door, for staff. */
export function doorRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const params = { session_id: Type.String() };

  scopedRoute(app, deps, {
    method: 'GET',
    url: '/door',
    role: 'staff',
    summary: 'The running event’s numbers, who came through, who is under way, and the kiosks',
    query: { event_id: Type.Optional(Type.String({ maxLength: 64 })) },
    response: DoorView,
    handler: ({ scope, query: { event_id: eventId } }) => readDoor(deps, scope, eventId),
  });
  scopedRoute(app, deps, {
    method: 'GET',
    url: '/door/codes',
    role: 'staff',
    summary: 'Phone codes that wait to be read out',
    response: DoorCodes,
    handler: async ({ scope }) => ({ read_out: !deps.codes.sends, items: await readCodes(deps, scope) }),
  });
  for (const [verb, summary, act] of [
    ['release', 'Take a run from the device that holds it', reopenStuckSession],
    ['cancel', 'End a run without a verdict', cancelStuckSession],
  ] as const) {
    scopedRoute(app, deps, {
      method: 'POST',
      url: `/door/sessions/:session_id/${verb}`,
      role: 'staff',
      summary,
      params,
      body: UnstickRequest,
      response: Done,
      handler: async ({ scope, params: { session_id: sessionId }, body: { reason }, actor }) => {
        await act(deps, scope, sessionId, { reason, actor });
        return { ok: true } as const;
      },
    });
  }
}
