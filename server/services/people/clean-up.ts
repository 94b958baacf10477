/**
 * Clean-ups and their holds: while the machine's clock is in doubt nothing is removed, nor many faces at once, until
 * an admin has confirmed it (decisions §1.5). Every step is durable and may be interrupted; the next one resumes it.
 */
import { backupErrorOf } from '../../refusals/refusal.ts';
import { iso } from '../wire/values.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import { doubtOf, isMassRemoval } from '../../domain/clock.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { acceptTime, endWhatLastsTooLong } from '../../store/maintenance/time-correction.ts';
import {
  type BackupsOfFaces,
  certifyBackups,
  foresee,
  hasToForesee,
  listEndsBeforeBackups,
} from '../../store/venue/event-faces.ts';
import type { Database, SqlTx } from '../../store/sql/port.ts';
import {
  beginHold,
  confirmHold,
  endHold,
  failHold,
  findOpenHold,
  type HoldReason,
  insertHold,
  type OpenHold,
  unconfirmHold,
} from '../../store/people/retention-holds.ts';
import type { Clock, DeletionGuard, ServiceClock } from '../ports/clock.ts';
import { newId } from '../ports/ids.ts';
import { dueFaces, endFaces } from './faces-end.ts';
import { dueAt, dueFacesAt, removeDue } from './retention-due.ts';

/** Delay before a failed backup is retried. */
const RETRY_MS = 60_000;
/** The same for one that replaces those with faces of an event, whose disk may be away. */
const RETRY_BACKUPS_MS = 10 * 60_000;
/** Certificates completed at once. */
const MOST_ENDS = 100;

export type CleanUpDeps = {
  db: Database;
  clock: ServiceClock;
  /** Makes a verified backup and returns its file. @throws Refusal, StoreError */
  backUp: (actor: Actor) => Promise<string>;
  /** Replaces the automatic backups made since then. @throws Refusal, StoreError */
  replaceBackups: (sinceMs: number | null) => Promise<BackupsOfFaces | 'postgres'>;
  /** For the log. */
  onHold: (hold: OpenHold) => void;
  /** The service ends: a clean-up stops after its current batch, and the next start resumes it. */
  ending?: AbortSignal;
};

type CleanedUp = Awaited<ReturnType<typeof removeDue>>;

export type CleanUp = {
  /**
   * Removes what is due. Null if it is on hold.
   * @throws Refusal, StoreError
   */
  run: (actor: Actor) => Promise<CleanedUp | null>;
  /**
   * Ends the faces of events at their time. If the clock leapt there, or the service was off, only as many as may go
   * unconfirmed: an end is foreseen if the service was on shortly before it.
   */
  endEvents: () => Promise<void>;
  /** Notices a changed clock and completes confirmed clean-ups. Cheap enough to be repeated every few seconds. */
  resume: () => Promise<void>;
};

