/** The end of an event's faces: deleted in small transactions, so that no other event waits, and certified. */
import { appendAudit } from '../../store/operators/audit.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import {
  beginFacesEnd,
  deleteSomeFaces,
  type DueEvent,
  listDueFaces,
  type RemovedFaces,
  updateFacesEnd,
} from '../../store/venue/event-faces.ts';
import type { Clock } from '../ports/clock.ts';
import { newId } from '../ports/ids.ts';

/** Rows of a kind per transaction. */
const BATCH = 500;
/** More end at the next look. */
const MOST_EVENTS = 100;

/** Events whose faces are due; of more than 100, the earliest. */
export const dueFaces = (db: SqlReader, time: number): Promise<DueEvent[]> =>
  listDueFaces(db, time, MOST_EVENTS);

/** Number of faces in the pools of events whose end nobody saw come. */
export const unforeseenFaces = (due: readonly DueEvent[]): number =>
  due.reduce((sum, { isForeseen, faces }) => sum + (isForeseen ? 0 : faces), 0);

/**
 * Deletes the faces of these events and certifies it. What a killed process began is finished, and counted, at the next look.
 * @returns faces deleted
 */
export async function endFaces(
  db: Database,
  clock: Clock,
  due: readonly DueEvent[],
  ending?: AbortSignal,
): Promise<number> {
  let deleted = 0;
  for (const event of due) {
    if (ending?.aborted === true) break;
    deleted += await endFacesOf(db, clock, event, ending);
  }
  if (deleted > 0) await db.truncateLog();
  return deleted;
}

async function endFacesOf(
  db: Database,
  clock: Clock,
  event: DueEvent,
  ending: AbortSignal | undefined,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { isLast, faces } = await db.tx(async (tx) => {
      const at = clock.now();
      const end = await beginFacesEnd(tx, event, { id: newId(at), at });
      const some = await deleteSomeFaces(tx, event, BATCH);
      const removed = add(end.removed, some);
      const isLastBatch = Object.values(some).every((rows) => rows < BATCH);
      await updateFacesEnd(tx, event.scope, { id: end.id, removed }, isLastBatch ? at : null);
      if (isLastBatch)
        await appendAudit(tx, {
          ...event.scope,
          subject: event.id,
          at,
          actor: 'system',
          action: 'event.faces_ended',
          details: { certificate_id: end.id, ...removed },
        });
      return { isLast: isLastBatch, faces: some.faces };
    }, event.scope);
    deleted += faces;
    if (isLast || ending?.aborted === true) return deleted;
  }
}

const add = (before: RemovedFaces, some: Omit<RemovedFaces, 'people'>): RemovedFaces => ({
  people: before.people,
  faces: before.faces + some.faces,
  case_faces: before.case_faces + some.case_faces,
  case_pictures: before.case_pictures + some.case_pictures,
});
