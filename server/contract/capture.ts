/**
 * The capture: the messages between a page and the server during a check. One protocol, two transports: a
 * WebSocket (`GET /flow/sessions/{id}/capture`, one message each way per frame), or single POSTs (`POST
 * …/capture/messages`, one message in the body, a list of answers in the reply). `docs/explanation/capture.md`
 * describes it.
 *
 * The server leads and reveals one request at a time. Times in the messages are durations in milliseconds, so the two
 * clocks never have to agree. The server does not trust anything that a page reports about itself: it judges the
 * pictures.
 */
import { Type, type Static } from 'typebox';
import { LIVENESS_STEPS, ResumeKey, Snapshot, TINT_NAMES } from './flow.ts';
import { oneOf } from './schemas.ts';
import { MAX_TOKEN_CHARS } from './text-bounds.ts';

/** Raised when pages of an older version can no longer take part; such a page gets `page_outdated`. */
export const CAPTURE_PROTOCOL = 1;

/**
 * `coached`: the page finds the face and sends suitable stills. `stills`: the page has no landmarker and sends about
 * one still a second; only the server gives hints.
 */
const CAPTURE_MODES = ['coached', 'stills'] as const;
export type CaptureMode = (typeof CAPTURE_MODES)[number];

export const CAPTURE_BOUNDS = {
  /** Size of one JPEG in bytes. */
  maxStillBytes: 600_000,
  /** Size of all JPEGs of one capture in bytes. */
  maxTotalBytes: 8_000_000,
  /** Size of a text message, and of a still's header, in bytes. */
  maxTextBytes: 2_048,
  /** Stills of one capture that can be waiting for judgement. Another one is refused with `wait`. */
  maxUnjudged: 4,
  /** Stills of one capture, including refused ones. Without a landmarker, a page sends one a second for up to 300 seconds. */
  maxStills: { coached: 48, stills: 320 },
} as const;

/** How to make a still usable. The words are the same in every mode, and never state a suspicion. */
const CAPTURE_HINTS = [
  'no_face',
  'several_faces',
  /** Mouth and nose seem to be covered, as by a mask. */
  'face_covered',
  'too_dark',
  'too_bright',
  'blurred',
  'too_far',
  'too_close',
  'off_centre',
  'look_straight',
  'hold_still',
  /** The step is right so far; go further. */
  'more',
  /** The head is turned too far to be recognised. */
  'less',
  /** The head is turned to the wrong side, as it also seems in a mirrored picture. */
  'other_side',
  /** The still arrived before `opens_in_ms` had passed. */
  'too_early',
  /** The still arrived after `closes_in_ms`. */
  'too_late',
] as const;
export type CaptureHint = (typeof CAPTURE_HINTS)[number];

/** What the page can detect about its camera. It raises the risk score but never decides. */
const Camera = Type.Object({
  virtual: Type.Boolean({ description: 'The camera has the name of a virtual camera.' }),
  changed: Type.Boolean({ description: 'The camera or its resolution has changed since the capture began.' }),
});

export type CameraSeen = Static<typeof Camera>;

/**
 * First message of every connection; over POST, the first message of a capture. Without `resume_key`, or with one that
 * the server no longer knows, a new capture begins and replaces the session's current one.
 */
export const Hello = Type.Object({
  type: Type.Literal('hello'),
  protocol: Type.Integer({ minimum: 1, maximum: 1_000 }),
  mode: oneOf(CAPTURE_MODES),
  /** Required on a WebSocket. Over POST, send it as `X-Flow-Token`, as in every flow call. */
  flow_token: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_TOKEN_CHARS })),
  /** From the `welcome` of the capture to continue. */
  resume_key: Type.Optional(ResumeKey),
  /** The page changes its colours slowly, so tints have longer time windows. */
  calm: Type.Optional(Type.Boolean()),
  camera: Type.Optional(Camera),
});

/** The camera was changed. A hint that can be sent at any time after `hello`. */
export const CameraReport = Type.Object({ type: Type.Literal('camera'), camera: Camera });

/** Over POST: polls for messages of the server. On a WebSocket: asks whether the server is there, which answers `here`. */
export const Poll = Type.Object({ type: Type.Literal('poll') });

/** The page abandons the capture, for example when the person goes back or turns the phone. No attempt is counted. */
export const Leave = Type.Object({ type: Type.Literal('leave') });

/**
 * Header of a still. The message is binary: the header's length in bytes (unsigned 16 bits, big-endian), the header as JSON
 * in UTF-8, then the JPEG. See `stillPrefix`.
 */
export const StillHeader = Type.Object({
  type: Type.Literal('still'),
  /** `id` of the request that the still answers. */
  request: Type.Integer({ minimum: 1, maximum: 10_000 }),
  /**
   * 0 for the first still of a capture, then incremented. A repeated number is answered again but not judged again.
   */
  seq: Type.Integer({ minimum: 0, maximum: 10_000 }),
  /** From a kiosk, if `welcome` gave a `sign_nonce`: ECDSA P-256 with SHA-256, r and s concatenated, base64url. */
  signature: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{86}$' })),
});
export type StillHeader = Static<typeof StillHeader>;

export const ClientMessage = Type.Union([Hello, CameraReport, Poll, Leave]);
export type ClientMessage = Static<typeof ClientMessage>;
export type Hello = Static<typeof Hello>;

