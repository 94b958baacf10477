/** Tickets at the door: what kiosks and phones of the door team are told about one, and their calls. */
import { Type, type Static } from 'typebox';
import { DEVICES, OpenResponse } from './flow.ts';
import { nullable, oneOf } from './schemas.ts';
import { MAX_TOKEN_CHARS } from './text-bounds.ts';
import { ADMIT_REASONS, DIRECTIONS, MAX_CODE_CHARS, MAX_PARTY, SHIFT_ROLES } from './ticket-values.ts';

/** As `domain/tickets/admit.ts` decides; `ask_ticket` if the guest passed and nobody knows their ticket yet. */
export const TICKET_VERDICTS = ['admit', 'check', 'ask_ticket', 'ask_party', 'ask_staff', 'refuse'] as const;

export const DoorTicket = Type.Object({
  ticket_id: Type.String(),
  name: nullable(),
  kind: nullable('Of the ticket, such as a product.'),
  is_inside: Type.Boolean(),
});
export type DoorTicket = Static<typeof DoorTicket>;

export const TicketDecision = Type.Object({
  verdict: oneOf(TICKET_VERDICTS),
  why: Type.Unsafe<(typeof ADMIT_REASONS)[number] | null>({
    type: ['string', 'null'],
    enum: [...ADMIT_REASONS, null],
  }),
  direction: oneOf(DIRECTIONS),
  ticket: Type.Unsafe<DoorTicket | null>({ ...DoorTicket, type: ['object', 'null'] }),
  note: nullable('For staff; a kiosk never gets it.'),
  party: Type.Array(DoorTicket, {
    maxItems: MAX_PARTY,
    description: 'The tickets of the order, if it has more.',
  }),
  last_at: nullable('When the ticket last passed a gate.'),
  last_gate: nullable(),
  valid_from: nullable(),
  valid_until: nullable(),
  other_event: nullable('The name of the event that knows the code.'),
  entry: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Can be undone.' }),
  undo_until: nullable(),
});
export type TicketDecision = Static<typeof TicketDecision>;

const Code = Type.String({ minLength: 1, maxLength: MAX_CODE_CHARS, description: 'As the scanner read it.' });
const TicketId = Type.String({ minLength: 1, maxLength: MAX_TOKEN_CHARS });

/** `POST /kiosk/tickets`: a scanned code, or the next ticket of a party whose guests said that they are here. */
export const KioskTicketRequest = Type.Object({
  text: Type.Optional(Code),
  ticket_id: Type.Optional(TicketId),
});
export type KioskTicketRequest = Static<typeof KioskTicketRequest>;
export const KioskTicketResponse = Type.Object({
  decision: Type.Unsafe<TicketDecision | null>({ ...TicketDecision, type: ['object', 'null'] }),
  opened: Type.Unsafe<OpenResponse | null>({ ...OpenResponse, type: ['object', 'null'] }),
});
export type KioskTicketResponse = Static<typeof KioskTicketResponse>;

/** `POST /kiosk/admissions`: the guest of a run at this kiosk passed; with the code if they had to show it afterwards. */
export const KioskAdmissionRequest = Type.Object({
  session_id: Type.String({ minLength: 1, maxLength: MAX_TOKEN_CHARS }),
  text: Type.Optional(Code),
});
export type KioskAdmissionRequest = Static<typeof KioskAdmissionRequest>;

// The door team's phones: the token of `join` in this header, on the public listener.

export const SHIFT_TOKEN_HEADER = 'x-shift-token';
export const MIN_SEARCH_CHARS = 3;
export const MAX_FOUND = 20;

/** `POST /scan/join`, without a token. */
export const ShiftJoinRequest = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 32, description: 'Spaces, hyphens and case do not matter.' }),
  name: Type.String({ minLength: 1, maxLength: 40, description: 'Of the person, for the audit log.' }),
});
export type ShiftJoinRequest = Static<typeof ShiftJoinRequest>;
export const ShiftJoinResponse = Type.Object({
  token: Type.String({ description: 'Stored by the phone; shown once.' }),
});
export type ShiftJoinResponse = Static<typeof ShiftJoinResponse>;

export const GateCounts = Type.Object({
  gate: Type.String(),
  name: Type.String(),
  entered: Type.Integer(),
  left: Type.Integer(),
});

