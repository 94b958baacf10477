/** Events of a venue: `/console/api/events`. Staff see them; admins create and change them. Times are ISO 8601. */
import { Type, type Static } from 'typebox';
import {
  LIMIT_KINDS,
  type LimitKind,
  pageOf,
  PageQuery,
  ReasonText,
  Version,
  withVersion,
} from './common.ts';
import { nullable, oneOf } from '../schemas.ts';
import { EVENT_STATES, EventWordsByLanguage, KIOSK_LANGUAGES, type KioskLanguage } from '../kiosk.ts';
import { BADGE_TEMPLATE, MAX_BADGE_CHARS, MAX_BADGE_MM, MIN_BADGE_MM } from '../badges.ts';
import { MAX_ID_LENGTH } from '../text-bounds.ts';
import { nullableInteger } from './sessions.ts';
import { TicketReport } from './ticket-report.ts';
import { VerificationLabel } from './verifications.ts';

export const MAX_EVENT_NAME_CHARS = 80;
/** The length of a season. A longer event has the wrong year. */
export const MAX_EVENT_DAYS = 366;
/** Days after an event for which it can keep photos of guests. */
export const MAX_GUEST_PHOTO_DAYS = 30;
/**
 * What an event's faces are for. `event`: searched inside the event only, and deleted after it; `ticket`: each sealed with its
 * ticket's code, compared one to one with it and searched for nowhere, deleted after the event; `organiser`: kept as the
 * organiser's retention says, and searched across events.
 */
export const FACES = ['event', 'ticket', 'organiser'] as const;
export type Faces = (typeof FACES)[number];
/** Days after an event for which it can keep its faces, and the usual number. */
export const MAX_FACES_DAYS = 30;
export const USUAL_FACES_DAYS = 1;
export const MAX_LOGO_BYTES = 2_000_000;
export const MAX_PICTURE_BYTES = 8_000_000;
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

export const MAX_ENTRIES = 1_000;

export const EventLimit = Type.Object({
  kind: oneOf(LIMIT_KINDS),
  max: Type.Integer({ minimum: 1, maximum: MAX_ENTRIES, description: 'Entries per person.' }),
});
export type EventLimit = { kind: LimitKind; max: number };

const badgeSide = Type.Integer({ minimum: MIN_BADGE_MM, maximum: MAX_BADGE_MM });

export const EventRecord = Type.Object({
  event_id: Type.String(),
  name: Type.String(),
  state: oneOf(EVENT_STATES),
  starts_at: Type.String(),
  ends_at: Type.String(),
  verification_id: Type.String(),
  group: Type.String({ description: 'Uniqueness pool of the event’s runs.' }),
  limit: EventLimit,
  languages: Type.Array(oneOf(KIOSK_LANGUAGES), { description: 'The event’s own list.' }),
  kiosk_languages: Type.Array(oneOf(KIOSK_LANGUAGES), {
    description: 'Languages that its kiosks offer now, the greeting language first.',
  }),
  words: EventWordsByLanguage,
  colour: nullable('The venue’s colour on the kiosk, `#rrggbb`.'),
  guest_photo_days: nullableInteger(
    'Days after its end for which one photo of each guest who passed is kept; null if none is.',
  ),
  fast_lane: Type.Boolean({
    description:
      'A guest who comes back with their ticket passes a shorter check at a kiosk, while nothing is in doubt.',
  }),
  badge: nullable('Template of the badge that a kiosk prints for the guest of each ticket; null for none.'),
  badge_width_mm: badgeSide,
  badge_height_mm: badgeSide,
  faces: oneOf(FACES),
  faces_days: Type.Integer({ minimum: 0, maximum: MAX_FACES_DAYS }),
  faces_until: nullable('When the event’s faces are deleted; null if the organiser’s retention applies.'),
  keeps_codes: Type.Boolean({
    description:
      'The codes of its tickets are kept, encrypted, because a ticketing system has to be told them; of others only an HMAC is.',
  }),
  logo_id: nullable('Changes with each picture; `GET /events/{event_id}/logo` returns it.'),
  picture_id: nullable('Changes with each picture; `GET /events/{event_id}/picture` returns it.'),
  kiosks: Type.Integer({ description: 'Number of kiosks assigned to it.' }),
  created_at: Type.String(),
  updated_at: Type.String(),
  version: Version,
});
export type EventRecord = Static<typeof EventRecord>;

