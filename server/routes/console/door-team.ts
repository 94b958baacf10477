/** The door team of an event: its codes for reviewers, its numbers for staff, its limit for admins. */
import type { FastifyInstance } from 'fastify';
import { isAtLeast } from '../../contract/console/common.ts';
import { doorTeam } from '../../contract/routes/console/door-team.ts';
import { printAgain } from '../../services/tickets/badges.ts';
import { readDoorTeam } from '../../services/tickets/door-team.ts';
import { changeTicketRules } from '../../services/tickets/rules.ts';
import { createShift, endShift } from '../../services/tickets/shifts.ts';
import type { ConsoleDeps } from '../deps.ts';
import { done, register } from './register.ts';

export function doorTeamRoutes(
  app: FastifyInstance,
  deps: Pick<ConsoleDeps, 'db' | 'clock' | 'randomInt' | 'baseUrl'>,
): void {
  register(app, deps, doorTeam.read, ({ scope, params: { event_id: eventId }, signedIn }) =>
    readDoorTeam(deps, scope, { eventId, showsCodes: isAtLeast(signedIn.operator.role, 'reviewer') }),
  );
  register(app, deps, doorTeam.change, ({ scope, params: { event_id: eventId }, body, actor }) =>
    done(changeTicketRules(deps, scope, { eventId, change: body, actor })),
  );
  register(app, deps, doorTeam.create, ({ scope, params: { event_id: eventId }, body: { role }, actor }) =>
    done(createShift(deps, scope, { eventId, role, actor })),
  );
  register(app, deps, doorTeam.printAgain, ({ scope, params: { event_id: eventId, badge_id: id }, actor }) =>
    done(printAgain(deps, scope, { eventId, id, actor })),
  );
  register(app, deps, doorTeam.end, ({ scope, params: { shift_id: id }, actor }) =>
    done(endShift(deps, scope, id, actor)),
  );
}
