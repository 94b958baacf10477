/**
 * The live capture: what a page and the server say to each other while a person is being checked. One protocol, two
 * carriers: a WebSocket (`GET /flow/sessions/{id}/capture`, one message each way per frame), or single POSTs
 * (`POST …/capture/messages`, one message in the body, a list of answers in the reply). `docs/explanation/live-capture.md` describes it.
 *
 * The server leads and reveals one request at a time. Times in the messages are durations in milliseconds, so the two clocks
 * never have to agree. Nothing that a page says about itself is believed: pictures are judged on the server.
 */
import { Type, type Static } from 'typebox';
import { LIVENESS_STEPS, Snapshot, TINT_NAMES } from './flow.ts';

const oneOf = <const T extends readonly string[]>(values: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values] });

/** Raised when a page of an older version could no longer take part; such a page is told `page_outdated`. */
export const LIVE_PROTOCOL = 1;

/**
 * `coached`: the page finds the face itself and sends the right stills. `stills`: the page has no landmarker and sends a
 * still about each second; the server alone coaches.
 */
export const LIVE_MODES = ['coached', 'stills'] as const;
export type LiveMode = (typeof LIVE_MODES)[number];

export const LIVE_LIMITS = {
  /** Bytes of one JPEG. */
  maxStillBytes: 600_000,
  /** Bytes of all JPEGs of one capture. */
  maxTotalBytes: 8_000_000,
  /** Bytes of a text message, and of a still's header. */
  maxTextBytes: 2_048,
  /** Stills of one capture that may wait to be judged; one more is refused with `wait`. */
  maxUnjudged: 4,
  /** Stills of one capture, refused ones included. */
  maxStills: { coached: 48, stills: 160 },
} as const;

/** What a still needs to be of use; the same words in every mode, never a suspicion. */
export const LIVE_HINTS = [
  'no_face',
  'several_faces',
  'too_dark',
  'too_bright',
  'blurred',
  'too_far',
  'too_close',
  'off_centre',
  'look_straight',
  'hold_still',
  /** The step is right so far: further. */
  'more',
  /** The head is turned too far to be recognised. */
  'less',
  /** The still came before `opens_in_ms` had passed. */
  'too_early',
  /** The still came after `closes_in_ms`. */
  'too_late',
] as const;
export type LiveHint = (typeof LIVE_HINTS)[number];

/** What the page can tell of its camera. It raises the risk score and never decides. */
const Camera = Type.Object({
  virtual: Type.Boolean({ description: 'The camera has the name of a virtual camera.' }),
  changed: Type.Boolean({ description: 'The camera or its resolution has changed since the capture began.' }),
});

export type CameraSeen = Static<typeof Camera>;

/**
 * First message of every connection; over POST, the first message of a capture. Without `resume_key`, or with one that the
 * server no longer knows, a new capture begins and replaces the session's present one.
 */
export const Hello = Type.Object({
  type: Type.Literal('hello'),
  protocol: Type.Integer({ minimum: 1, maximum: 1_000 }),
  mode: oneOf(LIVE_MODES),
  /** Required on a WebSocket. Over POST it is sent as `X-Flow-Token`, as in every flow call. */
  flow_token: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  /** From the `welcome` of the capture to continue. */
  resume_key: Type.Optional(Type.String({ minLength: 16, maxLength: 128 })),
  /** The page changes its colours slowly: the windows of tints are longer. */
  calm: Type.Optional(Type.Boolean()),
  camera: Type.Optional(Camera),
});

/** The camera became another one. A hint, sent at any time after `hello`. */
export const CameraReport = Type.Object({ type: Type.Literal('camera'), camera: Camera });

/** Over POST: nothing to say; asks for what the server has to say. On a WebSocket: the person is still there. */
export const Poll = Type.Object({ type: Type.Literal('poll') });

/** The page gives the capture up, as when the person goes back or the phone was turned. No attempt is counted. */
export const Leave = Type.Object({ type: Type.Literal('leave') });

/**
 * Header of a still. The message is binary: the header's length in bytes (unsigned 16 bits, big-endian), the header as JSON
 * in UTF-8, then the JPEG. See `stillPrefix`.
 */
export const StillHeader = Type.Object({
  type: Type.Literal('still'),
  /** `id` of the request that it answers. */
  request: Type.Integer({ minimum: 1, maximum: 10_000 }),
  /** 0 for the first still of a capture, then one more each. A repeated number is answered again and not judged again. */
  seq: Type.Integer({ minimum: 0, maximum: 10_000 }),
  /** Of a kiosk, where `welcome` gave a `sign_nonce`: ECDSA P-256 with SHA-256, r and s side by side, base64url. */
  signature: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{86}$' })),
});
export type StillHeader = Static<typeof StillHeader>;

export const ClientMessage = Type.Union([Hello, CameraReport, Poll, Leave]);
export type ClientMessage = Static<typeof ClientMessage>;
export type Hello = Static<typeof Hello>;