export function createCleanUp(deps: CleanUpDeps): CleanUp {
  let last: Promise<unknown> = Promise.resolve();
  let notBeforeMs = 0;
  let backupsNotBeforeMs = 0;
  /** One at a time. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    run: (actor) =>
      inTurn(async () => {
        const removed = await cleanUp(deps, actor);
        await replaceEndedBackups(deps);
        return removed;
      }),
    endEvents: () =>
      inTurn(async () => {
        await endEvents(deps);
        if (performance.now() < backupsNotBeforeMs) return;
        try {
          await replaceEndedBackups(deps);
        } catch (error) {
          backupsNotBeforeMs = performance.now() + RETRY_BACKUPS_MS;
          throw error;
        }
      }),
    resume: () =>
      inTurn(async () => {
        const hold = await currentHold(deps);
        if (!hold || hold.state === 'waiting' || performance.now() < notBeforeMs) return;
        try {
          await runConfirmed(deps, hold);
        } catch (error) {
          notBeforeMs = performance.now() + RETRY_MS;
          throw error;
        }
      }),
  };
}

async function cleanUp(deps: CleanUpDeps, actor: Actor): Promise<CleanedUp | null> {
  const { db, clock } = deps;
  const hold = await currentHold(deps);
  if (hold && (hold.state !== 'waiting' || hold.reason !== 'many_faces')) return runConfirmed(deps, hold);
  const time = clock.deletionTime();
  if (time === null) return null;
  const { due, total } = await dueFacesAt(db, time);
  if (isMassRemoval(due, total)) {
    if (!hold) await putOff(deps, 'many_faces');
    return null;
  }
  if (hold) await lapse(deps, hold);
  return removeDue(db, clock, time, actor, deps.ending);
}

/** A clock that leaps by less than this is as good as one that is wrong by it. */
const FORESEEN_MS = 6 * 3_600_000;

async function endEvents(deps: CleanUpDeps): Promise<void> {
  const { db, clock, ending } = deps;
  const hold = await currentHold(deps);
  const time = clock.deletionTime();
  if (time === null || (hold !== null && hold.reason !== 'many_faces')) return;
  if (await hasToForesee(db, time, FORESEEN_MS)) await db.tx((tx) => foresee(tx, time, FORESEEN_MS));
  const due = await dueFaces(db, time);
  if (due.length === 0) return;
  const faces = await dueFacesAt(db, time);
  const isMass = isMassRemoval(faces.due, faces.total);
  await endFaces(
    db,
    clock,
    due.filter(({ isForeseen, faces: n }) => isForeseen || n === 0 || !isMass),
    ending,
  );
  if (isMass && hold === null && due.some(({ isForeseen, faces: n }) => !isForeseen && n > 0))
    await putOff(deps, 'many_faces');
}

/** One fresh backup for all ends that wait for it. */
async function replaceEndedBackups({ db, replaceBackups }: CleanUpDeps): Promise<void> {
  const ends = await listEndsBeforeBackups(db, MOST_ENDS);
  if (ends.length === 0) return;
  const since = ends.flatMap(({ sinceMs }) => sinceMs ?? []);
  const backups = await replaceBackups(since.length === 0 ? null : Math.min(...since));
  await db.tx(async (tx) => {
    for (const end of ends) await certifyBackups(tx, end, backups);
  });
}

/** The hold in force, after comparing it with the current clock. */
async function currentHold(deps: CleanUpDeps): Promise<OpenHold | null> {
  const doubt = deps.clock.doubt();
  const open = await findOpenHold(deps.db);
  if (open) {
    const isClockHold = open.reason !== 'many_faces' && open.state !== 'running';
    if (isClockHold ? doubt?.kind === open.reason : doubt === null) return open;
    await lapse(deps, open);
  }
  return doubt === null ? null : putOff(deps, doubt.kind);
}

async function putOff(deps: CleanUpDeps, reason: HoldReason): Promise<OpenHold | null> {
  const { db, clock } = deps;
  const doubt = clock.doubt();
  const clockAt = machineTime(clock);
  const hold = {
    id: newId(clock.now()),
    reason,
    putOffAt: clock.now(),
    clockAt,
    seenAt: doubt?.seenMs ?? clockAt,
  };
  const isNew = await db.tx(async (tx) => {
    if ((await insertHold(tx, hold)) === 0) return false;
    await auditPutOff(tx, clock.now(), hold);
    return true;
  });
  const open = (await findOpenHold(db)) ?? null;
  if (isNew && open) deps.onHold(open);
  return open;
}

/** The cause is resolved. After a corrected clock, records made at the wrong time must not outlast it. */
async function lapse({ db, clock }: CleanUpDeps, hold: OpenHold): Promise<void> {
  await db.tx(async (tx) => {
    if ((await endHold(tx, hold.id, 'lapsed', clock.now())) === 0) return;
    if (hold.reason === 'clock_ahead') await endWhatLastsTooLong(tx, clock.now());
    await appendAudit(tx, {
      at: clock.now(),
      actor: 'system',
      action: 'retention.resumed',
      subject: 'installation',
      details: { reason: hold.reason },
    });
  });
}

/** Backup, then the accepted time, then the removal. */
async function runConfirmed(deps: CleanUpDeps, hold: OpenHold): Promise<CleanedUp | null> {
  if (hold.state === 'waiting') return null;
  const { db, clock } = deps;
  const actor = hold.confirmedBy ?? 'system';
  if (hold.state === 'confirmed') {
    if (!(await begin(deps, hold, actor))) return null;
    await clock.sync();
  }
  const time = clock.deletionTime();
  if (time === null) return null;
  const { due, total } = await dueFacesAt(db, time);
  const isMore = isMassRemoval(due - (hold.confirmedFaces ?? 0), total);
  const removed = isMore ? null : await removeDue(db, clock, time, actor, deps.ending);
  if (deps.ending?.aborted === true) return removed;
  await db.tx((tx) => endHold(tx, hold.id, 'done', clock.now()));
  if (isMore) await putOff(deps, 'many_faces');
  return removed;
}

/** False if the clock was set since the confirmation, or another process has started. */
async function begin(deps: CleanUpDeps, hold: OpenHold, actor: Actor): Promise<boolean> {
  const { db, clock, backUp } = deps;
  if (await isOutdated(deps, hold)) return false;
  let backup: string;
  try {
    backup = await backUp(actor);
  } catch (error) {
    if (deps.ending?.aborted !== true) await db.tx((tx) => failHold(tx, hold.id, backupErrorOf(error)));
    throw error;
  }
  // The backup takes a while, and the clock may have been corrected meanwhile.
  if (await isOutdated(deps, hold)) return false;
  return db.tx(async (tx) => {
    if ((await beginHold(tx, hold.id, backup)) === 0) return false;
    if (hold.reason === 'many_faces') return true;
    const at = machineTime(clock);
    await acceptTime(tx, at);
    if (hold.reason === 'clock_behind') await endWhatLastsTooLong(tx, at);
    await appendAudit(tx, {
      at: clock.now(),
      actor,
      action: 'clock.accepted',
      subject: 'installation',
      details: {
        clock: iso(at),
        last_seen: iso(hold.seenAt),
      },
    });
    return true;
  });
}

const auditPutOff = (
  tx: SqlTx,
  at: number,
  { reason, clockAt, seenAt }: Pick<OpenHold, 'reason' | 'clockAt' | 'seenAt'>,
): Promise<void> =>
  appendAudit(tx, {
    at,
    actor: 'system',
    action: 'retention.put_off',
    subject: 'installation',
    details: { reason, clock: iso(clockAt), last_seen: iso(seenAt) },
  });

/** A confirmation applies to the displayed time: another time asks again, or no longer needs one. */
async function isOutdated(deps: CleanUpDeps, hold: OpenHold): Promise<boolean> {
  const { db, clock } = deps;
  if ((await currentHold(deps))?.id !== hold.id) return true;
  const clockAt = machineTime(clock);
  if (doubtOf(clockAt, hold.clockAt) === null) return false;
  await db.tx(async (tx) => {
    if ((await unconfirmHold(tx, hold.id, clockAt)) === 0) return;
    await auditPutOff(tx, clock.now(), { ...hold, clockAt });
  });
  return true;
}

/**
 * An admin confirms that the time is right and that expired data may be deleted. The clean-up follows within seconds.
 * @returns false if the hold is no longer waiting: someone else confirmed it, or its cause is resolved
 */
export async function confirmCleanUp(
  { db, clock, deletions }: { db: Database; clock: Clock; deletions: DeletionGuard },
  id: string,
  actor: Actor,
): Promise<boolean> {
  const { faces } = await dueAt(db, deletions.doubt()?.clockMs ?? clock.now());
  return db.tx(async (tx) => {
    const hold = await findOpenHold(tx);
    const doubt = deletions.doubt();
    if (hold?.id !== id || (hold.reason !== 'many_faces' && doubt?.kind !== hold.reason)) return false;
    const clockAt = doubt?.clockMs ?? clock.now();
    if ((await confirmHold(tx, id, { at: clock.now(), by: actor, clockAt, faces })) === 0) return false;
    await appendAudit(tx, {
      at: clock.now(),
      actor,
      action: 'retention.confirm',
      subject: 'installation',
      details: {
        reason: hold.reason,
        clock: iso(clockAt),
        last_seen: iso(hold.seenAt),
        faces,
      },
    });
    return true;
  });
}

/** The machine's clock, or service time if the two agree closely enough. */
const machineTime = (clock: ServiceClock): number => clock.doubt()?.clockMs ?? clock.now();
