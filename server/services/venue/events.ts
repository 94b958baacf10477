/** Creating and changing events (decisions §5 for their limit, §7 for the command line). */
import type { Actor } from '../../domain/operators/actor.ts';
import {
  type EventCreate,
  type EventOptions,
  type EventPage,
  type EventRecord,
  type EventUpdate,
  type Faces,
  MAX_EVENT_DAYS,
  USUAL_FACES_DAYS,
} from '../../contract/console/events.ts';
import { USUAL_BADGE_SIZE } from '../../contract/badges.ts';
import { type EventWords, type EventWordsByLanguage, KIOSK_LANGUAGES } from '../../contract/kiosk.ts';
import type { LanguageOffer } from '../../contract/languages.ts';
import { pageLimit, toPage } from '../../domain/cursor.ts';
import { narrowOffer } from '../../domain/companies/language-offer.ts';
import type { Scope } from '../../domain/scope.ts';
import { eventState, facesUntil, guestPhotosUntil, homeGroupOf } from '../../domain/venue/event.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { deleteGuestPhotos, limitGuestPhotos } from '../../store/reviews/guest-photos.ts';
import {
  findEvent,
  insertEvent,
  listEventNames,
  listEvents,
  updateEvent,
  type VenueEvent,
} from '../../store/venue/events.ts';
import { hasRuns } from '../../store/venue/event-faces.ts';
import { keepsCodes, SOURCE_KINDS } from '../../domain/tickets/ticket.ts';
import { listEventsWithSource } from '../../store/tickets/sources.ts';
import { listKiosks } from '../../store/venue/kiosks.ts';
import { isUniqueViolation, type SqlReader, type SqlTx } from '../../store/sql/port.ts';
import {
  findDefaultVerification,
  findVerification,
  pageVerifications,
} from '../../store/companies/verifications.ts';
import type { Ports } from '../ports/ports.ts';
import { newId, randomBase62 } from '../ports/ids.ts';
import { readName, refuseLookAlike } from '../wire/names.ts';
import { readLanguageOffer } from '../companies/languages.ts';
import { type ChangeLog, mergeChange, versionOf } from '../wire/versions.ts';
import { venueTime } from '../companies/zones.ts';
import { iso, isoOrNull, placeOf } from '../wire/values.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';
import { labelOf } from '../companies/verifications.ts';

type Deps = Pick<Ports, 'db' | 'clock'>;

const DAY_MS = 86_400_000;
/** Verifications offered for an event; a company with more names one by its ID. */
const OFFERED_VERIFICATIONS = 200;
const WORD_PARTS = ['welcome', 'passed', 'ask_staff'] as const;
const NO_LIMIT = { kind: 'none', max: 1 } as const;

function toEventRecord(
  { clock }: Pick<Deps, 'clock'>,
  event: VenueEvent,
  { kiosks, offer, telling }: { kiosks: number; offer: LanguageOffer; telling: ReadonlySet<string> },
): EventRecord {
  const fields = eventFields(event);
  const images = { logo_id: event.logoId, picture_id: event.picture?.id ?? null };
  return {
    event_id: event.id,
    ...fields,
    ...images,
    faces_until: isoOrNull(facesUntil(event)),
    keeps_codes: telling.has(event.id),
    version: versionOf({ ...fields, ...images }),
    state: eventState(event, clock.now()),
    kiosk_languages: narrowOffer(offer, event.languages),
    kiosks,
    created_at: iso(event.createdAt),
    updated_at: iso(event.updatedAt),
  };
}

/** As on the wire: what a form can change. */
const eventFields = (event: VenueEvent) => ({
  name: event.name,
  starts_at: iso(event.startsAt),
  ends_at: iso(event.endsAt),
  verification_id: event.verificationId,
  group: event.group,
  limit: event.limit,
  languages: event.languages,
  words: event.words,
  colour: event.colour,
  guest_photo_days: event.guestPhotoDays,
  fast_lane: event.fastLane,
  badge: event.badge,
  badge_width_mm: event.badgeWidthMm,
  badge_height_mm: event.badgeHeightMm,
  faces: event.faces,
  faces_days: event.facesDays,
});

