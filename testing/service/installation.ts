/** An installation whose backups go into a folder of the test. */
import { LAN_OFF } from '../../server/services/network/service.ts';
import path from 'node:path';
import type { Clock } from '../../server/services/ports/clock.ts';
import { createRestoreService } from '../../server/services/backup/restore/restore-service.ts';
import { createBackupService } from '../../server/services/backup/service.ts';
import { createUpdateService } from '../../server/services/updates/service.ts';
import type { Installation } from '../../server/routes/deps.ts';
import type { Database } from '../../server/store/sql/port.ts';
import { readOrCreateKeyFile } from '../../server/store/sql/key-file.ts';
import { storePaths, tempDir } from '../store/temp-store.ts';

/** @param dir of the database, for tests that make backups */
export function testInstallation(db: Database, clock: Clock, dir = tempDir()): Installation {
  const { path: databasePath, keyPath } = storePaths(dir);
  const of = () => ({ databasePath, databaseKey: readOrCreateKeyFile(keyPath, databasePath) });
  return {
    lan: { state: () => LAN_OFF, apply: async () => LAN_OFF },
    addresses: () => ['127.0.0.1:4180'],
    consoleUrl: () => 'http://127.0.0.1:4181',
    isConsoleOpen: () => false,
    sms: { sender: 'operator' },
    webhookAllowHosts: [],
    backups: createBackupService(
      db,
      clock,
      {
        of,
        dataDir: dir,
        defaultFolder: path.join(dir, 'backups'),
        startCommand: null,
        replaced: async () => [],
      },
      () => undefined,
    ),
    restores: createRestoreService(db, clock, {
      source: of,
      target: path.join(dir, 'restored.db'),
      mark: async () => undefined,
      restart: () => undefined,
      onError: () => undefined,
    }),
    updates: createUpdateService(db, clock, {
      home: null,
      data: null,
      isSupervised: true,
      onError: () => undefined,
    }),
    papers: { recipients: [], hasRecordings: async () => false },
    keyKind: 'key_file',
    isInstalledApp: false,
    recovery: { isOpen: false },
  };
}
