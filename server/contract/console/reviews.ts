/** Reviews, for reviewers and admins: `/console/api/reviews`. Each call is for one company and partition. */
import { Type, type Static } from 'typebox';
import { AuditLine } from './audit.ts';
import { ControlRate, ControlTold } from './controls.ts';
import { ATTACK_FINDINGS } from './attack-findings.ts';
import { pageOf, PageQuery, ReasonText } from './common.ts';
import { Metadata, nullable, nullableNumber, nullableText, oneOf } from '../schemas.ts';
import { VerificationLabel } from './verifications.ts';

export const REVIEW_DECISIONS = ['same_person', 'different_people', 'same_person_allow'] as const;
export type ReviewDecisionName = (typeof REVIEW_DECISIONS)[number];

/** `waiting`: undecided, claimed or not; `free`: not claimed; `deciding`: can still be undone. */
export const REVIEW_STATES = ['waiting', 'free', 'mine', 'deciding', 'decided'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** Why a run needs a review. */
export const REVIEW_REASONS = [
  'collision',
  'collision_company',
  'duplicate_account',
  'linked_denial',
  'capture_untrusted',
  'capture_doubtful',
  'blocked',
] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

/** How long a reviewer holds an open case. Renewed while the case stays open. */
export const LEASE_MS = 10 * 60_000;
/** How often a page renews its lease. */
export const RENEW_EVERY_MS = 2 * 60_000;
/** How long a decision can be undone before it takes effect. */
export const UNDO_MS = 60_000;
/** How many cases can be decided, or taken back, in one call. */
export const MOST_TOGETHER = 20;
/** Ages from which a waiting case is shown as due, and as late. */
export const AGE_LOOK_MS = 15 * 60_000;
export const AGE_LATE_MS = 60 * 60_000;

/** The same while the guest stands at the door. */
export const GUEST_LOOK_MS = 2 * 60_000;
export const GUEST_LATE_MS = 5 * 60_000;
/** Nobody is taken to stand at the door for longer. */
export const GUEST_WAITS_MS = 2 * 60 * 60_000;

export const ReviewQuery = Type.Object({
  state: Type.Optional(oneOf(REVIEW_STATES)),
  reason: Type.Optional(oneOf(REVIEW_REASONS)),
  group: Type.Optional(Type.String({ maxLength: 255 })),
  ...PageQuery,
});
export type ReviewQuery = Static<typeof ReviewQuery>;

const Reviewer = Type.Object({ operator_id: Type.String(), name: Type.String() });
const Holder = Type.Object({ operator_id: Type.String(), name: Type.String(), until: Type.String() });
const Pending = Type.Object({
  decision: oneOf(REVIEW_DECISIONS),
  by: Type.String({ description: 'ID of the operator.' }),
  by_name: Type.String(),
  effective_at: Type.String(),
  remaining_ms: Type.Integer({ description: 'Time until it takes effect.' }),
});
const Decided = Type.Object({
  decision: oneOf(REVIEW_DECISIONS),
  reason: Type.String(),
  by: Type.String({ description: 'An operator’s name, `cli` or `system`.' }),
  at: Type.String(),
});
const orNull = <T extends ReturnType<typeof Type.Object>>(schema: T) => Type.Union([schema, Type.Null()]);

export const ReviewItem = Type.Object({
  case_id: Type.String(),
  session_id: Type.String(),
  opened_at: Type.String(),
  waited_ms: Type.Integer({ description: 'Waiting time until now, or until the decision.' }),
  reasons: Type.Array(Type.String()),
  similarity: nullableNumber(
    'Cosine with the likeliest person when the case opened; null where nothing was measured.',
  ),
  external_id: nullable(),
  identifier: nullable('Email or phone of the run.'),
  group: nullable(),
  event_name: nullable('Name of the event whose group it is.'),
  guest_waiting: Type.Union([Type.Object({ kiosk_name: nullable() }), Type.Null()], {
    description:
      'The guest has waited at the door since the case opened; null if decided, not at the door, or gone by now.',
  }),
  opinion_by: Type.Array(Type.String(), {
    description:
      'IDs of the operators who have given an opinion: with one, somebody else decides; with two, which differ, an admin.',
  }),
  held_by: orNull(Holder),
  assigned_to: orNull(Reviewer),
  pending: orNull(Pending),
  decided: orNull(Decided),
});
export type ReviewItem = Static<typeof ReviewItem>;

/** `GET /reviews/figures`. */
export const ReviewFigures = Type.Object({
  waiting: Type.Integer(),
  held: Type.Integer(),
  oldest_ms: nullableNumber('Age of the oldest waiting case.'),
  decided_hour: Type.Integer(),
  decided_day: Type.Integer(),
  mean_wait_ms: nullableNumber('From opening to decision, over the last day.'),
});
export type ReviewFigures = Static<typeof ReviewFigures>;

/** Position of a face, in pixels of the picture and radians, for scaling and rotating two faces to match. */
export const ReviewFraming = Type.Object({
  width: Type.Number(),
  height: Type.Number(),
  eyes_x: Type.Number(),
  eyes_y: Type.Number(),
  interocular_px: Type.Number(),
  roll_rad: Type.Number(),
});
export type ReviewFraming = Static<typeof ReviewFraming>;

/** The picture itself: `GET /reviews/{case_id}/frames/{index}`, JPEG, never cached. */
export const ReviewFrame = Type.Object({
  case_id: Type.String(),
  index: Type.Integer(),
  taken_at: Type.String(),
  framing: ReviewFraming,
});
export type ReviewFrame = Static<typeof ReviewFrame>;

/** A case in the queue, with a picture and a name of both people, while they are stored. */
export const ReviewRow = Type.Object({
  ...ReviewItem.properties,
  test_face: nullable('Test face used in place of the camera. Such a case has no pictures.'),
  frame: orNull(ReviewFrame),
  match: Type.Union(
    [
      Type.Object({
        person_id: Type.String(),
        name: nullable('The person’s first account.'),
        frame: orNull(ReviewFrame),
      }),
      Type.Null(),
    ],
    { description: 'The likeliest person; null if the case is about the capture alone.' },
  ),
});
export type ReviewRow = Static<typeof ReviewRow>;

/** Waiting cases oldest first, decided cases newest first. */
export const ReviewPage = pageOf(ReviewRow);
export type ReviewPage = Static<typeof ReviewPage>;

export const PastRun = Type.Object({
  pass_id: Type.String(),
  status: oneOf(['approved', 'denied'] as const),
  reasons: Type.Array(Type.String()),
  group: nullable(),
  event_name: nullable('Name of the event whose group it is.'),
  external_id: nullable(),
  settled_at: Type.String(),
  locked: Type.Boolean(),
});
export type PastRun = Static<typeof PastRun>;

/** A person whom the face may belong to. */
export const ReviewSuspect = Type.Object({
  person_id: Type.String(),
  /** Erased since the case opened; nothing else is known. */
  erased: Type.Boolean(),
  similarity: nullableNumber('As of the item.'),
  external_ids: Type.Array(Type.String()),
  identifiers: Type.Array(Type.String()),
  metadata: Metadata,
  known_since: nullable(),
  last_seen_at: nullable(),
  told_apart_from: Type.Integer({ description: 'People whom a reviewer has told apart from this person.' }),
  look_alikes: Type.Array(Type.String(), {
    description: 'Their names, or short IDs; the latest ones.',
  }),
  frames: Type.Array(ReviewFrame),
  /** Kept from an earlier passed check: `GET /reviews/{case_id}/photos/{person_id}`, for the holder of the case. */
  photo: orNull(Type.Object({ taken_at: Type.String(), framing: ReviewFraming })),
  history: Type.Array(PastRun),
});
export type ReviewSuspect = Static<typeof ReviewSuspect>;

const ReviewNote = Type.Object({
  note_id: Type.String(),
  by: Type.String(),
  text: Type.String(),
  at: Type.String(),
});

/** A decision that waited, or waits, for another reviewer. */
const ReviewOpinion = Type.Object({
  by: Type.String(),
  decision: oneOf(REVIEW_DECISIONS),
  reason: nullable(),
  at: Type.String(),
});

/** `GET /reviews/{case_id}`. */
export const ReviewCaseDetail = Type.Object({
  item: ReviewItem,
  verification: VerificationLabel,
  event: orNull(Type.Object({ event_id: Type.String(), name: Type.String() })),
  test_face: nullable('Test face used in place of the camera. Such a case has no pictures.'),
  device: nullable(),
  capture_signed: Type.Unsafe<boolean | null>({
    type: ['boolean', 'null'],
    description: 'Of the last attempt: a paired kiosk signed its pictures.',
  }),
  started_at: Type.String(),
  score: nullableNumber('Risk, 0 to 100.'),
  /** Signs of a photo or screen in the capture; null if no capture was judged. */
  signs: Type.Union([Type.Array(oneOf(ATTACK_FINDINGS)), Type.Null()]),
  near_threshold: nullableNumber('Cosine from which a reviewer should look, when the case opened.'),
  same_threshold: nullableNumber('Cosine from which two faces count as one person, when the case opened.'),
  metadata: Metadata,
  frames: Type.Array(ReviewFrame),
  /** Earlier runs with the run's email or phone. */
  history: Type.Array(PastRun),
  suspects: Type.Array(ReviewSuspect),
  opinions: Type.Array(ReviewOpinion, {
    description: 'Empty until the second reviewer has decided, who must not be influenced.',
  }),
  notes: Type.Array(ReviewNote),
  /** Reviewers' actions on the case, newest first. */
  changes: Type.Array(AuditLine),
});
export type ReviewCaseDetail = Static<typeof ReviewCaseDetail>;

/** How far back second opinions and control cases are compared. */
export const AGREEMENT_DAYS = 90;

/** `GET /reviews/agreement`: the caller's own line; for admins, everybody's. */
export const ReviewAgreement = Type.Object({
  items: Type.Array(
    Type.Object({
      operator_id: Type.String(),
      name: Type.String(),
      decided: Type.Integer({ description: 'Decisions about which somebody else decided, too.' }),
      differed: Type.Integer({ description: 'Of these, those that came out otherwise.' }),
    }),
  ),
  controls: Type.Array(ControlRate, { description: 'Error rates in control cases, of the same operators.' }),
  told: Type.Array(ControlTold, { description: 'Your own latest control cases that are settled.' }),
});
export type ReviewAgreement = Static<typeof ReviewAgreement>;

/** `POST /reviews/next`: the oldest free case, now claimed by the caller; null if there is none. */
export const NextReview = Type.Object({ case_id: nullable() });
export type NextReview = Static<typeof NextReview>;

/** `POST /reviews/{case_id}/decide`, by the reviewer who holds the case. */
export const ReviewDecide = Type.Object({
  decision: oneOf(REVIEW_DECISIONS),
  reason: ReasonText,
  second_opinion: Type.Optional(
    Type.Boolean({ description: 'Counts only if another reviewer, who does not see it, decides the same.' }),
  ),
  take_next: Type.Optional(
    Type.Boolean({ description: 'Also takes the oldest free case, in the same transaction.' }),
  ),
});
export type ReviewDecide = Static<typeof ReviewDecide>;

export const ReviewDecided = Type.Object({
  decided: ReviewItem,
  /** Null if none is free or none was requested. `detail` is null if the page has to request it. */
  next: Type.Union([
    Type.Object({ case_id: Type.String(), detail: Type.Union([ReviewCaseDetail, Type.Null()]) }),
    Type.Null(),
  ]),
});
export type ReviewDecided = Static<typeof ReviewDecided>;

const CaseIds = Type.Array(Type.String({ maxLength: 64 }), {
  minItems: 1,
  maxItems: MOST_TOGETHER,
  uniqueItems: true,
});

/** Whether both faces of a case can be seen, or the test face that stands for them. */
export const showsFaces = ({
  test_face: testFace,
  frame,
  match,
}: Pick<ReviewRow, 'test_face' | 'frame' | 'match'>): boolean =>
  testFace !== null || (frame !== null && (match === null || match.frame !== null));

/** `POST /reviews/decide`: free cases, or your own, whose faces can be seen and that have the same findings. All are decided, or none. */
export const ReviewsDecide = Type.Object({
  case_ids: CaseIds,
  decision: oneOf(REVIEW_DECISIONS),
  reason: ReasonText,
});
export type ReviewsDecide = Static<typeof ReviewsDecide>;

/** `POST /reviews/undo` and `POST /reviews/apply`: all of them, or none. */
export const ReviewsUndo = Type.Object({ case_ids: CaseIds });
export type ReviewsUndo = Static<typeof ReviewsUndo>;

/** The new state of several cases, in the order of the request. */
export const ReviewItems = Type.Object({ items: Type.Array(ReviewItem) });
export type ReviewItems = Static<typeof ReviewItems>;

/** `GET /reviews/reviewers`: whom a case can be assigned to. */
export const ReviewerList = Type.Object({ items: Type.Array(Reviewer) });
export type ReviewerList = Static<typeof ReviewerList>;

/** `POST /reviews/{case_id}/assign`; null takes the assignment away. */
export const ReviewAssign = Type.Object({ operator_id: nullableText(64) });

/** `POST /reviews/{case_id}/notes`. */
export const MAX_NOTE_CHARS = 2_000;
export const ReviewNoteCreate = Type.Object({
  text: Type.String({ minLength: 1, maxLength: MAX_NOTE_CHARS }),
});
