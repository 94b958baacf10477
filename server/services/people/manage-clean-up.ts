import { BACKUP_ERRORS, type BackupErrorCode } from '../../contract/console/errors.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type { CleanUpSettings } from '../../contract/console/clean-up.ts';
import { findOpenHold } from '../../store/people/retention-holds.ts';
import type { Ports } from '../ports/ports.ts';
import { confirmCleanUp } from './clean-up.ts';
import { dueAt } from './retention-due.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { iso } from '../wire/values.ts';

type Deps = Pick<Ports, 'db' | 'clock' | 'deletions'>;

export async function readCleanUp({ db, clock, deletions }: Deps): Promise<CleanUpSettings> {
  const hold = await findOpenHold(db);
  if (!hold) return { hold: null };
  const clockMs = deletions.doubt()?.clockMs ?? clock.now();
  const due = await dueAt(db, clockMs);
  return {
    hold: {
      hold_id: hold.id,
      reason: hold.reason,
      state: hold.state,
      put_off_at: iso(hold.putOffAt),
      clock: iso(clockMs),
      last_seen: iso(hold.seenAt),
      failure: hold.failure === null ? null : knownFailure(hold.failure),
      due: {
        faces: due.faces,
        faces_total: due.facesTotal,
        case_frames: due.caseFrames,
        guest_photos: due.guestPhotos,
        abandoned_runs: due.abandonedRuns,
        test_runs: due.testRuns,
        webhook_calls: due.webhookCalls,
      },
    },
  };
}

/** @throws Refusal `clean_up_changed` if another admin was faster or the cause is resolved */
export async function confirmPutOff(deps: Deps, holdId: string, actor: Actor): Promise<CleanUpSettings> {
  if (!(await confirmCleanUp(deps, holdId, actor))) {
    throw new Refusal('clean_up_changed');
  }
  return readCleanUp(deps);
}

/** Earlier versions stored a sentence instead of the code. */
const knownFailure = (stored: string): BackupErrorCode =>
  BACKUP_ERRORS.find((code) => code === stored) ?? 'backup_failed';
