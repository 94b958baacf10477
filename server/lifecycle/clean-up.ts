/** Clean-ups of a data folder, and the backup before one that was on hold. */
import { databaseKeyOf } from '../data/folder.ts';
import { dataPaths } from '../data/location.ts';
import { folderForBackup, replaceBackups } from '../services/backup/automatic.ts';
import { createAuditedBackup } from '../services/backup/create.ts';
import { cleanUpBackupName } from '../services/backup/names.ts';
import { freeTarget } from '../services/backup/target.ts';
import { systemClock } from '../services/ports/clock.ts';
import { type CleanUp, type CleanUpDeps, createCleanUp } from '../services/people/clean-up.ts';

export function cleanUpOf(dataDir: string, deps: Omit<CleanUpDeps, 'backUp' | 'replaceBackups'>): CleanUp {
  const { db, ending } = deps;
  return createCleanUp({
    ...deps,
    async replaceBackups(sinceMs) {
      // Likewise.
      if (db.engine === 'postgres') return 'postgres';
      const { database: databasePath, backups: defaultFolder } = dataPaths(dataDir);
      const source = { databasePath, databaseKey: databaseKeyOf(dataDir), defaultFolder };
      return replaceBackups(db, systemClock, { ...source, ...(ending && { ending }) }, sinceMs);
    },
    async backUp(actor) {
      // PostgreSQL has its own backups, which are the operator’s responsibility.
      if (db.engine === 'postgres') return 'PostgreSQL';
      const { database: databasePath, backups } = dataPaths(dataDir);
      const folder = await folderForBackup(db, { dataDir, defaultFolder: backups });
      const source = { databasePath, databaseKey: databaseKeyOf(dataDir) };
      const target = freeTarget(folder, cleanUpBackupName, systemClock.now());
      return (await createAuditedBackup(db, systemClock, source, { target, actor, ending })).file;
    },
  });
}