/** Answer to `hello`. */
const Welcome = Type.Object({
  type: Type.Literal('welcome'),
  /** Resumes this capture on another connection. */
  resume_key: Type.String(),
  /** Whether the capture of the `resume_key` continues; otherwise the page starts over. */
  resumed: Type.Boolean(),
  /** A paired kiosk signs its stills together with this text. Absent for other pages. */
  sign_nonce: Type.Optional(Type.String()),
  /** The first `seq` that has not arrived. */
  next_seq: Type.Integer({ minimum: 0 }),
  /** How long a dropped connection can be resumed. */
  resume_within_ms: Type.Integer({ minimum: 0 }),
  /** When the whole capture ends. */
  ends_in_ms: Type.Integer({ minimum: 0 }),
});

/**
 * The current request to the person; it replaces the previous one. The next one is drawn only when this one is
 * answered with `stills` stills, or its time window ends.
 */
export const CaptureRequest = Type.Object({
  type: Type.Literal('request'),
  /** Increases within a capture. */
  id: Type.Integer({ minimum: 1 }),
  /**
   * `tint`: a face at rest that looks at the camera, lit by `tint`. `step`: the person does `step`; the stills show it
   * at its peak.
   */
  ask: oneOf(['tint', 'step'] as const),
  tint: Type.Optional(oneOf(TINT_NAMES)),
  step: Type.Optional(oneOf(LIVENESS_STEPS)),
  /** With `tint`: the step that is asked for next. A page shows it once the still is taken; its time has begun. */
  then: Type.Optional(oneOf(LIVENESS_STEPS)),
  /** The step was asked for before and not seen: say it in other words, and show its drawing. */
  again: Type.Optional(Type.Literal(true)),
  /** Number of stills that answer the request. */
  stills: Type.Integer({ minimum: 1, maximum: 4 }),
  /** A still that arrives sooner does not count: no person, and no light, is that fast. */
  opens_in_ms: Type.Integer({ minimum: 0 }),
  /** A still that arrives later does not count, and another request replaces this one. A step is asked for three times at most. */
  closes_in_ms: Type.Integer({ minimum: 0 }),
  /** Steps that are done, and the number known so far. More may be requested. */
  steps_done: Type.Integer({ minimum: 0 }),
  steps_expected: Type.Integer({ minimum: 1 }),
});
export type CaptureRequest = Static<typeof CaptureRequest>;

/** The result for one still; in `stills` mode also how to improve. */
const Judged = Type.Object({
  type: Type.Literal('judged'),
  seq: Type.Integer({ minimum: 0 }),
  /** Whether it is usable. */
  usable: Type.Boolean(),
  /** The most important first. A usable still can have hints, too. */
  hints: Type.Array(oneOf(CAPTURE_HINTS), { maxItems: 4 }),
});

/**
 * The still with this `seq` was not accepted because too many are waiting. Send it, or a newer one, under the same
 * `seq` later.
 */
const Wait = Type.Object({
  type: Type.Literal('wait'),
  seq: Type.Integer({ minimum: 0 }),
  retry_in_ms: Type.Integer({ minimum: 0 }),
});

/** All stills have arrived and are being judged. Nothing is requested now; another request may follow. */
const Checking = Type.Object({ type: Type.Literal('checking') });

/** Answer to `poll` on a WebSocket: the connection works in both directions. */
const Here = Type.Object({ type: Type.Literal('here') });

/** The end, with the current session. If attempts and findings remain, a new `hello` begins the next attempt. */
const Verdict = Type.Object({ type: Type.Literal('verdict'), snapshot: Snapshot });

/**
 * Why a capture ended without a verdict. No attempt is counted; a new `hello` begins again. A second capture of the session
 * that takes too long after a step was shown gets a `verdict` on what arrived instead.
 */
const AGAIN_REASONS = [
  /** No usable still for too long, or the whole capture took too long. */
  'too_slow',
  /** Another page of the same device has started a capture of this session. Do not start again automatically. */
  'taken_over',
  /** The server is shutting down. */
  'restarting',
] as const;
export type AgainReason = (typeof AGAIN_REASONS)[number];
const Again = Type.Object({ type: Type.Literal('again'), reason: oneOf(AGAIN_REASONS) });

/** Codes of `CaptureError` in addition to those of the flow API. */
export type CaptureErrorCode =
  /** Not a message of this protocol, or not allowed now. */
  | 'message_invalid'
  /** No `hello` was sent. */
  | 'hello_required'
  /** The page is older than the server: reload it. */
  | 'page_outdated'
  | 'still_too_large'
  /** The still cannot be decoded as a picture. */
  | 'unreadable_frame'
  /** More stills than a capture needs. */
  | 'too_many_stills'
  /** The server, or this address, has reached its maximum number of captures. Try again after `retry_in_ms`. */
  | 'too_many_captures';

/** A refusal. After a `fatal` one the capture is over and a WebSocket is closed. */
const CaptureError = Type.Object({
  type: Type.Literal('error'),
  /** A `CaptureErrorCode` or one of `FLOW_ERRORS`. */
  code: Type.String(),
  fatal: Type.Boolean(),
  retry_in_ms: Type.Optional(Type.Integer({ minimum: 0 })),
});

export const ServerMessage = Type.Union([
  Welcome,
  CaptureRequest,
  Judged,
  Wait,
  Checking,
  Here,
  Verdict,
  Again,
  CaptureError,
]);
export type ServerMessage = Static<typeof ServerMessage>;

/** Reply of `POST …/capture/messages`, oldest first. Waits up to a second for a message. */
export const CaptureAnswers = Type.Object({ messages: Type.Array(ServerMessage) });
export type CaptureAnswers = Static<typeof CaptureAnswers>;

/** The part of a still's message that comes before the JPEG. */
export function stillPrefix(header: StillHeader): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const prefix = new Uint8Array(2 + json.length);
  new DataView(prefix.buffer).setUint16(0, json.length);
  prefix.set(json, 2);
  return prefix;
}
