/** The values of an event's form, and the data to send. */
import {
  type EventCreate,
  type EventLimit,
  type EventRecord,
  type Faces,
  USUAL_FACES_DAYS,
} from '../../../../server/contract/console/events.ts';
import { BADGE_TEMPLATE, USUAL_BADGE_SIZE } from '../../../../server/contract/badges.ts';
import {
  type EventWords,
  type EventWordsByLanguage,
  KIOSK_LANGUAGES,
  type KioskLanguage,
} from '../../../../server/contract/kiosk.ts';
import { changedFields } from '../shared/dialogs/changed.ts';
import { withPart } from '../shared/forms/with-part.ts';
import { fromField, toField } from '../shared/time/field.ts';

export type EventDraft = {
  name: string;
  /** As in `datetime-local` fields: the venue's time, to the minute. */
  starts: string;
  ends: string;
  verificationId: string;
  group: string;
  limit: EventLimit;
  languages: readonly KioskLanguage[];
  words: EventWordsByLanguage;
  /** `#rrggbb`; null for the product's own. */
  colour: string | null;
  /** Days after its end for which photos of guests are kept; null for none. */
  guestPhotoDays: number | null;
  /** A shorter check for guests who come back with their ticket. */
  fastLane: boolean;
  /** Prints a badge for the guest of each ticket, from this template. */
  printsBadges: boolean;
  badge: string;
  badgeWidthMm: number;
  badgeHeightMm: number;
  faces: Faces;
  /** Days after the event's end at which its own faces are deleted. */
  facesDays: number;
};

/** What a new template begins with. */
const USUAL_BADGE = '<h1>{name}</h1>\n<p>{kind}</p>\n<small>{event}</small>';

const HOUR_MS = 3_600_000;
const EVENT_HOURS = 8;

/** From the next full hour on, for an evening; one entry per person. */
export function newDraft(nowMs: number): EventDraft {
  const startsMs = Math.ceil(nowMs / HOUR_MS) * HOUR_MS;
  return {
    name: '',
    starts: toField(startsMs),
    ends: toField(startsMs + EVENT_HOURS * HOUR_MS),
    verificationId: '',
    group: '',
    limit: { kind: 'total', max: 1 },
    languages: KIOSK_LANGUAGES,
    words: {},
    colour: null,
    guestPhotoDays: null,
    fastLane: false,
    printsBadges: false,
    badge: USUAL_BADGE,
    ...USUAL_BADGE_SIZE,
    faces: 'event',
    facesDays: USUAL_FACES_DAYS,
  };
}

export const draftOf = (event: EventRecord): EventDraft => ({
  name: event.name,
  starts: toField(Date.parse(event.starts_at)),
  ends: toField(Date.parse(event.ends_at)),
  verificationId: event.verification_id,
  group: event.group,
  limit: event.limit,
  languages: event.languages,
  words: event.words,
  colour: event.colour,
  guestPhotoDays: event.guest_photo_days,
  fastLane: event.fast_lane,
  printsBadges: event.badge !== null,
  badge: event.badge ?? USUAL_BADGE,
  badgeWidthMm: event.badge_width_mm,
  badgeHeightMm: event.badge_height_mm,
  faces: event.faces,
  facesDays: event.faces_days,
});

/** Null while a required value is missing. */
export function toRequest(draft: EventDraft): EventCreate | null {
  const [startsAt, endsAt] = [fromField(draft.starts), fromField(draft.ends)];
  const name = draft.name.trim();
  if (name === '' || startsAt === '' || endsAt === '' || endsAt <= startsAt || draft.languages.length === 0) {
    return null;
  }
  if (draft.printsBadges && !BADGE_TEMPLATE.test(draft.badge)) return null;
  return {
    name,
    starts_at: startsAt,
    ends_at: endsAt,
    ...(draft.verificationId !== '' && { verification_id: draft.verificationId }),
    ...(draft.group.trim() !== '' && { group: draft.group.trim() }),
    limit: draft.limit,
    // In their usual order, whatever the order of the ticks.
    languages: KIOSK_LANGUAGES.filter((language) => draft.languages.includes(language)),
    words: draft.words,
    colour: draft.colour,
    guest_photo_days: draft.guestPhotoDays,
    fast_lane: draft.fastLane,
    badge: draft.printsBadges ? draft.badge : null,
    badge_width_mm: draft.badgeWidthMm,
    badge_height_mm: draft.badgeHeightMm,
    faces: draft.faces,
    faces_days: draft.facesDays,
  };
}

/**
 * The changes of a form to its event; null while a required value is missing.
 * @param opened the values with which the form was opened
 */
export function toChange(opened: EventDraft, draft: EventDraft): Partial<EventCreate> | null {
  const [before, after] = [toRequest(opened), toRequest(draft)];
  return before === null || after === null ? after : changedFields(before, after);
}

const DRAFT_FIELDS: Readonly<Record<string, keyof EventDraft>> = {
  verification_id: 'verificationId',
  guest_photo_days: 'guestPhotoDays',
  fast_lane: 'fastLane',
  badge_width_mm: 'badgeWidthMm',
  badge_height_mm: 'badgeHeightMm',
  faces_days: 'facesDays',
};

/** Puts a value of the wire into the form. */
export function takeValue(field: string, value: unknown, draft: EventDraft): Partial<EventDraft> {
  const [name = '', ...rest] = field.split('.');
  if (name === 'starts_at') return { starts: toField(Date.parse(value as string)) };
  if (name === 'ends_at') return { ends: toField(Date.parse(value as string)) };
  if (name === 'badge')
    return { printsBadges: value !== null, badge: typeof value === 'string' ? value : draft.badge };
  const own = DRAFT_FIELDS[name] ?? (name as keyof EventDraft);
  return { [own]: withPart(draft[own], rest, value) };
}

export function withWords(
  words: EventWordsByLanguage,
  language: KioskLanguage,
  part: keyof EventWords,
  text: string,
): EventWordsByLanguage {
  return { ...words, [language]: { ...words[language], [part]: text } };
}
