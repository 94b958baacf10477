/** One small photo of each guest who passed, where the event keeps them and the guest agreed. */
import type { FaceFraming } from '../../domain/reviews/framing.ts';
import type { Scope } from '../../domain/scope.ts';
import { fromJson, toJson } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** An event that keeps photos. */
export type PhotoEvent = { id: string; endsAt: number; guestPhotoDays: number };

/** The event whose runs are in this group, if it keeps photos. */
export function findPhotoEvent(db: SqlReader, scope: Scope, group: string): Promise<PhotoEvent | undefined> {
  return db.one<PhotoEvent>(
    `SELECT id, ends_at AS endsAt, guest_photo_days AS guestPhotoDays FROM events
     WHERE company_id = ? AND partition = ? AND group_id = ? AND guest_photo_days IS NOT NULL`,
    scope.companyId,
    scope.partition,
    group,
  );
}

/** Times in epoch milliseconds; from `deleteAfter` on, nobody can see the photo. */
export type GuestPhoto = {
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
    scope.companyId,
    scope.partition,
    tx.secrets.seal('guest_photos.jpeg', [photo.eventId, photo.personId], photo.jpeg),
    toJson(photo.framing),
    photo.takenAt,
    photo.deleteAfter,
  );
}

type Row = Omit<GuestPhoto, 'framing'> & { framing: string };

/** The person's photos that are still kept, newest first. */
export async function listGuestPhotos(
  db: SqlReader,
  scope: Scope,
  personId: string,
  now: number,
): Promise<GuestPhoto[]> {
  const rows = await db.all<Row>(
    `SELECT event_id AS eventId, person_id AS personId, jpeg, framing, taken_at AS takenAt, delete_after AS deleteAfter
     FROM guest_photos
     WHERE company_id = ? AND partition = ? AND person_id = ? AND delete_after > ? ORDER BY taken_at DESC, event_id`,
    scope.companyId,
    scope.partition,
    personId,
    now,
  );
  return rows.map((row) => ({
    ...row,
    jpeg: db.secrets.open('guest_photos.jpeg', [row.eventId, row.personId], row.jpeg),
    framing: fromJson<FaceFraming>(row.framing),
  }));
}

/** Photos of an event that would be kept longer are kept until `until`; the others keep their end. */
export function limitGuestPhotos(tx: SqlTx, scope: Scope, eventId: string, until: number): Promise<number> {
  return tx.run(
    `UPDATE guest_photos SET delete_after = ?
     WHERE company_id = ? AND partition = ? AND event_id = ? AND delete_after > ?`,
    until,
    scope.companyId,
    scope.partition,
    eventId,
    until,
  );
}

/** Returns how many there were. */
export function deleteGuestPhotos(tx: SqlTx, scope: Scope, eventId: string): Promise<number> {
  return tx.run(
    'DELETE FROM guest_photos WHERE company_id = ? AND partition = ? AND event_id = ?',
    scope.companyId,
    scope.partition,
    eventId,
  );
}
