/**
 * A restore from the console: unpacked and verified while the service runs, made final after the service has drained,
 * and put in place by the next start. Until then the data does not change, whatever fails.
 */
import type { BackupErrorCode } from '../../../contract/console/errors.ts';
import { BackupError, backupErrorOf } from '../../errors.ts';
import type { Actor } from '../../../domain/operators/actor.ts';
import { appendAudit } from '../../../store/operators/audit.ts';
import { threadFile } from '../../../program-files.ts';
import type { Database } from '../../../store/sql/port.ts';
import { openSqlite } from '../../../store/sql/sqlite/driver.ts';
import type { Clock } from '../../clock.ts';
import type { BackupSource } from '../create.ts';
import { recoveryKeyOf } from '../recovery-phrase.ts';
import { readAccess, repeatAccess } from './repeat-access.ts';
import { knownErasures, repeatErasures } from './repeat-erasures.ts';
import type { BackupWork } from '../worker.ts';
import { askWorker } from '../worker-answer.ts';
import { sizeOf } from '../service.ts';

type RestoreStep = 'unpacking' | 'checking' | 'restarting';
type RestoreUnderWay = {
  startedAt: number;
  file: string;
  step: RestoreStep;
  /** Progress of unpacking, 0 to 100. */
  percent: number;
};

export type RestoreService = {
  underWay(): Promise<RestoreUnderWay | null>;
  /** Why the last restore from the console failed, in words. */
  failure(): BackupErrorCode | null;
  /** @throws BackupError `wrong_phrase` for an invalid phrase, `restore_under_way` */
  begin(request: { file: string; phrase: string | null; actor: Actor }): Promise<void>;
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

type Job = { startedAt: number; file: string; isReady: boolean };

export function createRestoreService(
  db: Database,
  clock: Clock,
  options: RestoreServiceOptions,
): RestoreService {
  const { source, target, mark, restart, onError } = options;
  let job: Job | null = null;
  let failure: BackupErrorCode | null = null;

  async function prepare(mine: Job, request: { file: string; phrase: string | null; actor: Actor }) {
    try {
      const work: BackupWork = { kind: 'restore', ...request, ...source(), target };
      const script = threadFile('services/backup/worker');
      await askWorker(script, work, 'The restore stopped before it was complete. The data is unchanged.');
      mine.isReady = true;
      restart();
    } catch (error) {
      failure = backupErrorOf(error);
      job = null;
      onError(error);
    }
  }

  return {
    async underWay() {
      if (job === null) return null;
      const { startedAt, file, isReady } = job;
      const [whole, unpacked] = await Promise.all([sizeOf(file), sizeOf(target)]);
      const percent = Math.min(100, whole === 0 ? 0 : Math.floor((100 * unpacked) / whole));
      // A backup is slightly larger than its content.
      const step = isReady ? 'restarting' : percent < 99 ? 'unpacking' : 'checking';
      return { startedAt, file, step, percent };
    },
    failure: () => failure,
    async begin(request) {
      if (job !== null)
        throw new BackupError(
          'restore_under_way',
          'A backup is already being restored. Wait until that has finished.',
        );
      if (request.phrase !== null) recoveryKeyOf(request.phrase);
      failure = null;
      const at = clock.now();
      const mine: Job = { startedAt: at, file: request.file, isReady: false };
      job = mine;
      // The audit log of the previous database records who replaced it.
      const recorded = db.tx((tx) =>
        appendAudit(tx, {
          at,
          actor: request.actor,
          action: 'backup.restore_begun',
          companyId: null,
          partition: null,
          subject: 'installation',
          details: {},
        }),
      );
      await recorded.catch((error: unknown) => {
        job = null;
        throw error;
      });
      void prepare(mine, request);
    },
    async decide() {
      if (job?.isReady !== true) return;
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
