/** Sessions and their passes: `GET /console/api/sessions`, one session's timeline, and the actions of staff. */
import { Type, type Static, type TSchema } from 'typebox';
import { pageOf, PageQuery, ReasonText } from './common.ts';
import { GENERATIONS } from '../operations.ts';
import { Metadata, nullable, oneOf } from '../schemas.ts';
import { VerificationLabel } from './verifications.ts';

/** Each session has exactly one, whatever happened to its pass. */
export const SESSION_STATUSES = [
  'open',
  'in_review',
  'approved',
  'flagged',
  'locked',
  'revoked',
  'denied',
  'declined',
  'expired',
  'cancelled',
] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

export const orNull = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] });
export const nullableInteger = (description?: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], ...(description && { description }) });

export const SessionQuery = Type.Object({
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'ID of a session or a pass, an email or phone, an external ID, a name of the person or, for reviewers, a metadata value. Three characters or more also find external IDs, names and values that begin with them.',
    }),
  ),
  status: Type.Optional(oneOf(SESSION_STATUSES)),
  group: Type.Optional(Type.String({ maxLength: 200 })),
  verification: Type.Optional(Type.String({ maxLength: 64, description: 'ID of a verification.' })),
  generation: Type.Optional(oneOf(GENERATIONS)),
  from: Type.Optional(
    Type.String({ maxLength: 40, description: 'Time of creation, in ISO 8601, inclusive.' }),
  ),
  to: Type.Optional(Type.String({ maxLength: 40, description: 'End, in ISO 8601, exclusive.' })),
  ...PageQuery,
});
export type SessionQuery = Static<typeof SessionQuery>;

export const ShownIdentity = Type.Object({
  provider: Type.String(),
  identifier: Type.String({ description: 'Masked for staff.' }),
});
export type ShownIdentity = Static<typeof ShownIdentity>;

export const LetIn = Type.Object({ by: nullable('Null for the command line.'), reason: Type.String() });
export type LetIn = Static<typeof LetIn>;
/** Beside a status; null unless somebody approved the check by hand. */
export const letIn = orNull(LetIn);

export const SessionItem = Type.Object({
  session_id: Type.String(),
  status: oneOf(SESSION_STATUSES),
  let_in: letIn,
  generation: oneOf(GENERATIONS),
  verification: VerificationLabel,
  external_id: nullable(),
  identity: orNull(ShownIdentity),
  group: nullable(),
  event_name: nullable('Name of the event whose group it is.'),
  created_at: Type.String(),
  settled_at: nullable(),
});
export type SessionItem = Static<typeof SessionItem>;

/** Newest first. */
export const SessionPage = pageOf(SessionItem);
export type SessionPage = Static<typeof SessionPage>;

/** Options of the filter. */
export const VerificationChoices = Type.Object({ items: Type.Array(VerificationLabel) });
export type VerificationChoices = Static<typeof VerificationChoices>;

const TIMELINE_KINDS = [
  'created',
  'opened',
  'consent',
  'handoff_offered',
  'handoff_confirmed',
  'code_sent',
  'phone_proven',
  'attempt_passed',
  'attempt_failed',
  'review_opened',
  'review_decided',
  'settled',
  'skipped',
  'declined',
  'cancelled',
  'reopened',
  'expired',
  'read',
  'webhook',
  'locked',
  'unlocked',
  'overridden',
  'disconnected',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** More fields by kind: texts, numbers, or lists of codes that the page translates. */
export const TimelineItem = Type.Object({
  at: Type.String(),
  kind: oneOf(TIMELINE_KINDS),
  by: nullable('Name of the operator, if an operator did it.'),
  reason: nullable('Why, in the operator’s words.'),
  details: Type.Unsafe<Record<string, string | number | string[] | null>>({
    type: 'object',
    additionalProperties: true,
  }),
});
export type TimelineItem = Static<typeof TimelineItem>;

/** Points that each signal adds to the score; null if nothing was measured. */
export const ScoreParts = Type.Object({
  spoof: Type.Number(),
  quality: Type.Number(),
  nearness: Type.Number(),
  desktop: Type.Number(),
  unsigned: Type.Number(),
  camera: Type.Number(),
});
export type ScoreParts = Static<typeof ScoreParts>;

export const PassDetail = Type.Object({
  pass_id: Type.String(),
  status: oneOf(['approved', 'denied']),
  reasons: Type.Array(Type.String()),
  groups: Type.Array(Type.String()),
  score: nullableInteger('0 to 100, higher is riskier.'),
  score_parts: orNull(ScoreParts),
  settled_at: Type.String(),
  locked_at: nullable(),
  revoked_at: nullable('When the person disconnected.'),
  read_count: Type.Integer(),
  last_read_at: nullable(),
  person_id: nullable(),
  is_own: Type.Boolean({ description: 'False if an earlier pass is used for this session.' }),
});
export type PassDetail = Static<typeof PassDetail>;

/** The current operator's actions for the session. */
const SESSION_ACTIONS = ['cancel', 'reopen', 'lock', 'unlock', 'approve', 'deny'] as const;
export type SessionAction = (typeof SESSION_ACTIONS)[number];

export const SessionDetail = Type.Object({
  ...SessionItem.properties,
  include_groups: Type.Array(Type.String()),
  metadata: orNull(Metadata),
  device: nullable(),
  capture_signed: orNull(
    Type.Boolean({ description: 'Of the last attempt: a paired kiosk signed its pictures.' }),
  ),
  attempts_left: Type.Integer(),
  expires_at: Type.String(),
  consent: orNull(
    Type.Object({
      at: Type.String(),
      version: nullable(),
      language: nullable(),
      retention_days: orNull(
        Type.Integer({
          description:
            'For how many days without a visit the text said that the face is kept; null in earlier consents, and if it is kept for an event.',
        }),
      ),
      faces_days: orNull(
        Type.Integer({
          description:
            'For how many days after its event the text said that the face is kept; null if it said something else.',
        }),
      ),
      photo_until: nullable(
        'The day until which the text said that a photo is kept, as a time; null if it named none.',
      ),
      text: orNull(
        Type.Array(Type.String(), {
          description:
            'The messages that the guest read, such as “Ask {organiser} at any time.”; null for an unknown version.',
        }),
      ),
    }),
  ),
  pass: orNull(PassDetail),
  case_id: nullable('ID of its case.'),
  actions: Type.Array(oneOf(SESSION_ACTIONS)),
  timeline: Type.Array(TimelineItem, { description: 'Oldest first.' }),
});
export type SessionDetail = Static<typeof SessionDetail>;

/** `POST /sessions/{session_id}/override`. */
export const SessionOverride = Type.Object({ decision: oneOf(['approve', 'deny']), reason: ReasonText });