/** Numbers of an event; people inside are those who entered without those who left. */
export const TicketCounts = Type.Object({
  tickets: Type.Integer(),
  inside: Type.Integer(),
  most_inside: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  is_full: Type.Boolean(),
  gates: Type.Array(GateCounts),
});
export type TicketCounts = Static<typeof TicketCounts>;

export const ShiftCall = Type.Object({ name: Type.String(), at: Type.String() });

/** `GET /scan/shift`. */
export const ShiftStatus = Type.Object({
  event_name: Type.String(),
  name: Type.String(),
  role: oneOf(SHIFT_ROLES),
  ends_at: Type.String(),
  counts: TicketCounts,
  calls: Type.Array(ShiftCall, { description: 'Who waits for a supervisor.' }),
  has_called: Type.Boolean({ description: 'This phone.' }),
});
export type ShiftStatus = Static<typeof ShiftStatus>;

/** `POST /scan/tickets`. */
export const PhoneScanRequest = Type.Object({
  text: Type.Optional(Code),
  ticket_id: Type.Optional(TicketId),
  direction: oneOf(DIRECTIONS),
});
export type PhoneScanRequest = Static<typeof PhoneScanRequest>;

/** `POST /scan/let-in`, supervisors only. */
export const PhoneLetInRequest = Type.Object({
  ticket_id: TicketId,
  reason: Type.String({ minLength: 3, maxLength: 500, description: 'For the audit log.' }),
});
export type PhoneLetInRequest = Static<typeof PhoneLetInRequest>;

/** `POST /scan/children`: tickets of one order whose children staff see; no face is checked. */
export const PhoneChildrenRequest = Type.Object({
  ticket_ids: Type.Array(TicketId, { minItems: 1, maxItems: MAX_PARTY }),
});
export const PhoneChildrenResponse = Type.Object({ let_in: Type.Integer() });
export type PhoneChildrenResponse = Static<typeof PhoneChildrenResponse>;

/** `POST /scan/undo`, supervisors only, for seconds. */
export const PhoneUndoRequest = Type.Object({ entry: Type.Integer({ minimum: 1 }) });

/** `POST /scan/search`: not a query, so that no name is in a log of addresses. */
export const PhoneSearchRequest = Type.Object({
  text: Type.String({ minLength: MIN_SEARCH_CHARS, maxLength: 100 }),
});
export const PhoneSearchResponse = Type.Object({
  items: Type.Array(DoorTicket, { maxItems: MAX_FOUND }),
  has_more: Type.Boolean(),
});
export type PhoneSearchResponse = Static<typeof PhoneSearchResponse>;

/** `POST /scan/call`. */
export const PhoneCallRequest = Type.Object({ waits: Type.Boolean() });

/** Refusals of `/scan`, as `{detail}`. */
export const SHIFT_ERRORS = [
  'invalid_shift_code',
  'too_many_pairings',
  'invalid_shift_token',
  'supervisor_required',
  'undo_too_late',
  'not_admitted',
] as const;

/**
 * What a ticket's own link leads to: its check, or why there is none. `at_door` if checks are made there only, `checked` if
 * somebody was checked for the ticket already, `entered` if its guest came.
 */
export const HOME_ANSWERS = [
  'check',
  'unknown',
  'at_door',
  'over',
  'unpaid',
  'not_valid',
  'checked',
  'entered',
] as const;
export type HomeAnswer = (typeof HOME_ANSWERS)[number];

/** `POST /flow/tickets`: the code is in the body, so that no address has it. */
export const HomeTicketRequest = Type.Object({
  event_id: Type.String({ minLength: 1, maxLength: MAX_TOKEN_CHARS }),
  code: Type.String({ minLength: 1, maxLength: MAX_CODE_CHARS }),
  device: Type.Optional(oneOf(DEVICES)),
});
export type HomeTicketRequest = Static<typeof HomeTicketRequest>;
export const HomeTicketResponse = Type.Object({
  answer: oneOf(HOME_ANSWERS),
  session_id: nullable('Of the check, for its hosted link; null if there is none to make.'),
  flow_token: nullable(
    'At an event that seals faces: of the check, opened on the device that the request names.',
  ),
});
export type HomeTicketResponse = Static<typeof HomeTicketResponse>;