/** Latest start first. @throws Refusal `invalid_cursor` */
export async function readEventPage(
  deps: Deps,
  scope: Scope,
  query: { cursor?: string; limit?: number },
): Promise<EventPage> {
  const before = placeOf(query.cursor, ['number', 'string']);
  const limit = pageLimit(query);
  const place = before === null ? null : { startsAt: before[0], id: before[1] };
  const events = await listEvents(deps.db, scope, place, limit + 1);
  const kiosks = await kiosksByEvent(deps.db, scope);
  const offer = await readLanguageOffer(deps.db);
  const telling = await eventsThatTell(deps.db, scope);
  return toPage(
    events,
    limit,
    ({ startsAt, id }) => [startsAt, id],
    (event) => toEventRecord(deps, event, { kiosks: kiosks.get(event.id) ?? 0, offer, telling }),
  );
}

/** @throws Refusal `not_found` */
export async function readEvent(deps: Deps, scope: Scope, id: string): Promise<EventRecord> {
  return recordOf(deps, await requireEvent(deps.db, scope, id));
}

export async function recordOf(deps: Deps, event: VenueEvent): Promise<EventRecord> {
  const kiosks = (await kiosksByEvent(deps.db, event.scope)).get(event.id) ?? 0;
  const telling = await eventsThatTell(deps.db, event.scope);
  return toEventRecord(deps, event, { kiosks, offer: await readLanguageOffer(deps.db), telling });
}

/** Those with a ticketing system that has to be told codes. */
const eventsThatTell = (db: SqlReader, scope: Scope): Promise<ReadonlySet<string>> =>
  listEventsWithSource(db, scope, SOURCE_KINDS.filter(keepsCodes));

export async function requireEvent(db: SqlReader, scope: Scope, id: string): Promise<VenueEvent> {
  const event = await findEvent(db, scope, id);
  if (!event) throw notFound();
  return event;
}

async function kiosksByEvent(db: SqlReader, { companyId }: Scope): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { eventId } of await listKiosks(db, companyId)) {
    if (eventId !== null) counts.set(eventId, (counts.get(eventId) ?? 0) + 1);
  }
  return counts;
}

/** @throws Refusal `group_taken`, `event_…` */
export async function createEvent(
  deps: Deps,
  scope: Scope,
  request: EventCreate,
  actor: Actor,
): Promise<EventRecord> {
  const at = deps.clock.now();
  const event = await refuseTakenGroup(deps.db.tx((tx) => addEvent(tx, scope, request, { at, actor })));
  return recordOf(deps, event);
}

/** The part of a transaction that creates an event. @throws Refusal `event_…` */
export async function addEvent(
  tx: SqlTx,
  scope: Scope,
  request: EventCreate,
  { at, actor }: { at: number; actor: Actor },
): Promise<VenueEvent> {
  const made: VenueEvent = {
    id: newId(at),
    scope,
    name: await readEventName(tx, scope, request.name),
    verificationId: await verificationOf(tx, scope, request.verification_id),
    group: request.group?.trim() || `event-${randomBase62(10).toLowerCase()}`,
    limit: request.limit ?? NO_LIMIT,
    ...(await times(tx, scope.companyId, request)),
    languages: request.languages ?? [...KIOSK_LANGUAGES],
    words: tidyWords(request.words ?? {}),
    colour: request.colour ?? null,
    guestPhotoDays: request.guest_photo_days ?? null,
    fastLane: request.fast_lane ?? false,
    badge: request.badge ?? null,
    badgeWidthMm: request.badge_width_mm ?? USUAL_BADGE_SIZE.badgeWidthMm,
    badgeHeightMm: request.badge_height_mm ?? USUAL_BADGE_SIZE.badgeHeightMm,
    faces: request.faces ?? 'event',
    facesDays: request.faces_days ?? USUAL_FACES_DAYS,
    logoId: null,
    picture: null,
    createdAt: at,
    updatedAt: at,
  };
  await insertEvent(tx, made);
  await appendAudit(tx, {
    ...made.scope,
    subject: made.id,
    at,
    actor,
    action: 'event.create',
    details: {
      name: made.name,
      ...(made.guestPhotoDays !== null && { guest_photo_days: made.guestPhotoDays }),
      ...(made.fastLane && { fast_lane: true }),
      ...facesInAudit(made),
    },
  });
  return made;
}

