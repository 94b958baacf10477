/**
 * The flow API: calls of the hosted page and the kiosk while a person is checked. The server does not trust anything
 * that a page sends: pages send frames, the server makes the verdicts. All times are ISO 8601 UTC.
 */
import { Type, type Static } from 'typebox';
import { nullable, oneOf } from './schemas.ts';
import { MAX_PHONE_CHARS, MAX_TOKEN_CHARS } from './text-bounds.ts';

/** Steps of one movement. Directions are the person's own (their left is left). */
export const SINGLE_STEPS = [
  'turn_left',
  'turn_right',
  'look_up',
  'blink',
  'smile',
  'open_mouth',
  'move_closer',
] as const;
/** Two movements at once, which a found video rarely shows. */
export const DOUBLE_STEP = 'look_up_smile';
/** Steps that a capture may request. */
export const LIVENESS_STEPS = [...SINGLE_STEPS, DOUBLE_STEP] as const;
export type LivenessStep = (typeof LIVENESS_STEPS)[number];

/**
 * Soft sRGB tints in which the page lights the face. All have nearly the same relative luminance (0.59 to 0.63), so
 * that a change of colour is never a flash (WCAG 2.3.1), and are light enough for dark text.
 */
export const TINTS = { warm: '#ffc56b', cool: '#a6ceff', rose: '#ffb9c9', mint: '#8fdcae' } as const;
export type Tint = keyof typeof TINTS;
export const TINT_NAMES = ['warm', 'cool', 'rose', 'mint'] as const satisfies readonly Tint[];

export const DEVICES = ['mobile', 'desktop', 'kiosk'] as const;
export type Device = (typeof DEVICES)[number];

const SESSION_STATES = ['open', 'checking', 'in_review', 'settled', 'expired', 'cancelled'] as const;
export type SessionState = (typeof SESSION_STATES)[number];

const FLOW_STEPS = ['consent', 'phone', 'capture', 'result'] as const;
export type FlowStep = (typeof FLOW_STEPS)[number];

/** How the person sees the result. `pending` is a run in review; the page shows the ordinary end screen for it. */
const PRESENTATIONS = ['approved', 'flagged', 'denied', 'declined', 'pending'] as const;
export type Presentation = (typeof PRESENTATIONS)[number];

/**
 * What a person may be told after a failed attempt: always about the picture, never about them. `try_again` covers
 * every check whose name would help an attacker.
 */
export const PERSON_FINDINGS = [
  'no_face',
  'several_faces',
  'too_dark',
  'too_bright',
  'blurred',
  'too_far',
  'step_missed',
  'not_one_person',
  'too_slow',
  'try_again',
] as const;
export type PersonFinding = (typeof PERSON_FINDINGS)[number];

export const FlowResult = Type.Object({
  verified: Type.Boolean(),
  presented: oneOf(PRESENTATIONS),
  passed_before: Type.Optional(
    Type.Boolean({
      description:
        'Denied because the same person has passed here before. Only in a denial of a capture that a paired kiosk signed.',
    }),
  ),
  return_url: nullable('Where the person goes next, result parameters included.'),
  requested_url: nullable(
    'The same for the request’s own `redirect_url` alone; embedded flows follow no other.',
  ),
  vyt: Type.String({ description: 'Result token for the backend.' }),
  vyc: Type.Integer({ minimum: 0, maximum: 1, description: 'Hint only: 1 when approved.' }),
  own_data: Type.Optional(
    Type.String({
      description:
        'For 15 minutes after an approval: the proof with which the guest sees and erases their own data on `/my`. Not at a kiosk.',
    }),
  ),
});
export type FlowResult = Static<typeof FlowResult>;

export const Branding = Type.Object({
  organiser: Type.String({ description: 'Name of the company that asks for the check.' }),
  logo_url: nullable('Logo of the run’s event, a path on this origin.'),
  privacy_contact: Type.Optional(
    Type.String({ description: 'Whom guests ask about their data. Absent if the company names nobody.' }),
  ),
});
export type Branding = Static<typeof Branding>;

