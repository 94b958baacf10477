/** One small photo of each guest who passed, where the event keeps them and the guest agreed. */
import type { FaceFraming } from '../../domain/reviews/framing.ts';
import type { Scope } from '../../domain/scope.ts';
import { fromJson, ofScope, toJson } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** An event that keeps photos. */
type PhotoEvent = { id: string; endsAt: number; guestPhotoDays: number };

/** The event whose runs are in this group, if it keeps photos. */
export function findPhotoEvent(db: SqlReader, scope: Scope, group: string): Promise<PhotoEvent | undefined> {
  return db.one<PhotoEvent>(
    `SELECT id, ends_at AS endsAt, guest_photo_days AS guestPhotoDays FROM events
     WHERE company_id = ? AND partition = ? AND group_id = ? AND guest_photo_days IS NOT NULL`,
    ...ofScope(scope),
    group,
  );
}

/** Times in epoch milliseconds; from `deleteAfter` on, nobody can see the photo. */
type GuestPhoto = {
  eventId: string;
  personId: string;
  jpeg: Uint8Array;
  framing: FaceFraming;
  takenAt: number;
  deleteAfter: number;
};

/** Replaces the person's earlier photo of the event. */
export async function saveGuestPhoto(tx: SqlTx, scope: Scope, photo: GuestPhoto): Promise<void> {
  await tx.run(
    `INSERT INTO guest_photos (event_id, person_id, company_id, partition, jpeg, framing, taken_at, delete_after)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (event_id, person_id) DO UPDATE SET jpeg = excluded.jpeg, framing = excluded.framing,
       taken_at = excluded.taken_at, delete_after = excluded.delete_after`,
    photo.eventId,
    photo.personId,
    ...ofScope(scope),
    tx.secrets.seal('guest_photos.jpeg', [photo.eventId, photo.personId], photo.jpeg),
    toJson(photo.framing),
    photo.takenAt,
    photo.deleteAfter,
  );
}

/** The person's photos that are still kept, newest first. */
export async function listGuestPhotos(
  db: SqlReader,
  scope: Scope,
  personId: string,
  now: number,
): Promise<Omit<GuestPhoto, 'framing'>[]> {
  const rows = await db.all<Omit<GuestPhoto, 'framing'>>(
    `SELECT event_id AS eventId, person_id AS personId, jpeg, taken_at AS takenAt, delete_after AS deleteAfter
     FROM guest_photos
     WHERE company_id = ? AND partition = ? AND person_id = ? AND delete_after > ? ORDER BY taken_at DESC, event_id`,
    ...ofScope(scope),
    personId,
    now,
  );
  return rows.map((row) => ({ ...row, jpeg: openPhoto(db, row) }));
}

/** The guest agreed to a photo for one event, so it is found by the group of that event's runs. */
type PhotoOfEvent = { personId: string; group: string; now: number };

const OF_EVENT = `FROM guest_photos p JOIN events e ON e.id = p.event_id
  WHERE p.company_id = ? AND p.partition = ? AND p.person_id = ? AND e.group_id = ? AND p.delete_after > ?`;
const ofEvent = (scope: Scope, { personId, group, now }: PhotoOfEvent) =>
  [...ofScope(scope), personId, group, now] as const;

/** What is known about the photo without decrypting it; undefined if none is kept. */
export async function findGuestPhoto(
  db: SqlReader,
  scope: Scope,
  of: PhotoOfEvent,
): Promise<Pick<GuestPhoto, 'takenAt' | 'framing'> | undefined> {
  const row = await db.one<{ takenAt: number; framing: string }>(
    `SELECT p.taken_at AS takenAt, p.framing ${OF_EVENT}`,
    ...ofEvent(scope, of),
  );
  return row && { takenAt: row.takenAt, framing: fromJson<FaceFraming>(row.framing) };
}

/** The photo as JPEG; undefined if none is kept. */
export async function readGuestPhoto(
  db: SqlReader,
  scope: Scope,
  of: PhotoOfEvent,
): Promise<Uint8Array | undefined> {
  const row = await db.one<Pick<GuestPhoto, 'eventId' | 'personId' | 'jpeg'>>(
    `SELECT p.event_id AS eventId, p.person_id AS personId, p.jpeg ${OF_EVENT}`,
    ...ofEvent(scope, of),
  );
  return row && openPhoto(db, row);
}

const openPhoto = (
  { secrets }: SqlReader,
  { eventId, personId, jpeg }: Pick<GuestPhoto, 'eventId' | 'personId' | 'jpeg'>,
): Uint8Array => secrets.open('guest_photos.jpeg', [eventId, personId], jpeg);

/** Photos of an event that would be kept longer are kept until `until`; the others keep their end. */
export function limitGuestPhotos(tx: SqlTx, scope: Scope, eventId: string, until: number): Promise<number> {
  return tx.run(
    `UPDATE guest_photos SET delete_after = ?
     WHERE company_id = ? AND partition = ? AND event_id = ? AND delete_after > ?`,
    until,
    ...ofScope(scope),
    eventId,
    until,
  );
}

/** Returns how many there were. */
export function deleteGuestPhotos(tx: SqlTx, scope: Scope, eventId: string): Promise<number> {
  return tx.run(
    'DELETE FROM guest_photos WHERE company_id = ? AND partition = ? AND event_id = ?',
    ...ofScope(scope),
    eventId,
  );
}
