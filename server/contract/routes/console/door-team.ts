import { Done } from '../../console/common.ts';
import { DoorTeam, ShiftCreate, TicketRulesChange } from '../../console/door-team.ts';
import type { ConsoleRoutes } from '../route.ts';

export const doorTeam = {
  read: {
    method: 'GET',
    path: '/events/:event_id/door-team',
    role: 'staff',
    summary: 'Read the door team of an event, and who is inside',
    reply: DoorTeam,
  },
  change: {
    method: 'PATCH',
    path: '/events/:event_id/door-team',
    role: 'admin',
    summary: 'Change re-entry, the most people inside, and how long names of tickets are kept',
    body: TicketRulesChange,
    reply: Done,
  },
  create: {
    method: 'POST',
    path: '/events/:event_id/shifts',
    role: 'reviewer',
    summary: 'Create a code that makes phones scanners',
    body: ShiftCreate,
    reply: Done,
  },
  printAgain: {
    method: 'POST',
    path: '/events/:event_id/badges/:badge_id/print',
    role: 'staff',
    summary: 'Print a badge again at its kiosk',
    reply: Done,
  },
  end: {
    method: 'DELETE',
    path: '/events/:event_id/shifts/:shift_id',
    role: 'reviewer',
    summary: 'End a code and its phones',
    reply: Done,
  },
} as const satisfies ConsoleRoutes;
