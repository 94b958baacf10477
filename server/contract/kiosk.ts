/**
 * Calls of a kiosk in addition to the flow API (`flow.ts`), on the public listener below `/kiosk`. Every call except
 * `pair` carries the device's token in `X-Kiosk-Token`. All times are ISO 8601 UTC; refusals are `{detail}`.
 */
import { Type, type Static } from 'typebox';
import { OpenResponse } from './flow.ts';
import { type Language, LanguageOffer, LANGUAGES } from './languages.ts';
import { nullable, nullableText, oneOf } from './schemas.ts';
import { MAX_TOKEN_CHARS, PIN_PATTERN } from './text-bounds.ts';

/** Header with the device's token from `pair`. */
export const KIOSK_TOKEN_HEADER = 'x-kiosk-token';

/** Languages of the kiosk, in their usual order. */
export const KIOSK_LANGUAGES = LANGUAGES;
export type KioskLanguage = Language;

/** The current screen of the kiosk; `trouble` is any screen that says why nobody can be checked right now. */
export const KIOSK_SCREENS = [
  'attract',
  // Only pages loaded before an upgrade still report it. Without it, the server would refuse their heartbeats.
  'language',
  'consent',
  'phone',
  'capture',
  'checking',
  // A guest asked for staff and waits.
  'ask_staff',
  'result',
  'scan',
  'trouble',
  'staff',
] as const;
export type KioskScreen = (typeof KIOSK_SCREENS)[number];

/** State of the kiosk's camera: `unknown` until it was tried, `silent` if it sends no picture. */
export const KIOSK_CAMERAS = [
  'unknown',
  'ready',
  'refused',
  'missing',
  'lost',
  'silent',
  'covered',
  'dark',
  'turned',
  'mirrored',
] as const;
export type KioskCamera = (typeof KIOSK_CAMERAS)[number];

/** Commands to a kiosk: start a walk-up, or cancel any current run and return to the first screen. */
export const KIOSK_COMMANDS = ['walk_up', 'reset'] as const;
export type KioskCommandKind = (typeof KIOSK_COMMANDS)[number];

export const EVENT_STATES = ['upcoming', 'running', 'over'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** By text. Instructions may be longer than what a guest sees for a moment. */
export const MAX_WORDS_CHARS = { welcome: 160, passed: 160, ask_staff: 240 } as const;

/**
 * An organiser's own texts in one language. A text that is left out uses the kiosk's own. Plain text, never markup.
 */
export const EventWords = Type.Object({
  welcome: Type.Optional(
    Type.String({
      maxLength: MAX_WORDS_CHARS.welcome,
      description: 'Shown on the first screen, below the event’s name.',
    }),
  ),
  passed: Type.Optional(
    Type.String({
      maxLength: MAX_WORDS_CHARS.passed,
      description: 'Shown on the result screen of guests who passed.',
    }),
  ),
  ask_staff: Type.Optional(
    Type.String({
      maxLength: MAX_WORDS_CHARS.ask_staff,
      description: 'Instructions for guests who can’t or don’t want to use the camera.',
    }),
  ),
});
export type EventWords = Static<typeof EventWords>;

/** By language. */
export const EventWordsByLanguage = Type.Object({
  en: Type.Optional(EventWords),
  es: Type.Optional(EventWords),
  fr: Type.Optional(EventWords),
  de: Type.Optional(EventWords),
});
export type EventWordsByLanguage = Static<typeof EventWordsByLanguage>;

/** `POST /kiosk/pair`, without a token: the code from the console, valid once and for ten minutes. */
export const KioskPairRequest = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 32, description: 'Spaces, hyphens and case do not matter.' }),
  public_key: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{87}$',
      description:
        'P-256 point, not compressed, base64url. The device keeps the private key and signs its stills with it.',
    }),
  ),
});
export const KioskPairResponse = Type.Object({
  kiosk_id: Type.String(),
  name: Type.String(),
  device_token: Type.String({ description: 'Stored by the device; shown once.' }),
});
export type KioskPairResponse = Static<typeof KioskPairResponse>;

/** Where pages find an event's logo or picture. */
export const logoPath = (id: string): string => `/kiosk/logos/${id}`;

