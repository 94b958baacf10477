/** Backups on the settings page: which are made and kept, and restoring one. */
import path from 'node:path';
import type { BackupRestore, BackupSettings, BackupState } from '../../contract/console/settings.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type { Ports } from '../ports.ts';
import type { BackupService } from './service.ts';
import type { RestoreService } from './restore/restore-service.ts';
import { BackupError, ConsoleError, notFound } from '../errors.ts';
import { iso } from '../wire-values.ts';
import { changeBackupSettings, readBackupSettings } from './automatic.ts';
import { recoveryMadeAt } from './recovery-setting.ts';

export async function readBackups({
  db,
  backups,
  restores,
  keyKind,
}: Pick<Ports, 'db' | 'keyKind'> & {
  backups: BackupService;
  restores: RestoreService;
}): Promise<BackupState> {
  const { isOn, folder, keep } = await readBackupSettings(db);
  const restoring = await restores.underWay();
  return {
    engine: db.engine,
    settings: { is_on: isOn, folder, keep },
    folder: await backups.folder(),
    files: await backups.files(),
    recovery_made_at: await recoveryMadeAt(db),
    running: await backups.running(),
    failure: backups.failure(),
    restoring: restoring && {
      started_at: iso(restoring.startedAt),
      name: path.basename(restoring.file),
      step: restoring.step,
      percent: restoring.percent,
    },
    restore_failure: restores.failure(),
    key_kind: keyKind,
  };
}

/** @throws ConsoleError `backup_folder_relative` */
export async function changeBackups(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { is_on: isOn, folder, keep }: BackupSettings,
  actor: Actor,
): Promise<void> {
  if (folder !== null && !path.isAbsolute(folder)) {
    throw new ConsoleError('backup_folder_relative');
  }
  await changeBackupSettings(db, clock, { isOn, folder, keep }, actor);
}

/** @throws ConsoleError `not_found` for a file that is not in the folder of backups, or any code of `BackupError` */
export async function restoreFromBackup(
  { backups, restores }: { backups: BackupService; restores: RestoreService },
  { name, phrase }: BackupRestore,
  actor: Actor,
): Promise<void> {
  // Looks the name up among the listed files, so that a request cannot pass a path of its own.
  const file = (await backups.files()).find((listed) => listed.name === name);
  if (!file) throw notFound();
  try {
    const words = phrase?.trim() ?? '';
    await restores.begin({
      file: path.join(await backups.folder(), file.name),
      phrase: words === '' ? null : words,
      actor,
    });
  } catch (error) {
    throw error instanceof BackupError ? new ConsoleError(error.code) : error;
  }
}
