import type { SmsSetting } from '../phone/sms-settings.ts';
import type { LanService } from '../network/service.ts';
import type { RestoreService } from '../backup/restore-service.ts';
import type { BackupService } from '../backup/service.ts';

/** What the console shows and does about the installation itself; made once at start. */
export type Installation = {
  /** Where the console listens, once it does. */
  consoleUrl: () => string;
  /** Whether other machines can reach the console. */
  isConsoleOpen: () => boolean;
  /** The network mode. */
  lan: Pick<LanService, 'state' | 'apply'>;
  /** Of the environment. */
  sms: SmsSetting;
  webhookAllowHosts: readonly string[];
  backups: BackupService;
  restores: RestoreService;
  /** What keeps the key of the database. */
  keyKind: 'key_file' | 'keychain';
};