export const KioskEvent = Type.Object({
  event_id: Type.String(),
  name: Type.String(),
  state: oneOf(EVENT_STATES),
  starts_at: Type.String(),
  ends_at: Type.String(),
  is_test: Type.Boolean({ description: 'Runs take test faces instead of a camera.' }),
  takes_tickets: Type.Boolean({ description: 'The event has tickets of other systems.' }),
  ticket_first: Type.Boolean({
    description:
      'A check begins with the ticket, whose code seals the guest’s face; otherwise it can be shown afterwards.',
  }),
  verification_id: Type.String(),
  languages: Type.Array(oneOf(KIOSK_LANGUAGES), {
    minItems: 1,
    description: 'Languages of the event that the installation offers, in their order.',
  }),
  words: EventWordsByLanguage,
  colour: nullable('The venue’s colour, `#rrggbb`; the kiosk changes it as far as contrast requires.'),
  logo_url: nullable('Path on this origin; changes with the picture.'),
  picture: Type.Union([
    Type.Object({
      url: Type.String({ description: 'Path on this origin; changes with the picture.' }),
      darkest: Type.String({ description: '`#rrggbb`: no pixel is darker in any channel.' }),
    }),
    Type.Null(),
  ]),
});
export type KioskEvent = Static<typeof KioskEvent>;

/** `GET /kiosk/config`. */
export const KioskConfig = Type.Object({
  kiosk_id: Type.String(),
  name: Type.String(),
  organiser: Type.String(),
  event: Type.Unsafe<KioskEvent | null>({ ...KioskEvent, type: ['object', 'null'] }),
  /** For the installation, for screens without an event. */
  languages: LanguageOffer,
  retention_days: Type.Integer({
    minimum: 0,
    description: 'As in the snapshot of the flow, for the consent screen.',
  }),
  config_version: Type.String({ description: 'Changes whenever anything above may have changed.' }),
});
export type KioskConfig = Static<typeof KioskConfig>;

const KioskCommand = Type.Object({ command_id: Type.String(), kind: oneOf(KIOSK_COMMANDS) });
type KioskCommand = Static<typeof KioskCommand>;

/**
 * The server's orders for the kiosk: the reply of a heartbeat, and the data of each `orders` event. The kiosk reloads
 * its config if `config_version` differs from its own. A command stays until a heartbeat reports it as handled, or for
 * a minute.
 */
export const KioskOrders = Type.Object({
  config_version: Type.String(),
  command: Type.Unsafe<KioskCommand | null>({ ...KioskCommand, type: ['object', 'null'] }),
  maintenance: Type.Boolean({ description: 'No run can be started or continued.' }),
  badges: Type.Integer({ minimum: 0, description: 'That wait to be printed at this kiosk.' }),
  server_time: Type.String(),
});
export type KioskOrders = Static<typeof KioskOrders>;

/** `POST /kiosk/heartbeat`, every `HEARTBEAT_EVERY_MS` and immediately after a change. */
export const KioskHeartbeat = Type.Object({
  screen: oneOf(KIOSK_SCREENS),
  camera: oneOf(KIOSK_CAMERAS),
  session_id: Type.Optional(nullableText(MAX_TOKEN_CHARS, 'Of the run under way.')),
  handled_command_id: Type.Optional(nullableText(MAX_TOKEN_CHARS, 'The command that was just carried out.')),
});
export type KioskHeartbeat = Static<typeof KioskHeartbeat>;
export const HEARTBEAT_EVERY_MS = 10_000;
/** A kiosk that has not reported for this long is shown as silent. */
export const KIOSK_SILENT_AFTER_MS = 15_000;
/** A kiosk that has not reported for this long is shown as away. */
export const KIOSK_AWAY_AFTER_MS = 35_000;

/** `GET /kiosk/events`: server-sent events; read them with `fetch`. */
export const KIOSK_ORDERS_EVENT = 'orders';
/** The token is no longer valid: the kiosk shows its pairing screen and does not reconnect. */
export const KIOSK_REVOKED_EVENT = 'revoked';

/**
 * `POST /kiosk/sessions {}`: a walk-up for the kiosk’s event, already opened on this kiosk; continue with the flow API
 * and `flow_token`. `POST /kiosk/scan`: the same for the session of a QR code.
 */
export const KioskScanRequest = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 2_048, description: 'Content of the QR code.' }),
});
export const KioskSessionResponse = OpenResponse;
export type KioskSessionResponse = OpenResponse;

