/** What a server has from this machine: its database, and what its console shows and changes here. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ServerConfig } from '../config.ts';
import { desktopShell } from '../data/desktop-shell.ts';
import { listPreviousDatabases, markRestored } from '../data/finish-restore.ts';
import { databaseKeyOf, openDatabase } from '../data/folder.ts';
import { injectedKey } from '../data/injected-key.ts';
import { dataPaths } from '../data/location.ts';
import { listRecordings } from '../data/recordings.ts';
import type { Recipient } from '../domain/papers/facts.ts';
import { isLoopbackHost } from '../routes/console/origin.ts';
import type { Installation, ServiceDeps } from '../routes/deps.ts';
import { createRestoreService } from '../services/backup/restore/restore-service.ts';
import { createBackupService } from '../services/backup/service.ts';
import { startCommand } from '../services/backup/settings.ts';
import { isSetupNeeded, newSetupCode } from '../services/setup/setup.ts';
import { createUpdateService } from '../services/updates/service.ts';
import { updateHome } from '../services/updates/home.ts';
import { installedPackage } from '../services/updates/package.ts';
import { systemClock } from '../services/ports/clock.ts';
import { type Database, StoreError } from '../store/sql/port.ts';
import { serversOf } from '../store/sql/postgres/servers.ts';
import type { Addresses } from './addresses.ts';

/** After a power cut, a node may be up before its PostgreSQL. */
const DATABASE_MAY_TAKE_MS = 30_000;
/** A slow machine can take longer for one try. */
const FEWEST_TRIES = 3;
const AGAIN_AFTER_MS = 1_000;

/** Starts again for half a minute, and at least three times, while the database is away. @throws what `start` does */
export async function whenThere<T>(start: () => Promise<T>, logger: Pick<Logger, 'warn'>): Promise<T> {
  const untilMs = performance.now() + DATABASE_MAY_TAKE_MS;
  for (let tries = 1; ; tries++) {
    try {
      return await start();
    } catch (error) {
      const isAway = error instanceof StoreError && error.code === 'database_unreachable';
      if (!isAway || (tries >= FEWEST_TRIES && performance.now() > untilMs)) throw error;
      logger.warn({ err: error }, 'database cannot be reached yet');
      await sleep(AGAIN_AFTER_MS);
    }
  }
}

/** The database of a server, whose troubles are logged. @throws ConfigError, StoreError */
export function openServed(config: ServerConfig, logger: Logger): Promise<Database> {
  return openDatabase(config.dataDir, {
    databaseUrl: config.databaseUrl,
    databaseKeys: config.databaseKeys,
    onFollowerError: (error) => {
      logger.error({ err: error }, 'commit listener failed');
    },
    onDamagedLog({ durableAt, frames, found }) {
      logger.error(
        { last_durable: new Date(durableAt).toISOString(), durable_pages: frames, found_pages: found },
        'database log is damaged, so the last results before it may be missing',
      );
    },
    onRefusedWrites(failure) {
      if (failure === null) logger.warn('database accepts writes again');
      else logger.error({ err: failure }, 'database refuses writes, so this node is not ready');
    },
  });
}

/** What the console shows about this installation, and can change. */
export function installationOf(
  config: ServerConfig,
  db: Database,
  { addresses, restart, logger }: { addresses: Addresses; restart: () => void; logger: Logger },
): Installation {
  const { database: databasePath, backups, restored } = dataPaths(config.dataDir);
  const of = () => ({ databasePath, databaseKey: databaseKeyOf(config.dataDir) });
  return {
    consoleUrl: addresses.consoleUrl,
    addresses: addresses.listed,
    // An additional name of the console belongs to a proxy in front of it.
    isConsoleOpen: () =>
      !isLoopbackHost(config.consoleHost) ||
      config.consoleNames.length > 0 ||
      addresses.lan.state().isConsoleOpen,
    lan: addresses.lan,
    sms: config.sms,
    webhookAllowHosts: config.webhookAllowHosts,
    backups: createBackupService(
      db,
      systemClock,
      {
        of,
        dataDir: config.dataDir,
        defaultFolder: backups,
        startCommand: config.isSupervised ? null : startCommand(config.dataDir),
        replaced: () => listPreviousDatabases(config.dataDir),
      },
      (error) => {
        logger.error({ err: error }, 'backup failed');
      },
    ),
    restores: createRestoreService(db, systemClock, {
      source: of,
      target: restored,
      mark: async () => {
        await markRestored(config.dataDir, systemClock.now());
      },
      restart,
      onError: (error) => {
        logger.error({ err: error }, 'restore failed');
      },
    }),
    updates: createUpdateService(db, systemClock, {
      home: updateHome(),
      // Nobody could answer the system’s question for the service’s account.
      packageName: installedPackage() === 'gatehouse' ? 'gatehouse' : null,
      data: config.databaseUrl === null ? { database: databasePath, backups } : null,
      isSupervised: config.isSupervised,
      onError: (error) => {
        logger.error({ err: error }, 'update failed');
      },
    }),
    papers: {
      recipients: environmentRecipients(config),
      hasRecordings: async () => (await listRecordings(config.dataDir)).length > 0,
    },
    keyKind: injectedKey() ? 'keychain' : 'key_file',
    isInstalledApp: desktopShell().isInstalled,
    recovery: { isOpen: desktopShell().recovers },
  };
}

/** Machines that hold or get data by the environment's settings. A database on this machine is none. */
export function environmentRecipients({
  databaseUrl,
  auditExport: { syslog, https },
}: Pick<ServerConfig, 'databaseUrl' | 'auditExport'>): Recipient[] {
  const servers = databaseUrl === null ? [] : serversOf(databaseUrl).map(({ host }) => host);
  const isElsewhere = (host: string) => host !== '' && !host.startsWith('/') && !isLoopbackHost(host);
  return [
    ...servers.filter(isElsewhere).map((host): Recipient => ({ kind: 'database', host })),
    ...[syslog, https].flatMap((url): Recipient[] =>
      url === null ? [] : [{ kind: 'audit', host: url.hostname }],
    ),
  ];
}

/**
 * Creating the first admin needs no code on this machine. A console that is open to others requires the one printed
 * here.
 */
export async function printSetupCode(
  { consoleHost }: ServerConfig,
  deps: Pick<ServiceDeps, 'db' | 'clock'>,
): Promise<void> {
  if (isLoopbackHost(consoleHost) || !(await isSetupNeeded(deps.db))) return;
  const code = await newSetupCode(deps);
  process.stderr.write(`gatehouse: setup code for another machine: ${code}\n`);
}
