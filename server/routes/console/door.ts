import type { FastifyInstance } from 'fastify';
import type { ConsoleDeps } from '../../services/deps.ts';
import { cancelStuckSession, reopenStuckSession } from '../../services/runs/force-close.ts';
import { readFirstSteps } from '../../services/setup/setup.ts';
import { readCodes, readDoor } from '../../services/venue/door.ts';
import { askReviewer, checkAgain, letIn } from '../../services/venue/door-actions.ts';
import { door } from '../../contract/routes/console/door.ts';
import { done, register } from './register.ts';

/** The door, for staff. */
export function doorRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'baseUrl' | 'codes'>,
): void {
  register(app, deps, door.read, ({ scope, query: { event_id: eventId }, signedIn }) =>
    readDoor(deps, scope, { eventId, role: signedIn.operator.role }),
  );
  register(app, deps, door.codes, async ({ scope }) => ({
    read_out: !deps.codes.sends,
    items: await readCodes(deps, scope),
  }));
  register(app, deps, door.firstSteps, ({ scope }) => readFirstSteps(deps, scope));
  register(app, deps, door.release, ({ scope, params, body, actor }) =>
    done(reopenStuckSession(deps, scope, params.session_id, { ...body, actor })),
  );
  register(app, deps, door.cancel, ({ scope, params, body, actor }) =>
    done(cancelStuckSession(deps, scope, params.session_id, { ...body, actor })),
  );
  register(app, deps, door.letIn, ({ scope, params, body, actor }) =>
    done(letIn(deps, scope, params.session_id, { ...body, actor })),
  );
  register(app, deps, door.review, ({ scope, params, body, signedIn }) =>
    done(
      askReviewer(deps, scope, params.session_id, {
        reason: body.reason,
        operatorId: signedIn.operator.id,
      }),
    ),
  );
  register(app, deps, door.again, ({ scope, params, body, actor }) =>
    checkAgain(deps, scope, params.session_id, { ...body, actor }),
  );
}