/** @throws Refusal `not_found`, `group_taken`, `changed_meanwhile`, `event_…` */
export async function changeEvent(
  deps: Deps,
  scope: Scope,
  id: string,
  { reason, version, ...sent }: EventUpdate,
  actor: Actor,
): Promise<EventRecord> {
  const at = deps.clock.now();
  const event = await refuseTakenGroup(
    deps.db.tx(async (tx) => {
      const before = await requireEvent(tx, scope, id);
      const current = eventFields(before);
      const log: ChangeLog = { subject: id, actions: ['event.update'], companyId: scope.companyId };
      const change = await mergeChange(tx, { version, current, sent, log });
      const next: VenueEvent = {
        ...before,
        name:
          change.name === undefined || change.name === before.name
            ? before.name
            : await readEventName(tx, scope, change.name, before.name),
        verificationId:
          change.verification_id === undefined
            ? before.verificationId
            : await verificationOf(tx, scope, change.verification_id),
        group: change.group?.trim() || before.group,
        limit: change.limit ?? before.limit,
        ...(await times(tx, scope.companyId, {
          starts_at: change.starts_at ?? iso(before.startsAt),
          ends_at: change.ends_at ?? iso(before.endsAt),
        })),
        languages: change.languages ?? before.languages,
        words: change.words === undefined ? before.words : tidyWords(change.words),
        colour: change.colour === undefined ? before.colour : change.colour,
        guestPhotoDays:
          change.guest_photo_days === undefined ? before.guestPhotoDays : change.guest_photo_days,
        fastLane: change.fast_lane ?? before.fastLane,
        badge: change.badge === undefined ? before.badge : change.badge,
        badgeWidthMm: change.badge_width_mm ?? before.badgeWidthMm,
        badgeHeightMm: change.badge_height_mm ?? before.badgeHeightMm,
        faces: change.faces ?? before.faces,
        facesDays: change.faces_days ?? before.facesDays,
        updatedAt: at,
      };
      await refuseOtherFaces(tx, before, next);
      await updateEvent(tx, next);
      const photos = await followGuestPhotos(tx, before, next);
      const lane = before.fastLane === next.fastLane ? {} : { fast_lane: next.fastLane };
      const faces =
        before.faces === next.faces && before.facesDays === next.facesDays ? {} : facesInAudit(next);
      const details = { changed: Object.keys(change), ...photos, ...lane, ...faces, reason };
      await appendAudit(tx, { ...next.scope, subject: next.id, at, actor, action: 'event.update', details });
      return next;
    }),
  );
  return recordOf(deps, event);
}

const facesInAudit = ({ faces, facesDays }: VenueEvent): { faces: Faces; faces_days?: number } =>
  faces === 'organiser' ? { faces } : { faces, faces_days: facesDays };

/**
 * Guests have agreed to what their event's faces are for: none may be kept longer, or searched for elsewhere.
 * @throws Refusal `event_faces_fixed`
 */
async function refuseOtherFaces(tx: SqlTx, before: VenueEvent, next: VenueEvent): Promise<void> {
  const isOther =
    next.faces !== before.faces ||
    (next.faces !== 'organiser' && (next.facesDays > before.facesDays || next.group !== before.group));
  if (isOther && (await hasRuns(tx, before.scope, [before.group, homeGroupOf(before.group)])))
    throw new Refusal('event_faces_fixed');
}

