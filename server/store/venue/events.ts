import type { EventWordsByLanguage, KioskLanguage } from '../../contract/kiosk.ts';
import type { Scope } from '../../domain/scope.ts';
import type { LimitKind } from '../../contract/console/common.ts';
import type { Faces } from '../../contract/console/events.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { flag, fromJson, inScope, insertRow, ofScope, toJson, updateRow } from '../rows.ts';

export type VenueEvent = {
  id: string;
  scope: Scope;
  name: string;
  verificationId: string;
  /** Uniqueness pool of its runs, which also separates them from other events'. */
  group: string;
  limit: { kind: LimitKind; max: number };
  startsAt: number;
  endsAt: number;
  languages: KioskLanguage[];
  words: EventWordsByLanguage;
  /** `#rrggbb` on the kiosk; null for the product's own. */
  colour: string | null;
  /** Days after its end for which one photo of each guest who passed is kept; null for none. */
  guestPhotoDays: number | null;
  /** A guest who comes back with their ticket passes a shorter check at a kiosk, while nothing is in doubt. */
  fastLane: boolean;
  /** Template of a badge that is printed for each ticket's guest; null for none. */
  badge: string | null;
  badgeWidthMm: number;
  badgeHeightMm: number;
  faces: Faces;
  /** Days after its end at which its faces are deleted, unless the organiser's retention applies. */
  facesDays: number;
  /** Null without a logo; different for each picture. */
  logoId: string | null;
  /** Behind the start screen; null without one. */
  picture: { id: string; darkest: string } | null;
  createdAt: number;
  updatedAt: number;
};

type Row = Omit<VenueEvent, 'scope' | 'group' | 'limit' | 'languages' | 'words' | 'fastLane' | 'picture'> &
  Scope & {
    groupId: string;
    limitKind: LimitKind;
    limitMax: number;
    languages: string;
    words: string;
    fastLane: number;
    pictureId: string | null;
    darkest: string | null;
  };

const SELECT = `SELECT e.id, e.company_id AS companyId, e.partition, e.name, e.verification_id AS verificationId,
  e.group_id AS groupId, e.limit_kind AS limitKind, e.limit_max AS limitMax, e.starts_at AS startsAt, e.ends_at AS endsAt,
  e.languages, e.words, e.colour, e.guest_photo_days AS guestPhotoDays,
  e.fast_lane AS fastLane, e.badge, e.badge_width_mm AS badgeWidthMm, e.badge_height_mm AS badgeHeightMm, e.faces, e.faces_days AS facesDays,
  l.logo_id AS logoId, b.picture_id AS pictureId, b.darkest,
  e.created_at AS createdAt, e.updated_at AS updatedAt
  FROM events e LEFT JOIN event_logos l ON l.event_id = e.id LEFT JOIN event_pictures b ON b.event_id = e.id`;

const fromRow = ({
  companyId,
  partition,
  groupId,
  limitKind,
  limitMax,
  pictureId,
  darkest,
  ...row
}: Row): VenueEvent => ({
  ...row,
  scope: { companyId, partition },
  group: groupId,
  limit: { kind: limitKind, max: limitMax },
  languages: fromJson<KioskLanguage[]>(row.languages),
  words: fromJson<EventWordsByLanguage>(row.words),
  fastLane: row.fastLane === 1,
  picture: pictureId === null || darkest === null ? null : { id: pictureId, darkest },
});

/** What can be changed. */
const columnsOf = (event: VenueEvent) => ({
  name: event.name,
  verification_id: event.verificationId,
  group_id: event.group,
  limit_kind: event.limit.kind,
  limit_max: event.limit.max,
  starts_at: event.startsAt,
  ends_at: event.endsAt,
  languages: toJson(event.languages),
  words: toJson(event.words),
  colour: event.colour,
  guest_photo_days: event.guestPhotoDays,
  fast_lane: flag(event.fastLane),
  badge: event.badge,
  badge_width_mm: event.badgeWidthMm,
  badge_height_mm: event.badgeHeightMm,
  faces: event.faces,
  faces_days: event.facesDays,
  updated_at: event.updatedAt,
});

/** Fails on a unique constraint if another event of the scope has the group. */
export async function insertEvent(tx: SqlTx, event: VenueEvent): Promise<void> {
  await insertRow(tx, 'events', {
    id: event.id,
    ...inScope(event.scope),
    ...columnsOf(event),
    created_at: event.createdAt,
  });
}

export function updateEvent(tx: SqlTx, event: VenueEvent): Promise<number> {
  return updateRow(tx, 'events', { ...inScope(event.scope), id: event.id }, columnsOf(event));
}

export async function findEvent(db: SqlReader, scope: Scope, id: string): Promise<VenueEvent | undefined> {
  const row = await db.one<Row>(
    `${SELECT} WHERE e.company_id = ? AND e.partition = ? AND e.id = ?`,
    ...ofScope(scope),
    id,
  );
  return row && fromRow(row);
}

/** For a link that names only the event, which says whose it is. */
export async function findEventAnywhere(db: SqlReader, id: string): Promise<VenueEvent | undefined> {
  const row = await db.one<Row>(`${SELECT} WHERE e.id = ?`, id);
  return row && fromRow(row);
}

