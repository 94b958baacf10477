/** The view of staff at the door: `/console/api/door`, for staff. */
import { Type, type Static } from 'typebox';
import { DEVICES, type Device } from '../flow.ts';
import { nullable, oneOf } from '../schemas.ts';
import { EventRecord, RunCounts } from './events.ts';
import { KioskRecord } from './kiosks.ts';
import { letIn } from './sessions.ts';

/**
 * The meaning of a run at the door. `passed_again`: may enter, as before; `already`: refused, because they have
 * already entered; `ask`: in review.
 */
const DOOR_RESULTS = [
  'passed',
  'passed_again',
  'flagged',
  'already',
  'ask',
  'turned_away',
  'declined',
  'unfinished',
] as const;
export type DoorResult = (typeof DOOR_RESULTS)[number];

const device = Type.Unsafe<Device | null>({ type: ['string', 'null'], enum: [...DEVICES, null] });

const guest = nullable('The name that the organiser sent with the run, else its external id.');

/**
 * What the current operator may do about a run that has ended. `let_in` replaces a denial with an approval, `review`
 * asks a reviewer to do so, `again` makes a new check with the same request.
 */
const DOOR_ACTIONS = ['let_in', 'review', 'again'] as const;
export type DoorAction = (typeof DOOR_ACTIONS)[number];

export const DoorRun = Type.Object({
  session_id: Type.String(),
  at: Type.String({ description: 'When it ended or was sent to a reviewer.' }),
  result: oneOf(DOOR_RESULTS),
  reasons: Type.Array(Type.String()),
  guest,
  kiosk_name: nullable('Kiosk of the check; null for a phone or a computer.'),
  device,
  earlier: Type.Unsafe<{ at: string; kiosk_name: string | null } | null>({
    type: ['object', 'null'],
    properties: { at: { type: 'string' }, kiosk_name: { type: ['string', 'null'] } },
    description: 'The earlier pass of the same person, with its time and kiosk.',
  }),
  let_in: letIn,
  case_id: nullable('The open case of the run.'),
  actions: Type.Array(oneOf(DOOR_ACTIONS)),
});
export type DoorRun = Static<typeof DoorRun>;

/** A run in progress. */
export const DoorOpenRun = Type.Object({
  session_id: Type.String(),
  opened_at: Type.String(),
  step: oneOf(['consent', 'phone', 'capture', 'checking']),
  attempts_left: Type.Integer(),
  guest,
  kiosk_name: nullable(),
  device,
  asks_staff: Type.Boolean({ description: 'The guest asked for staff at a kiosk, and waits there.' }),
  actions: Type.Array(oneOf(DOOR_ACTIONS), { description: '`let_in` for a guest who waits for staff.' }),
});
export type DoorOpenRun = Static<typeof DoorOpenRun>;

/** `GET /door?event_id=`: of the given event, else of the running one that began last, else of all runs. */
export const DoorView = Type.Object({
  event: Type.Unsafe<EventRecord | null>({ ...EventRecord, type: ['object', 'null'] }),
  running: Type.Array(Type.Object({ event_id: Type.String(), name: Type.String() })),
  counts: RunCounts,
  last_hour: Type.Integer({ description: 'Guests let in within the last 60 minutes.' }),
  open_cases: Type.Integer(),
  cap: Type.Object(
    { is_reached: Type.Boolean(), daily_limit: Type.Integer(), ends_at: Type.String() },
    { description: 'Once it is reached, every check is denied until `ends_at`.' },
  ),
  latest: Type.Array(DoorRun),
  under_way: Type.Array(DoorOpenRun),
  kiosks: Type.Array(KioskRecord),
});
export type DoorView = Static<typeof DoorView>;

/** `GET /door/first-steps`: which of them are done. The checklist disappears once all are. */
export const FirstSteps = Type.Object({
  event: Type.Boolean({ description: 'The company has an event in this partition.' }),
  kiosk: Type.Boolean({ description: 'A device has been paired as a kiosk.' }),
  guest: Type.Boolean({ description: 'A guest has passed.' }),
  colleague: Type.Boolean({ description: 'There is more than one operator.' }),
  recovery: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'The recovery phrase has been created. Null on PostgreSQL, whose own backups need none.',
  }),
  network: Type.Boolean({ description: 'Other devices can reach the service.' }),
});
export type FirstSteps = Static<typeof FirstSteps>;

/** `GET /door/codes`: phone codes waiting to be read out. A used code is removed. */
export const DoorCodes = Type.Object({
  /** False if an SMS sender delivers them. Staff see them anyway, for phones without reception. */
  read_out: Type.Boolean(),
  items: Type.Array(
    Type.Object({
      code_id: Type.String(),
      number: Type.String({ description: 'Masked.' }),
      code: Type.String(),
      sent_at: Type.String(),
      ends_at: Type.String(),
    }),
  ),
});
export type DoorCodes = Static<typeof DoorCodes>;

/** `POST /door/sessions/{session_id}/again`: the link of the new check, for the guest’s phone or a kiosk’s camera. */
export const DoorAgain = Type.Object({
  session_id: Type.String(),
  url: Type.String(),
  expires_at: Type.String(),
});
export type DoorAgain = Static<typeof DoorAgain>;