export const EventListQuery = { ...PageQuery } as const;
/** Latest start first. */
export const EventPage = pageOf(EventRecord);
export type EventPage = Static<typeof EventPage>;

const name = Type.String({ minLength: 1, maxLength: MAX_EVENT_NAME_CHARS });
const time = Type.String({ minLength: 10, maxLength: 40, description: 'ISO 8601.' });
const group = Type.String({ minLength: 1, maxLength: MAX_ID_LENGTH });
const colour = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  pattern: '^#[0-9a-f]{6}$',
  description: 'The venue’s colour on the kiosk, `#rrggbb`; null for the product’s own.',
});
const guestPhotoDays = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 0,
  maximum: MAX_GUEST_PHOTO_DAYS,
  description:
    'Keeps one photo of each guest who passes and has agreed to it, for reviewers, until so many days after the event; null keeps none and deletes those that were kept.',
});
const faces = Type.Unsafe<Faces>({
  type: 'string',
  enum: [...FACES],
  description:
    '`event`: faces are searched inside the event only, and deleted after it (new events). `ticket`: each face is sealed with the code of its ticket, compared with that ticket’s guest only, and deleted after the event; one person can hold several tickets. `organiser`: the company’s retention, across events. Fixed once the first check has begun.',
});
const badge = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  minLength: 1,
  maxLength: MAX_BADGE_CHARS,
  pattern: BADGE_TEMPLATE.source,
  description:
    'Template of the badge that a kiosk prints for the guest of each ticket; null, the default, prints none. Text, the elements h1, h2, p, strong, em, small, br and hr without attributes, and the fields {name}, {kind}, {event} and {order}.',
});
const facesDays = Type.Integer({
  minimum: 0,
  maximum: MAX_FACES_DAYS,
  description: 'Days after its end at which the event’s faces are deleted; 1 by default.',
});
const languages = Type.Unsafe<KioskLanguage[]>({
  type: 'array',
  items: { type: 'string', enum: [...KIOSK_LANGUAGES] },
  minItems: 1,
  maxItems: KIOSK_LANGUAGES.length,
  uniqueItems: true,
});

const eventOptions = {
  verification_id: Type.Optional(Type.String({ maxLength: 64 })),
  group: Type.Optional(group),
  limit: Type.Optional(EventLimit),
  languages: Type.Optional(languages),
  words: Type.Optional(EventWordsByLanguage),
  colour: Type.Optional(colour),
  guest_photo_days: Type.Optional(guestPhotoDays),
  fast_lane: Type.Optional(Type.Boolean({ description: 'Off by default.' })),
  badge: Type.Optional(badge),
  badge_width_mm: Type.Optional(badgeSide),
  badge_height_mm: Type.Optional(badgeSide),
  faces: Type.Optional(faces),
  faces_days: Type.Optional(facesDays),
};

/** `POST /events`. Defaults to the company's default verification, and to a new group for the event. */
export const EventCreate = Type.Object({
  name,
  starts_at: time,
  ends_at: time,
  ...eventOptions,
});
export type EventCreate = Static<typeof EventCreate>;

/** `PATCH /events/{event_id}`: fields left out stay unchanged. */
export const EventUpdate = Type.Object({
  name: Type.Optional(name),
  starts_at: Type.Optional(time),
  ends_at: Type.Optional(time),
  ...eventOptions,
  reason: ReasonText,
  ...withVersion,
});
export type EventUpdate = Static<typeof EventUpdate>;