/** Stands for the owner of the PIN. */
export const ANY_STAFF = 'anyone';

/**
 * `GET /kiosk/staff`: whether anyone can unlock the kiosk. One nameless entry if somebody has a PIN, else none: guests
 * see the screen before the PIN, so it names nobody.
 */
export const KioskStaff = Type.Object({
  items: Type.Array(Type.Object({ operator_id: Type.String(), name: Type.String() }), { maxItems: 1 }),
});
export type KioskStaff = Static<typeof KioskStaff>;

/**
 * `POST /kiosk/unlock`: a kiosk PIN. Five failures lock the kiosk for minutes, 25 all kiosks of the company. The actions of
 * staff send the PIN again, with the operator that this call named.
 */
export const KioskUnlockRequest = Type.Object({
  operator_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Left out until the PIN has named somebody.' }),
  ),
  pin: Type.String({ pattern: PIN_PATTERN }),
});
export type KioskUnlockRequest = Static<typeof KioskUnlockRequest>;
/** A guest who was denied at the kiosk, without a name: the screen of the kiosk showed them the same number. */
export const KioskGuest = Type.Object({
  session_id: Type.String(),
  number: Type.String(),
  at: Type.String(),
  reasons: Type.Array(Type.String()),
});
export type KioskGuest = Static<typeof KioskGuest>;

export const KioskUnlockResponse = Type.Object({
  people: Type.Array(Type.Object({ operator_id: Type.String(), name: Type.String() }), {
    minItems: 1,
    description:
      'Whose PIN it is. Of several who chose the same, the kiosk asks who is there and calls again.',
  }),
  events: Type.Array(Type.Object({ event_id: Type.String(), name: Type.String(), is_test: Type.Boolean() }), {
    description: 'Events that staff can give to this kiosk: running ones and those to come, earliest first.',
  }),
  guests: Type.Array(KioskGuest, {
    description: 'Whom this operator may let in: denied at this kiosk in the last half hour, newest first.',
  }),
});
export type KioskUnlockResponse = Static<typeof KioskUnlockResponse>;

/** The PIN again, of one operator. */
const KioskProof = Type.Object({
  operator_id: Type.String({ minLength: 1, maxLength: 64 }),
  pin: Type.String({ pattern: PIN_PATTERN }),
});
export type KioskProof = Static<typeof KioskProof>;

/** `POST /kiosk/unpair`: requires a PIN again, and revokes the device's token. */
export const KioskUnpairRequest = KioskProof;
export type KioskUnpairRequest = KioskProof;
export const KioskUnpairResponse = Type.Object({ kiosk_id: Type.String() });
export type KioskUnpairResponse = Static<typeof KioskUnpairResponse>;

/** `POST /kiosk/event`: assigns an event at the kiosk; requires the PIN again. */
export const KioskEventRequest = Type.Object({
  ...KioskProof.properties,
  event_id: Type.String({ minLength: 1, maxLength: 64 }),
});
export type KioskEventRequest = Static<typeof KioskEventRequest>;
export const KioskEventResponse = Type.Object({ event_id: Type.String() });
export type KioskEventResponse = Static<typeof KioskEventResponse>;

/** `POST /kiosk/let-in`: requires the PIN again, and the role of a reviewer. */
export const KioskLetInRequest = Type.Object({
  ...KioskProof.properties,
  session_id: Type.String({ minLength: 1, maxLength: MAX_TOKEN_CHARS }),
  reason: Type.String({ minLength: 3, maxLength: 500, description: 'For the audit log.' }),
});
export type KioskLetInRequest = Static<typeof KioskLetInRequest>;
export const KioskLetInResponse = Type.Object({ session_id: Type.String() });
export type KioskLetInResponse = Static<typeof KioskLetInResponse>;

/** Refusals of `/kiosk`, as `{detail}`; `scan` can also return those of the flow API's `open`. */
export const KIOSK_ERRORS = [
  'invalid_pairing_code',
  'too_many_pairings',
  'kiosk_token_required',
  'invalid_kiosk_token',
  'invalid_device_key',
  'no_event',
  'event_not_started',
  'event_over',
  'not_our_link',
  'wrong_pin',
  'locked_out',
  'busy',
] as const;
export type KioskError = (typeof KIOSK_ERRORS)[number];
