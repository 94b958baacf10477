/** The one photo of a guest who passed: kept where the event says so, and only as long as the guest agreed to. */
import { guestPhotosUntil } from '../../domain/venue/event.ts';
import type { CaseFrame } from '../../store/reviews/case-frames.ts';
import { findPhotoEvent, saveGuestPhoto } from '../../store/reviews/guest-photos.ts';
import type { Session } from '../../store/runs/sessions.ts';
import type { SqlReader, SqlTx } from '../../store/sql/port.ts';

type Run = Pick<Session, 'scope' | 'request'>;

/** Until when the run's event would keep a photo, in epoch milliseconds; null if it keeps none. */
export async function photoOfferedUntil(
  db: SqlReader,
  { scope, request }: Run,
  nowMs: number,
): Promise<number | null> {
  const event = request.group === null ? undefined : await findPhotoEvent(db, scope, request.group);
  const until = event ? guestPhotosUntil(event) : null;
  return until !== null && until > nowMs ? until : null;
}

/** Keeps the photo unless the event has stopped keeping them since the guest agreed. */
export async function keepGuestPhoto(
  tx: SqlTx,
  { scope, request, photoUntil }: Pick<Session, 'scope' | 'request' | 'photoUntil'>,
  { personId, photo, nowMs }: { personId: string; photo: CaseFrame; nowMs: number },
): Promise<void> {
  if (photoUntil === null || request.group === null) return;
  const event = await findPhotoEvent(tx, scope, request.group);
  const eventUntil = event ? guestPhotosUntil(event) : null;
  if (!event || eventUntil === null) return;
  const deleteAfter = Math.min(photoUntil, eventUntil);
  if (deleteAfter <= nowMs) return;
  await saveGuestPhoto(tx, scope, { ...photo, eventId: event.id, personId, deleteAfter });
}