/** Phone verification; null if the run does not need it. */
export const PhoneState = Type.Object({
  locked: Type.Boolean({ description: 'The number is fixed.' }),
  read_out: Type.Optional(
    Type.Literal(true, { description: 'Nothing is sent: staff read the code out. Otherwise absent.' }),
  ),
  hint: nullable('The number, masked.'),
  code_sent_at: nullable('When the last code was sent.'),
  resend_at: nullable('From when another may be asked for.'),
  resend_in_ms: Type.Integer({
    minimum: 0,
    description: 'Time until then, for a device whose clock is wrong; 0 if another may be asked for.',
  }),
  tries_left: Type.Integer({ minimum: 0 }),
});
export type PhoneState = Static<typeof PhoneState>;

/** `ended`: the phone had three wrong numbers. */
const HANDOFF_STATES = ['offered', 'opened', 'confirmed', 'ended'] as const;
/** Handover from a desktop to a phone; null if none is in progress. */
export const HandoffState = Type.Object({
  state: oneOf(HANDOFF_STATES),
  expires_at: Type.String(),
  match_code: nullable(
    'The number for the desktop to show; null once the phone is confirmed or the code has ended.',
  ),
});
export type HandoffState = Static<typeof HandoffState>;

/** A person who is recorded erases the recording with `code`. `kept_until` is a day; `done` says that it is kept. */
const RecordingState = Type.Object({
  code: Type.String(),
  kept_until: Type.String(),
  done: Type.Boolean(),
});

/** State of a run as the page sees it: the reply of most flow calls, and the data of each SSE event. */
export const Snapshot = Type.Object({
  session_id: Type.String(),
  state: oneOf(SESSION_STATES),
  step: oneOf(FLOW_STEPS),
  is_test: Type.Boolean(),
  branding: Branding,
  attempts_left: Type.Integer({ minimum: 0 }),
  /** Findings of the last attempt if it failed; otherwise empty. */
  findings: Type.Array(oneOf(PERSON_FINDINGS)),
  /** The check can only be made at a paired kiosk, and this device is not one. Otherwise absent. */
  kiosk_required: Type.Optional(Type.Literal(true)),
  /** Whether the page should follow `return_url` immediately, without a result screen. */
  auto_return: Type.Boolean(),
  /** Maximum number of days that the person's template is kept without a new visit; shown with the consent. */
  retention_days: Type.Integer({ minimum: 0 }),
  /** The face is this event's alone, and is deleted that many days after its end; shown with the consent. Otherwise absent. */
  faces_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 365 })),
  /** The face is sealed with the code of the person's ticket; shown with the consent. Otherwise absent. */
  faces_sealed: Type.Optional(Type.Literal(true)),
  /** One photo of a guest who passes would be kept until then; shown with the consent. Absent if none is kept. */
  photo_until: Type.Optional(Type.String()),
  /** The capture is recorded to measure the rules on (`gatehouse record`), and lets nobody in. Otherwise absent. */
  recording: Type.Optional(RecordingState),
  expires_at: Type.String(),
  phone: Type.Unsafe<PhoneState | null>({ ...PhoneState, type: ['object', 'null'] }),
  handoff: Type.Unsafe<HandoffState | null>({ ...HandoffState, type: ['object', 'null'] }),
  result: Type.Unsafe<FlowResult | null>({ ...FlowResult, type: ['object', 'null'] }),
});
export type Snapshot = Static<typeof Snapshot>;

/** Random text that a page keeps, to continue after its connection was lost. */
export const ResumeKey = Type.String({ minLength: 16, maxLength: 128 });

export const OpenRequest = Type.Object({
  device: oneOf(DEVICES),
  /** Identifies the device that opened the session, even if the reply was lost. */
  resume_key: Type.Optional(ResumeKey),
  /** For a v2 direct link: verifies the link's number once, if it is a test number. */
  t: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TOKEN_CHARS })),
});
export type OpenRequest = Static<typeof OpenRequest>;
export const OpenResponse = Type.Object({ flow_token: Type.String(), snapshot: Snapshot });
export type OpenResponse = Static<typeof OpenResponse>;

/**
 * `text_version` names the consent text that was shown; `language` is its language; `photo_until`, `retention_days` and
 * `faces_days` repeat the snapshot's, if the text said so. A period that has changed since is refused with `consent_replaced`, and
 * so is a text of the product that says something else of what the face is for.
 */