/** `GET /events/options`: the verifications that an event can use, and the languages that the installation offers. */
export const EventOptions = Type.Object({
  verifications: Type.Array(VerificationLabel),
  languages: Type.Array(oneOf(KIOSK_LANGUAGES)),
});
export type EventOptions = Static<typeof EventOptions>;

const count = Type.Integer({ minimum: 0 });
const seconds = Type.Unsafe<number | null>({
  type: ['number', 'null'],
  description: 'Null if there were no runs.',
});

/** The end of an event's faces: what was deleted, when, and the entry of the audit log that says so. */
export const FacesEnd = Type.Object({
  certificate_id: Type.String(),
  ended_at: Type.String(),
  removed: Type.Object({
    people: Type.Integer({ minimum: 0, description: 'Whose face was enrolled.' }),
    faces: Type.Integer({ minimum: 0, description: 'Face templates; a person can have several.' }),
    case_faces: Type.Integer({ minimum: 0, description: 'Face templates of reviews.' }),
    case_pictures: Type.Integer({ minimum: 0, description: 'Pictures of reviews.' }),
  }),
  backups: Type.Union(
    [
      Type.Object({
        replaced: Type.Array(Type.String(), { description: 'Names of automatic backups that were deleted.' }),
        by_hand: Type.Array(Type.Object({ file: Type.String(), made_at: Type.String() }), {
          description: 'Backups made by hand that contain the faces: delete them yourself.',
        }),
        is_own: Type.Boolean({
          description: 'False on PostgreSQL, of which the operator makes the backups.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'Null until the automatic backups are replaced.' },
  ),
  audit_seq: nullableInteger('Entry of the audit log.'),
  hash: nullable('SHA-256 of that entry, as in the log’s chain.'),
});
export type FacesEnd = Static<typeof FacesEnd>;

/** How runs ended. Admitted: `passed`, `passed_again` and `flagged`. */
export const RunCounts = Type.Object({
  ended: count,
  passed: count,
  passed_again: Type.Integer({
    minimum: 0,
    description: 'An earlier pass was still valid, or the limit allowed another entry.',
  }),
  flagged: Type.Integer({ minimum: 0, description: 'Let in, with findings.' }),
  turned_away: count,
  declined: Type.Integer({ minimum: 0, description: 'The person chose not to be checked.' }),
  in_review: count,
  unfinished: Type.Integer({ minimum: 0, description: 'Cancelled or expired.' }),
});
export type RunCounts = Static<typeof RunCounts>;

/** `GET /events/{event_id}/report`, during and after the event; `…/report.csv` is the same as a table. */
export const EventReport = Type.Object({
  event: EventRecord,
  made_at: Type.String(),
  counts: RunCounts,
  /** Every hour from the first check to the last, also empty ones; of more than 400, only those with checks. */
  hours: Type.Array(
    Type.Object({
      from: Type.String({ description: 'Start of the hour.' }),
      let_in: count,
      turned_away: count,
      in_review: count,
    }),
  ),
  reasons: Type.Array(
    Type.Object({
      reason: Type.String(),
      count,
      share: Type.Number({ description: 'Share of the people turned away, 0 to 1.' }),
    }),
  ),
  kiosk_time: Type.Object({ runs: count, median_s: seconds, p90_s: seconds }),
  kiosks: Type.Array(
    Type.Object({
      kiosk_id: Type.String(),
      name: Type.String(),
      runs: count,
      let_in: count,
      median_s: seconds,
    }),
  ),
  cases: Type.Object({
    open: count,
    same_person: count,
    different_people: count,
    same_person_allow: count,
  }),
  faces_ends: Type.Array(FacesEnd, {
    description: 'One each time the event’s faces were deleted, the latest first; at most 20.',
  }),
  tickets: Type.Union([TicketReport, Type.Null()], { description: 'Null for an event without tickets.' }),
});
export type EventReport = Static<typeof EventReport>;
