/** Backups on the settings page: which are made and kept, and restoring one. */
import path from 'node:path';
import type { BackupChange, BackupRestore, BackupState } from '../../contract/console/settings.ts';
import type { Actor } from '../../domain/operators/actor.ts';
import type { Ports } from '../ports/ports.ts';
import type { BackupService } from './service.ts';
import type { RestoreQuestion, RestoreService } from './restore/restore-service.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';
import { iso } from '../wire/values.ts';
import { type ChangeLog, mergeChange, versionOf } from '../wire/versions.ts';
import { backupFields, isOnOtherDisk, readBackupSettings, storeBackupSettings } from './automatic.ts';
import { EXTENSION } from './names.ts';
import { readRecovery } from './recovery-setting.ts';
import { checkFolder } from './target.ts';

export async function readBackups({
  db,
  backups,
  restores,
  keyKind,
  isInstalledApp,
}: Pick<Ports, 'db' | 'keyKind' | 'isInstalledApp'> & {
  backups: BackupService;
  restores: RestoreService;
}): Promise<BackupState> {
  const settings = backupFields(await readBackupSettings(db));
  const restoring = await restores.underWay();
  const current = await backups.folder();
  const files = await backups.files();
  const recovery = await readRecovery(db);
  return {
    engine: db.engine,
    settings,
    version: versionOf(settings),
    folder: current,
    files,
    restore_command: isInstalledApp
      ? null
      : restoreCommand(path.join(current, files[0]?.name ?? `…${EXTENSION}`), backups.dataDir),
    start_command: backups.startCommand,
    data_folder: backups.dataDir,
    replaced: (await backups.replaced()).map(({ folder, replacedAt, bytes }) => ({
      folder,
      bytes,
      replaced_at: iso(replacedAt),
    })),
    recovery_made_at: recovery?.madeAt ?? null,
    recovery_is_signing: recovery?.isSigning ?? false,
    running: await backups.running(),
    failure: backups.failure(),
    restoring: restoring && {
      started_at: iso(restoring.startedAt),
      name: path.basename(restoring.file),
      step: restoring.step,
      percent: restoring.percent,
      question: questionOf(restoring.question),
    },
    restore_failure: restores.failure(),
    key_kind: keyKind,
  };
}

/** A backup that the database's key opened never asks. */
const questionOf = (question: RestoreQuestion | null) =>
  question && { ...question, proof: question.proof === 'phrase' ? ('phrase' as const) : ('none' as const) };

/** For the command line of this system. Names the folder, because another user's default is another one. */
const restoreCommand = (file: string, dataDir: string): string =>
  `npm run -s gatehouse -- backup restore ${quoted(file)} --data-dir ${quoted(dataDir)} --phrase-file -`;

/** For a service that was started by hand. */
export const startCommand = (dataDir: string): string =>
  `npm run -s gatehouse -- serve --data-dir ${quoted(dataDir)}`;

const quoted = (text: string): string =>
  process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** @throws Refusal `backup_folder_relative`, `backup_folder_missing`, `backup_folder_in_data`, `changed_meanwhile` */
export async function changeBackups(
  { db, clock, backups: { dataDir } }: Pick<Ports, 'db' | 'clock'> & { backups: BackupService },
  { version, ...sent }: BackupChange,
  actor: Actor,
): Promise<void> {
  const before = await readBackupSettings(db);
  // Its disk may be away while something else is changed.
  const newFolder = typeof sent.folder === 'string' && sent.folder !== before.folder ? sent.folder : null;
  if (newFolder !== null) await checkNewFolder(newFolder, dataDir);
  const isNewElsewhere = newFolder !== null && (await isOnOtherDisk(newFolder, dataDir));
  await db.tx(async (tx) => {
    const stored = await readBackupSettings(tx);
    const current = backupFields(stored);
    const log: ChangeLog = { subject: 'installation', actions: ['backup.settings'] };
    const {
      is_on: isOn,
      folder,
      keep,
    } = { ...current, ...(await mergeChange(tx, { version, current, sent, log })) };
    const isElsewhere = folder === stored.folder ? (stored.isOtherDisk ?? false) : isNewElsewhere;
    const settings = { isOn, folder, keep, isOtherDisk: folder !== null && isElsewhere };
    await storeBackupSettings(tx, clock, settings, actor);
  });
}

async function checkNewFolder(folder: string, dataDir: string): Promise<void> {
  if (!path.isAbsolute(folder)) throw new Refusal('backup_folder_relative');
  await checkFolder(folder, dataDir);
}

/** @throws Refusal `not_found` for a file that is not in the folder of backups, or any of `BACKUP_ERRORS` */
export async function restoreFromBackup(
  { backups, restores }: { backups: BackupService; restores: RestoreService },
  { name, phrase, keep_access: keepsAccess = false }: BackupRestore,
  actor: Actor,
): Promise<void> {
  // Looks the name up among the listed files, so that a request cannot pass a path of its own.
  const file = (await backups.files()).find((listed) => listed.name === name);
  if (!file) throw notFound();
  const words = phrase?.trim() ?? '';
  const chosen = path.join(await backups.folder(), file.name);
  const request = { file: chosen, phrase: words === '' ? null : words, keepsAccess, actor };
  await restores.begin(request);
}

/** @throws Refusal `admins_unconfirmed` */
export const confirmRestore = (
  { restores }: { restores: RestoreService },
  code: string,
  actor: Actor,
): Promise<void> => restores.confirm(code, actor);
