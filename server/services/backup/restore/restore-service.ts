/**
 * A restore from the console: unpacked and verified while the service runs, made final after the service has drained,
 * and put in place by the next start. Until then the data does not change, whatever fails.
 */
import type { BackupErrorCode } from '../../../contract/console/errors.ts';
import { Refusal, backupErrorOf } from '../../../refusals/refusal.ts';
import type { Actor } from '../../../domain/operators/actor.ts';
import { appendAudit } from '../../../store/operators/audit.ts';
import { threadFile } from '../../../program-files.ts';
import type { Database } from '../../../store/sql/port.ts';
import { openSqlite } from '../../../store/sql/sqlite/driver.ts';
import type { Clock } from '../../ports/clock.ts';
import type { BackupSource } from '../create.ts';
import { recoveryKeyOf } from '../recovery-phrase.ts';
import { readAccess, repeatAccess } from './repeat-access.ts';
import { knownErasures, repeatErasures } from './repeat-erasures.ts';
import type { BackupWork } from '../worker.ts';
import { removeTarget, type Restored } from './restore.ts';
import { askWorker } from '../worker-answer.ts';
import { sizeOf } from '../service.ts';

type RestoreStep = 'unpacking' | 'checking' | 'asking' | 'restarting';
/** A question that nobody answers ends the restore: the data changes meanwhile. */
const ANSWER_WITHIN_MS = 3_600_000;
/** Open pages ask every half second: they see that it is decided before the service stops to take the data. */
const SHOWN_MS = 1_500;
type RestoreUnderWay = {
  startedAt: number;
  file: string;
  step: RestoreStep;
  /** Progress of unpacking, 0 to 100. */
  percent: number;
  question: RestoreQuestion | null;
};

/** Who will be admin, and what comes back disabled. */
export type RestoreQuestion = Pick<Restored, 'proof' | 'admins' | 'disabled'> & { code: string };

type RestoreRequest = { file: string; phrase: string | null; keepsAccess: boolean; actor: Actor };

export type RestoreService = {
  underWay(): Promise<RestoreUnderWay | null>;
  /** Why the last restore from the console failed, in words. */
  failure(): BackupErrorCode | null;
  /** @throws Refusal `wrong_phrase` for an invalid phrase, `restore_under_way` */
  begin(request: RestoreRequest): Promise<void>;
  /** Answers the question with its code. @throws Refusal `admins_unconfirmed` for another code, or without a question */
  confirm(code: string, actor: Actor): Promise<void>;
  /** Gives up a restore that asks; does nothing otherwise. */
  cancel(): Promise<void>;
  /**
   * Call when no requests are answered any more and before the database is closed. Makes a restore final if it is
   * ready; drops one that is still being unpacked.
   */
  decide(): Promise<void>;
};

type RestoreServiceOptions = {
  source: () => BackupSource;
  /** Where the verified database is kept until then. */
  target: string;
  /** From here on the next start uses the database at `target`. */
  mark: () => Promise<void>;
  /** The verified database is ready: the service has to shut down and restart. */
  restart: () => void;
  onError: (error: unknown) => void;
};

type Job = { startedAt: number; file: string; isReady: boolean; question: RestoreQuestion | null };

export function createRestoreService(
  db: Database,
  clock: Clock,
  options: RestoreServiceOptions,
): RestoreService {
  const { source, target, mark, restart, onError } = options;
  let job: Job | null = null;
  let failure: BackupErrorCode | null = null;
  const ending = new AbortController();

  function finish(mine: Job): void {
    mine.question = null;
    mine.isReady = true;
    setTimeout(restart, SHOWN_MS);
  }

  async function giveUp(mine: Job): Promise<void> {
    if (job !== mine || mine.isReady) return;
    job = null;
    await removeTarget(target);
  }

  async function prepare(mine: Job, request: RestoreRequest) {
    try {
      const work: BackupWork = { kind: 'restore', ...request, ...source(), target };
      const script = threadFile('services/backup/worker');
      const stopped = 'The restore stopped before it was complete. The data is unchanged.';
      const {
        question: code,
        proof,
        admins,
        disabled,
      } = await askWorker<Restored>(script, work, stopped, ending.signal);
      if (code === null) {
        finish(mine);
        return;
      }
      mine.question = { code, proof, admins, disabled };
      setTimeout(() => void giveUp(mine).catch(onError), ANSWER_WITHIN_MS).unref();
    } catch (error) {
      failure = backupErrorOf(error);
      job = null;
      onError(error);
    }
  }

  return {
    async underWay() {
      if (job === null) return null;
      const { startedAt, file, isReady, question } = job;
      const [whole, unpacked] = await Promise.all([sizeOf(file), sizeOf(target)]);
      const percent = Math.min(100, whole === 0 ? 0 : Math.floor((100 * unpacked) / whole));
      // A backup is slightly larger than its content.
      const step = isReady ? 'restarting' : question ? 'asking' : percent < 99 ? 'unpacking' : 'checking';
      return { startedAt, file, step, percent, question };
    },
    failure: () => failure,
    async begin(request) {
      if (job !== null)
        throw new Refusal('restore_under_way', {
          message: 'A backup is already being restored. Wait until that has finished.',
        });
      if (request.phrase !== null) recoveryKeyOf(request.phrase);
      failure = null;
      const at = clock.now();
      const mine: Job = { startedAt: at, file: request.file, isReady: false, question: null };
      job = mine;
      // The audit log of the previous database records who replaced it.
      const recorded = db.tx((tx) =>
        appendAudit(tx, {
          at,
          actor: request.actor,
          action: 'backup.restore_begun',
          subject: 'installation',
        }),
      );
      await recorded.catch((error: unknown) => {
        job = null;
        throw error;
      });
      void prepare(mine, request);
    },
    async confirm(code, actor) {
      const mine = job;
      if (mine?.question?.code !== code)
        throw new Refusal('admins_unconfirmed', {
          message: 'The restore no longer asks for this confirmation. Start it again.',
        });
      await db.tx((tx) =>
        appendAudit(tx, {
          at: clock.now(),
          actor,
          action: 'backup.restore_confirmed',
          subject: 'installation',
          details: { admins: mine.question?.admins.length ?? 0 },
        }),
      );
      finish(mine);
    },
    async cancel() {
      if (job?.question) await giveUp(job);
    },
    async decide() {
      if (job?.isReady !== true) {
        ending.abort();
        if (job) await giveUp(job);
        return;
      }
      // Nor must come back who was erased, or what was revoked, during unpacking.
      const late = await knownErasures(db);
      const access = await readAccess(db);
      const restored = await openSqlite({
        path: target,
        keyPath: `${target}.key`,
        key: source().databaseKey,
      });
      try {
        await repeatErasures(restored, clock, late);
        await repeatAccess(restored, access, clock.now());
      } finally {
        await restored.close();
      }
      await mark();
    },
  };
}
