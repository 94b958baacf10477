/** Makes a backup, or unpacks and verifies one, in a separate thread, while the service keeps running on the current data. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Actor } from '../../domain/operators/actor.ts';
import { readWithin } from '../../store/backup/snapshot.ts';
import { systemClock } from '../ports/clock.ts';
import { type MadeBackup, makeBackup, type MakeWork } from './make.ts';
import { recoveryKeyOf } from './recovery-phrase.ts';
import { readAccess } from './restore/repeat-access.ts';
import { knownErasures } from './restore/repeat-erasures.ts';
import { type Restored, restoreBackup } from './restore/restore.ts';
import { answerOf } from './worker-answer.ts';

export type BackupWork = ({ kind: 'make' } & MakeWork) | ({ kind: 'restore' } & RestoreInput);

type RestoreInput = {
  file: string;
  /** The 24 words; null for a backup of this installation. */
  phrase: string | null;
  keepsAccess: boolean;
  databasePath: string;
  databaseKey: Uint8Array;
  /** Path of the verified database. */
  target: string;
  actor: Actor;
};

async function restore(input: RestoreInput): Promise<Restored> {
  const { file, phrase, keepsAccess, databasePath, databaseKey: key, target, actor } = input;
  return restoreBackup({
    file,
    opener:
      phrase === null
        ? { kind: 'database', key }
        : { kind: 'recovery', key: recoveryKeyOf(phrase), databaseKey: key },
    isInPlace: true,
    keepsAccess,
    target,
    targetKey: key,
    erasures: () => readWithin({ path: databasePath, key }, knownErasures),
    access: () => readWithin({ path: databasePath, key }, readAccess),
    clock: systemClock,
    actor,
  });
}

const work = workerData as BackupWork;
parentPort?.postMessage(
  await answerOf<MadeBackup | Restored>(work.kind === 'make' ? makeBackup(work) : restore(work)),
);