/**
 * Deletes the kept photos of guests if the event no longer keeps them, or shortens their time if it ends earlier. None is
 * kept longer than its guest agreed to.
 * @returns what the audit log says about it
 */
async function followGuestPhotos(
  tx: SqlTx,
  before: VenueEvent,
  next: VenueEvent,
): Promise<{ guest_photo_days?: number | null; guest_photos_deleted?: number }> {
  const until = guestPhotosUntil(next);
  if (until !== null) await limitGuestPhotos(tx, next.scope, next.id, until);
  if (before.guestPhotoDays === next.guestPhotoDays) return {};
  const deleted = until === null ? await deleteGuestPhotos(tx, next.scope, next.id) : 0;
  return {
    guest_photo_days: next.guestPhotoDays,
    ...(until === null && { guest_photos_deleted: deleted }),
  };
}

/** The verifications that an event can use, the default first, and the languages that it can offer. */
export async function readEventOptions({ db }: Deps, { companyId }: Scope): Promise<EventOptions> {
  const { items } = await pageVerifications(db, companyId, OFFERED_VERIFICATIONS, 0);
  const verifications = items.map(labelOf);
  const { offered: languages } = await readLanguageOffer(db);
  return {
    verifications: verifications.sort((a, b) => Number(b.is_default) - Number(a.is_default)),
    languages,
  };
}

async function verificationOf(tx: SqlTx, { companyId }: Scope, id: string | undefined): Promise<string> {
  const found =
    id === undefined
      ? await findDefaultVerification(tx, companyId)
      : await findVerification(tx, companyId, id);
  if (!found) throw new Refusal('event_verification_unknown');
  return found.id;
}

/**
 * @param ownName of the event that is renamed, which the new one may look like
 * @throws Refusal `event_without_name`, `name_unseen`, `name_looks_alike`
 */
async function readEventName(
  tx: SqlTx,
  { companyId }: Scope,
  given: string,
  ownName?: string,
): Promise<string> {
  const name = readName(given);
  if (name === '') throw new Refusal('event_without_name');
  const others = await listEventNames(tx, companyId);
  refuseLookAlike(
    name,
    others.filter((other) => other !== ownName),
  );
  return name;
}

/** A form that was not filled in has no day at all. */
const STARTS_WITH_DAY = /^\s*\d+-\d\d-\d\d/;

async function times(
  db: SqlReader,
  companyId: string,
  { starts_at, ends_at }: Pick<EventCreate, 'starts_at' | 'ends_at'>,
): Promise<{ startsAt: number; endsAt: number }> {
  if (![starts_at, ends_at].every((text) => STARTS_WITH_DAY.test(text))) {
    throw new Refusal('event_without_times');
  }
  const startsAt = await venueTime(db, companyId, starts_at);
  const endsAt = await venueTime(db, companyId, ends_at);
  if (endsAt <= startsAt) throw new Refusal('event_ends_before_start');
  if (endsAt - startsAt > MAX_EVENT_DAYS * DAY_MS) {
    throw new Refusal('event_too_long', { args: { days: MAX_EVENT_DAYS } });
  }
  return { startsAt, endsAt };
}

/** Removes empty texts, for which the kiosk uses its own. */
function tidyWords(words: EventWordsByLanguage): EventWordsByLanguage {
  const kept: EventWordsByLanguage = {};
  for (const language of KIOSK_LANGUAGES) {
    const said: EventWords = {};
    for (const part of WORD_PARTS) {
      const text = words[language]?.[part]?.trim() ?? '';
      if (text !== '') said[part] = text;
    }
    if (Object.keys(said).length > 0) kept[language] = said;
  }
  return kept;
}

async function refuseTakenGroup<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isUniqueViolation(error, 'events_group')) throw error;
    throw new Refusal('group_taken');
  }
}