export const ConsentRequest = Type.Object({
  accepted: Type.Literal(true),
  text_version: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  language: Type.Optional(Type.String({ minLength: 2, maxLength: 35 })),
  photo_until: Type.Optional(Type.String({ minLength: 10, maxLength: 40 })),
  retention_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
  faces_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 365 })),
});
export type ConsentRequest = Static<typeof ConsentRequest>;
/** The periods that a consent text names: the days for which a face is kept, without a visit or after its event, and until when one photo is. */
export type ShownPeriods = Pick<ConsentRequest, 'retention_days' | 'faces_days' | 'photo_until'>;

export const TestCaptureRequest = Type.Object({ face: Type.String({ minLength: 1, maxLength: 64 }) });

/** Can be left out if the number is locked. */
export const PhoneRequest = Type.Object({
  phone: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_PHONE_CHARS })),
});
/** Of the code of a phone number (decisions §6). */
export const CODE_DIGITS = 6;
export const PhoneConfirmRequest = Type.Object({ code: Type.String({ minLength: 1, maxLength: 12 }) });

/** Opens the run elsewhere, by the code of a link. */
const OFFER_OPENING = {
  session_id: Type.String({ maxLength: MAX_TOKEN_CHARS }),
  code: Type.String({ minLength: 1, maxLength: 128 }),
  device: oneOf(DEVICES),
  /** As in `open`: repeats a call whose reply was lost. */
  resume_key: Type.Optional(ResumeKey),
};

export const HandoffResponse = Type.Object({
  url: Type.String({ description: 'Link for the phone, shown as a QR code.' }),
  match_code: Type.String({
    description: 'Two digits for the desktop to show; the person types them on the phone.',
  }),
  expires_at: Type.String(),
});
export type HandoffResponse = Static<typeof HandoffResponse>;

export const HandoffOpenRequest = Type.Object(OFFER_OPENING);
export type HandoffOpenRequest = Static<typeof HandoffOpenRequest>;
/** All that a phone gets before the number was entered. */
export const HandoffOpenResponse = Type.Object({
  flow_token: Type.String(),
  branding: Branding,
  is_test: Type.Boolean(),
  tries_left: Type.Integer({ minimum: 0 }),
});
export type HandoffOpenResponse = Static<typeof HandoffOpenResponse>;
/** Of the number that a computer shows and its phone asks for. */
export const MATCH_CODE_DIGITS = 2;
/** The number shown on the desktop. Anything but two digits is refused without counting as a try. */
export const HandoffConfirmRequest = Type.Object({
  number: Type.String({ maxLength: MATCH_CODE_DIGITS, pattern: `^[0-9]{${MATCH_CODE_DIGITS}}$` }),
});

/** A link that moves the run to another browser of the same phone, for example out of an app without camera access. */
export const ContinuationResponse = Type.Object({
  url: Type.String({ description: 'Link for the other browser. Works once; its code is in the fragment.' }),
  expires_at: Type.String(),
});
export type ContinuationResponse = Static<typeof ContinuationResponse>;

export const ContinuationOpenRequest = Type.Object(OFFER_OPENING);
export type ContinuationOpenRequest = Static<typeof ContinuationOpenRequest>;

/** Decides a test run in review, so that integrators do not have to wait for a reviewer. */
export const TEST_DECISIONS = ['approve', 'deny', 'approve_flagged'] as const;
export type TestDecision = (typeof TEST_DECISIONS)[number];
export const TestReviewRequest = Type.Object({ decision: oneOf(TEST_DECISIONS) });

/** Errors of the flow API, as `{detail}`. */
export const FLOW_ERRORS = [
  'not found',
  'session_claimed',
  'session_expired',
  'session_settled',
  'session_cancelled',
  'wrong_step',
  'consent_replaced',
  'invite_revoked',
  'invite_redeemed',
  'flow_token_required',
  'invalid_flow_token',
  'link_used',
  'handoff_used',
  'handoff_expired',
  'handoff_unconfirmed',
  'session_continued',
  'continuation_used',
  'continuation_expired',
  'handoff_ended',
  'wrong_number',
  'identifier_unrecognized',
  'test_number_required',
  'wrong_code',
  'code_required',
  'code_expired',
  'resend_too_soon',
  'too_many_codes',
  'too_many_sessions',
  'challenge_expired',
  'challenge_used',
  'test_partition_only',
  'kiosk_required',
  'engine_busy',
  'engine_failed',
] as const;
export type FlowError = (typeof FLOW_ERRORS)[number];
