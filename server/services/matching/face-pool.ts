/**
 * Which faces a run is compared with: those of its event, if the event keeps its own, or the organiser's. A face is enrolled
 * where it was searched, so no pool ever sees another's.
 */
import type { FacePool } from '../../domain/matching/face-pool.ts';
import { eventGroupOf, facesUntil } from '../../domain/venue/event.ts';
import { isUnknownIn } from '../../store/matching/templates.ts';
import type { Session } from '../../store/runs/sessions.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { findFacesOfGroup } from '../../store/venue/event-faces.ts';
import type { Owners } from './owners.ts';

type Run = Pick<Session, 'scope'> & { request: Pick<Session['request'], 'group'> };

/** The pool, when its faces are deleted (epoch milliseconds), and how many days that is after the event; null for the organiser's. */
export type PoolOfRun = {
  pool: FacePool;
  untilMs: number | null;
  facesDays: number | null;
  /** Its faces are sealed with their tickets, and searched for nowhere. */
  isSealed: boolean;
};

export async function poolOfRun(db: SqlReader, { scope, request: { group } }: Run): Promise<PoolOfRun> {
  const event = group === null ? undefined : await findFacesOfGroup(db, scope, eventGroupOf(group));
  const untilMs = event ? facesUntil(event) : null;
  return untilMs === null || !event
    ? { pool: scope, untilMs: null, facesDays: null, isSealed: false }
    : {
        pool: { ...scope, eventId: event.eventId },
        untilMs,
        facesDays: event.facesDays,
        isSealed: event.faces === 'ticket',
      };
}

/**
 * The owner of the run's credentials, if they name one person of whom this pool has had no face: the first face that is
 * nobody's becomes theirs, because none is left, or visible here, to compare it with.
 */
export async function ownerUnknownIn(
  db: SqlReader,
  pool: FacePool,
  { identityOwnerId, externalIdOwnerId }: Owners,
): Promise<string | null> {
  const owner = identityOwnerId ?? externalIdOwnerId;
  if (owner === null || (externalIdOwnerId !== null && externalIdOwnerId !== owner)) return null;
  return (await isUnknownIn(db, pool, owner)) ? owner : null;
}