/** The event that checks its guests in this group; the latest if several do. */
export async function findEventOfGroup(
  db: SqlReader,
  scope: Scope,
  group: string,
): Promise<VenueEvent | undefined> {
  const row = await db.one<Row>(
    `${SELECT} WHERE e.company_id = ? AND e.partition = ? AND e.group_id = ? ORDER BY e.starts_at DESC, e.id LIMIT 1`,
    ...ofScope(scope),
    group,
  );
  return row && fromRow(row);
}

/** In either partition, because kiosks belong to the company and use the partition of their event. */
export async function findCompanyEvent(
  db: SqlReader,
  companyId: string,
  id: string,
): Promise<VenueEvent | undefined> {
  const row = await db.one<Row>(`${SELECT} WHERE e.company_id = ? AND e.id = ?`, companyId, id);
  return row && fromRow(row);
}

/** Of all of the company's events, each once. */
export async function listEventNames(db: SqlReader, companyId: string): Promise<string[]> {
  const rows = await db.all<{ name: string }>(
    'SELECT DISTINCT name FROM events WHERE company_id = ?',
    companyId,
  );
  return rows.map(({ name }) => name);
}

/** Latest start first, after the row that `before` names. */
export async function listEvents(
  db: SqlReader,
  scope: Scope,
  before: { startsAt: number; id: string } | null,
  limit: number,
): Promise<VenueEvent[]> {
  const after = before === null ? '' : 'AND (e.starts_at, e.id) < (?, ?)';
  const rows = await db.all<Row>(
    `${SELECT} WHERE e.company_id = ? AND e.partition = ? ${after} ORDER BY e.starts_at DESC, e.id DESC LIMIT ?`,
    ...ofScope(scope),
    ...(before === null ? [] : [before.startsAt, before.id]),
    limit,
  );
  return rows.map(fromRow);
}

/** Those running at `atMs`, latest start first. */
export async function listEventsAt(db: SqlReader, scope: Scope, atMs: number): Promise<VenueEvent[]> {
  const rows = await db.all<Row>(
    `${SELECT} WHERE e.company_id = ? AND e.partition = ? AND e.starts_at <= ? AND e.ends_at > ?
     ORDER BY e.starts_at DESC, e.id DESC`,
    ...ofScope(scope),
    atMs,
    atMs,
  );
  return rows.map(fromRow);
}

/** Of both partitions: those not over at `atMs`, earliest start first. */
export async function listEventsAhead(
  db: SqlReader,
  companyId: string,
  atMs: number,
  limit: number,
): Promise<VenueEvent[]> {
  const rows = await db.all<Row>(
    `${SELECT} WHERE e.company_id = ? AND e.ends_at > ? ORDER BY e.starts_at, e.id LIMIT ?`,
    companyId,
    atMs,
    limit,
  );
  return rows.map(fromRow);
}

export async function saveEventLogo(
  tx: SqlTx,
  logo: { eventId: string; logoId: string; image: Uint8Array; at: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO event_logos (event_id, logo_id, image, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (event_id) DO UPDATE SET logo_id = excluded.logo_id, image = excluded.image,
       created_at = excluded.created_at`,
    logo.eventId,
    logo.logoId,
    logo.image,
    logo.at,
  );
}

export function deleteEventLogo(tx: SqlTx, eventId: string): Promise<number> {
  return tx.run('DELETE FROM event_logos WHERE event_id = ?', eventId);
}

export async function saveEventPicture(
  tx: SqlTx,
  picture: { eventId: string; id: string; image: Uint8Array; darkest: string; at: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO event_pictures (event_id, picture_id, image, darkest, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (event_id) DO UPDATE SET picture_id = excluded.picture_id, image = excluded.image,
       darkest = excluded.darkest, created_at = excluded.created_at`,
    picture.eventId,
    picture.id,
    picture.image,
    picture.darkest,
    picture.at,
  );
}

export function deleteEventPicture(tx: SqlTx, eventId: string): Promise<number> {
  return tx.run('DELETE FROM event_pictures WHERE event_id = ?', eventId);
}

/** The logo of the event that the group belongs to. */
export async function findLogoOfGroup(
  db: SqlReader,
  scope: Scope,
  group: string,
): Promise<string | undefined> {
  const row = await db.one<{ logoId: string }>(
    `SELECT l.logo_id AS logoId FROM events e JOIN event_logos l ON l.event_id = e.id
     WHERE e.company_id = ? AND e.partition = ? AND e.group_id = ?`,
    ...ofScope(scope),
    group,
  );
  return row?.logoId;
}

/** A logo or a picture. Both are shown to everybody, so the id alone is enough. */
export async function findEventImage(db: SqlReader, id: string): Promise<Uint8Array | undefined> {
  const row = await db.one<{ image: Uint8Array }>(
    `SELECT image FROM event_logos WHERE logo_id = ?
     UNION ALL SELECT image FROM event_pictures WHERE picture_id = ?`,
    id,
    id,
  );
  return row?.image;
}
