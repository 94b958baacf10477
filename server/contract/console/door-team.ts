/** The door team of an event, its numbers and its limit: `/console/api/events/{event_id}/door-team`. */
import { Type, type Static } from 'typebox';
import { BADGE_FAILURES, BADGE_STATES, type BadgeFailure } from '../badges.ts';
import { nullable, oneOf } from '../schemas.ts';
import { Version, withVersion } from './common.ts';
import { MAX_KEEP_DAYS, SHIFT_ROLES } from '../ticket-values.ts';
import { ShiftCall, TicketCounts } from '../tickets.ts';

export const MOST_INSIDE_LIMIT = 1_000_000;

/** A code that makes phones scanners, until the event ends. */
export const ShiftRecord = Type.Object({
  shift_id: Type.String(),
  role: oneOf(SHIFT_ROLES),
  phones: Type.Integer({ description: 'That joined with it.' }),
  created_at: Type.String(),
  ends_at: Type.String(),
  code: nullable('Null for operators below the role `reviewer`, because it lets people in.'),
  join_url: nullable('The page for phones with the code in its fragment; null as the code is.'),
});
export type ShiftRecord = Static<typeof ShiftRecord>;

export const DoorBadge = Type.Object({
  badge_id: Type.String(),
  name: nullable('On the ticket.'),
  kiosk: nullable('Which prints it; null if it was removed.'),
  status: oneOf(BADGE_STATES),
  why: Type.Unsafe<BadgeFailure | null>({ type: ['string', 'null'], enum: [...BADGE_FAILURES, null] }),
  at: Type.String({ description: 'Of the latest change.' }),
});
export type DoorBadge = Static<typeof DoorBadge>;

export const DoorTeam = Type.Object({
  takes_tickets: Type.Boolean({ description: 'The event has a source of tickets.' }),
  is_local_only: Type.Boolean({
    description: 'Phones cannot reach the address, because network mode is off.',
  }),
  re_entry: Type.Boolean({ description: 'Guests who left may come in again.' }),
  version: Version,
  counts: TicketCounts,
  calls: Type.Array(ShiftCall, { description: 'Who waits for a supervisor.' }),
  shifts: Type.Array(ShiftRecord),
  badges: Type.Array(DoorBadge, { maxItems: 50, description: 'Badges of the event, latest change first.' }),
  conflicts: Type.Array(
    Type.Object({
      name: nullable('On the ticket.'),
      at: Type.String({ description: 'When its guest passed here.' }),
      other_at: nullable('When it was used there.'),
    }),
    { description: 'Tickets that were used in their own system, too: the newest 5.' },
  ),
});
export type DoorTeam = Static<typeof DoorTeam>;

export const ShiftCreate = Type.Object({ role: oneOf(SHIFT_ROLES) });

/** `PATCH /events/{event_id}/door-team`: what is left out stays. */
export const TicketRulesChange = Type.Object({
  re_entry: Type.Optional(Type.Boolean()),
  most_inside: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: MOST_INSIDE_LIMIT,
      description: 'People inside at which the door is told; null without a limit.',
    }),
  ),
  keep_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_KEEP_DAYS,
      description: 'Days after the event’s end for which names and codes of its tickets are kept.',
    }),
  ),
  ...withVersion,
});
export type TicketRulesChange = Static<typeof TicketRulesChange>;