/** Answer to `hello`. */
export const Welcome = Type.Object({
  type: Type.Literal('welcome'),
  /** Continues this capture on another connection. */
  resume_key: Type.String(),
  /** Whether the capture of the `resume_key` continues; otherwise the page begins again. */
  resumed: Type.Boolean(),
  /** A paired kiosk signs its stills together with this text; absent everywhere else. */
  sign_nonce: Type.Optional(Type.String()),
  /** The first `seq` that has not arrived. */
  next_seq: Type.Integer({ minimum: 0 }),
  /** How long a dropped connection may be resumed. */
  resume_within_ms: Type.Integer({ minimum: 0 }),
  /** When the whole capture ends. */
  ends_in_ms: Type.Integer({ minimum: 0 }),
});

/**
 * What the person is asked for now; it replaces the request before. The next one is drawn only when this one is answered with
 * `stills` stills, or its window is over.
 */
export const LiveRequest = Type.Object({
  type: Type.Literal('request'),
  /** Counts up within a capture. */
  id: Type.Integer({ minimum: 1 }),
  /**
   * `tint`: a face at rest that looks at the camera, lit by `tint`. `step`: the person does `step`; the stills show it at its
   * peak.
   */
  ask: oneOf(['tint', 'step'] as const),
  tint: Type.Optional(oneOf(TINT_NAMES)),
  step: Type.Optional(oneOf(LIVENESS_STEPS)),
  /** How many stills answer it. */
  stills: Type.Integer({ minimum: 1, maximum: 4 }),
  /** A still that arrives sooner does not count: nobody, or no light, is that fast. */
  opens_in_ms: Type.Integer({ minimum: 0 }),
  /** A still that arrives later does not count, and another request takes this one's place. */
  closes_in_ms: Type.Integer({ minimum: 0 }),
  /** Steps that are done, and how many there will be as far as is known. More may be asked for. */
  steps_done: Type.Integer({ minimum: 0 }),
  steps_expected: Type.Integer({ minimum: 1 }),
});
export type LiveRequest = Static<typeof LiveRequest>;

/** What became of one still; in `stills` mode also how to do better. */
export const Judged = Type.Object({
  type: Type.Literal('judged'),
  seq: Type.Integer({ minimum: 0 }),
  /** Whether it can be used. */
  usable: Type.Boolean(),
  /** The most important first; may also be given for a usable still. */
  hints: Type.Array(oneOf(LIVE_HINTS), { maxItems: 4 }),
});

/** The still with this `seq` was not taken, because too many wait. Send it, or a newer one, under the same `seq` later. */
export const Wait = Type.Object({
  type: Type.Literal('wait'),
  seq: Type.Integer({ minimum: 0 }),
  retry_in_ms: Type.Integer({ minimum: 0 }),
});

/** All stills have come and are being judged. Nothing is asked for now; a request may still follow. */
export const Checking = Type.Object({ type: Type.Literal('checking') });

/** The end: the session as it is now. With attempts left and findings, a new `hello` begins the next attempt. */
export const Verdict = Type.Object({ type: Type.Literal('verdict'), snapshot: Snapshot });

/** Why a capture ended without a verdict. No attempt is counted; a new `hello` begins again. */
export const AGAIN_REASONS = [
  /** Nothing usable came for too long, or the whole capture took too long. */
  'too_slow',
  /** Another page of the same device has begun a capture of this session. Do not begin again unasked. */
  'taken_over',
  /** The server is shutting down. */
  'restarting',
] as const;
export type AgainReason = (typeof AGAIN_REASONS)[number];
export const Again = Type.Object({ type: Type.Literal('again'), reason: oneOf(AGAIN_REASONS) });

/** Codes of `LiveError` beside those of the flow API. */
export const LIVE_ERRORS = [
  /** Not a message of this protocol, or not allowed now. */
  'message_invalid',
  /** `hello` has not been said. */
  'hello_required',
  /** The page is older than the server: reload it. */
  'page_outdated',
  'still_too_large',
  /** The still is no picture that can be decoded. */
  'unreadable_frame',
  /** More stills than a capture needs. */
  'too_many_stills',
  /** The server, or this address, has as many captures as it can take. Try again after `retry_in_ms`. */
  'too_many_captures',
] as const;

/** A refusal. After a `fatal` one the capture is over and a WebSocket is closed. */
export const LiveError = Type.Object({
  type: Type.Literal('error'),
  /** One of `LIVE_ERRORS` or `FLOW_ERRORS`. */
  code: Type.String(),
  fatal: Type.Boolean(),
  retry_in_ms: Type.Optional(Type.Integer({ minimum: 0 })),
});

export const ServerMessage = Type.Union([
  Welcome,
  LiveRequest,
  Judged,
  Wait,
  Checking,
  Verdict,
  Again,
  LiveError,
]);
export type ServerMessage = Static<typeof ServerMessage>;

/** Reply of `POST …/capture/messages`, oldest first. Waits up to a second for something to say. */
export const LiveAnswers = Type.Object({ messages: Type.Array(ServerMessage) });
export type LiveAnswers = Static<typeof LiveAnswers>;

/** Everything of a still's message that comes before the JPEG. */
export function stillPrefix(header: StillHeader): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const prefix = new Uint8Array(2 + json.length);
  new DataView(prefix.buffer).setUint16(0, json.length);
  prefix.set(json, 2);
  return prefix;
}
