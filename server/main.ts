/** Assembles and starts the service. */
import { createDeniedPictures } from './services/capture/denied-pictures.ts';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import product from '../package.json' with { type: 'json' };
import type { Logger } from 'pino';
import { createFastify, createPublicApp } from './http/public-app.ts';
import type { ServerConfig } from './config.ts';
import { createConsoleApp } from './http/console-app.ts';
import { databaseKeyOf, openDatabase } from './data/folder.ts';
import { dataPaths } from './data/location.ts';
import { listPreviousDatabases, markRestored, removeUndecided } from './data/finish-restore.ts';
import { shareServing } from './data/lock.ts';
import { desktopShell } from './data/desktop-shell.ts';
import { injectedKey } from './data/injected-key.ts';
import { createLanService } from './http/lan.ts';
import { startBackgroundJobs } from './lifecycle/background-jobs.ts';
import { createLifecycle, type Lifecycle } from './lifecycle/lifecycle.ts';
import {
  BACKUPS_MAY_TAKE_MS,
  createEngineEnd,
  DATA_MAY_TAKE_MS,
  ENGINE_MAY_TAKE_MS,
  type EngineEnd,
  WORK_MAY_TAKE_MS,
} from './lifecycle/shutdown.ts';
import { closeGracefully, listen } from './http/listen.ts';
import { createLogger } from './http/logging.ts';
import { isLoopbackHost } from './routes/console/origin.ts';
import { trustRoutes, type TrustShown } from './routes/trust/index.ts';
import { createRestoreService } from './services/backup/restore/restore-service.ts';
import { createBackupService } from './services/backup/service.ts';
import { startCommand } from './services/backup/settings.ts';
import { createChangeFeed } from './services/changes/changes.ts';
import { isSetupNeeded, newSetupCode } from './services/setup/setup.ts';
import type { LanguageOffer } from './contract/languages.ts';
import type { Installation, ServiceDeps } from './routes/deps.ts';
import type { RecordingSetup } from './services/ports/ports.ts';
import { createCodeService } from './services/phone/codes.ts';
import { createServiceClock, systemClock } from './services/ports/clock.ts';
import { createHealth } from './services/health/health.ts';
import { LAN_OFF, type LanService } from './services/network/service.ts';
import { createConnectSigner } from './services/connections/signer.ts';
import { readLanguageOffer } from './services/companies/languages.ts';
import { SINGLE_NODE, startNode } from './services/maintenance/nodes.ts';
import { watchMaintenance } from './services/maintenance/maintenance.ts';
import type { FaceIndex } from './services/matching/face-index.ts';
import { createUsageTracker } from './services/keys/usage-tracker.ts';
import { createRefusalLog } from './services/keys/refusals.ts';
import { createResultTokens } from './services/passes/result-tokens.ts';
import { createSessionEvents } from './services/runs/sessions/session-events.ts';
import { senderOf, smsNow } from './services/phone/sms-settings.ts';
import { createWebhookService } from './services/webhooks/service.ts';
import { startMatching } from './lifecycle/start-matching.ts';
import { endAllChecks } from './store/runs/session-checks.ts';
import type { Database } from './store/sql/port.ts';
import { sharePostgres } from './store/sql/postgres/node.ts';

type RunningServer = {
  baseUrl: string;
  /** Calls back with the base URL each time that it changes: network mode was turned on or off, or has a new address. */
  onMoved(listener: (baseUrl: string) => void): void;
  connectUrl: string;
  consoleUrl: string;
  deps: ServiceDeps;
  /** Resolves when a verified backup is ready: it is in place after `close` and the next start. */
  restartWanted: Promise<void>;
  /**
   * Lets requests in progress finish, then stops.
   * @throws the first failure, after everything was stopped
   */
  close(): Promise<void>;
};

/**
 * @param recording records all captures and settles nothing; for `gatehouse record` only
 * @throws ConfigError, StoreError, in words for the operator
 */
export async function startServer(config: ServerConfig, recording?: RecordingSetup): Promise<RunningServer> {
  const logger = createLogger(config.logLevel);
  const lifecycle = createLifecycle(logger);
  try {
    return await startParts(config, { logger, lifecycle, recording });
  } catch (error) {
    // The log names any part that could not be stopped; the operator needs the reason why the start failed.
    await lifecycle.close().catch(() => undefined);
    throw error;
  }
}

async function startParts(
  config: ServerConfig,
  {
    logger,
    lifecycle,
    recording,
  }: { logger: Logger; lifecycle: Lifecycle; recording?: RecordingSetup | undefined },
): Promise<RunningServer> {
  const failed = (what: string) => (error: unknown) => {
    logger.error({ err: error }, what);
  };
  let engineEnd: EngineEnd | null = null;
  // Stops last: everything that was answered is durable by then, even if a thread hangs.
  lifecycle.onStop('a thread of the face engine', ENGINE_MAY_TAKE_MS, () => engineEnd?.threads());
  const db = await openDatabase(config.dataDir, {
    databaseUrl: config.databaseUrl,
    databaseKeys: config.databaseKeys,
    onFollowerError: failed('commit listener failed'),
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
  lifecycle.onStop('the database', DATA_MAY_TAKE_MS, () => db.close());
  // No process judges the captures of a killed server any more.
  const endLeftChecks = () => endAllChecks(db);
  const serving =
    config.databaseUrl === null
      ? await shareServing(config.dataDir, endLeftChecks)
      : await sharePostgres(config.databaseUrl, endLeftChecks);
  lifecycle.onStop('the lock of the servers', DATA_MAY_TAKE_MS, () => serving.release());
  let listening = '';
  let consoleListening = '';
  let lan: LanService | null = null;
  const lanState = () => lan?.state() ?? LAN_OFF;
  const baseUrl = () => config.publicUrl ?? lanState().origin ?? listening;
  // For this machine's own windows, which need no certificate of network mode and trust none.
  const connectUrl = () => config.publicUrl ?? listening;
  const trustPage = () => {
    const { trustUrl: url, fingerprint } = lanState();
    return url === null || fingerprint === null ? null : { url, fingerprint };
  };
  const addresses = () => {
    const { origins, consoleOrigin } = lanState();
    return [
      ...listeningAt(config.host, listening),
      ...listeningAt(config.consoleHost, consoleListening),
      ...origins,
      ...(consoleOrigin === null ? [] : [consoleOrigin]),
    ];
  };
  let index: FaceIndex | null = null;
  const node =
    db.engine === 'sqlite'
      ? SINGLE_NODE
      : await startNode({
          db,
          lead: serving,
          indexLag: async () => (await index?.lag()) ?? 0,
          version: product.version,
          addresses,
          drainMs: config.drainMs,
          wait: (ms) => sleep(ms, undefined, { ref: false }),
        });
  lifecycle.onStop('the row of the node', DATA_MAY_TAKE_MS, () => node.remove());
  await removeUndecided(config.dataDir);
  const restartWanted = Promise.withResolvers<undefined>();
  const installation = installationOf(config, db, {
    consoleUrl: () => consoleListening,
    addresses,
    lan: { state: lanState, apply: async () => (await lan?.apply()) ?? LAN_OFF },
    restart: () => restartWanted.resolve(undefined),
    logger,
  });
  lifecycle.onStop('the end of a restore', DATA_MAY_TAKE_MS, () => installation.restores.decide());
  const { faces, faceIndex } = await startMatching(config, db, logger);
  index = faceIndex;
  const ending = (engineEnd = createEngineEnd(faces));
  lifecycle.onStop('the face index', DATA_MAY_TAKE_MS, () => faceIndex.close());
  lifecycle.onStop('the face engine', DATA_MAY_TAKE_MS, () => {
    // Not awaited: the threads may take as long as all following steps. The last step reports a failure.
    ending.threads().catch(() => undefined);
  });
  // The service's time never goes back. Certificates need the machine's own, because other machines check them.
  const clock = await createServiceClock(db, {
    wall: systemClock,
    onError: failed('time could not be saved'),
  });
  lifecycle.onStop('the clock', DATA_MAY_TAKE_MS, () => clock.close());
  const tokens = await createResultTokens(db, clock);
  const connect = await createConnectSigner(db, clock);
  const refusals = createRefusalLog(db, clock, failed('refused call could not be recorded'));
  lifecycle.onStop('the record of refusals', DATA_MAY_TAKE_MS, () => refusals.close());
  const reads = createUsageTracker(db, clock, failed('reads could not be recorded'));
  lifecycle.onStop('the record of reads', DATA_MAY_TAKE_MS, () => reads.close());
  const { setting: sms } = await smsNow(db, config.sms);
  const maintenance = await watchMaintenance(db, clock, failed('maintenance setting could not be read'));
  const codes = createCodeService(
    db,
    clock,
    senderOf(sms),
    failed('code could not be sent'),
    serving.isLeader,
  );
  lifecycle.onStop('a backup or a code', WORK_MAY_TAKE_MS, () =>
    Promise.all([installation.backups.idle(BACKUPS_MAY_TAKE_MS), codes.close()]),
  );
  const events = createSessionEvents(db);
  const webhooks = createWebhookService({
    db,
    clock,
    allowHosts: config.webhookAllowHosts,
    baseUrl,
    onError: failed('webhooks could not be sent'),
  });
  const { data, database, backups } = { data: config.dataDir, ...dataPaths(config.dataDir) };
  const health = await createHealth(
    {
      db,
      clock,
      deletions: clock,
      faces,
      codes,
      keyKind: installation.keyKind,
      lan: installation.lan,
      folders: { data, database, backups },
    },
    failed('health could not be read'),
  );
  lifecycle.onStop('the look at the health', DATA_MAY_TAKE_MS, () => health.close());
  const deps: ServiceDeps = {
    node,
    health,
    db,
    clock,
    wallClock: systemClock,
    deletions: clock,
    randomInt: (n) => randomInt(n),
    baseUrl,
    connectUrl,
    trustPage,
    faces,
    faceIndex,
    deniedPictures: createDeniedPictures(),
    tokens,
    connect,
    reads,
    refusals,
    unsavedActivity: new Map(),
    events,
    maintenance,
    codes,
    webhooks,
    attackThresholds: config.attackThresholds,
    recording,
  };
  const jobs = startBackgroundJobs(config, { ...deps, clock, node, isLeader: serving.isLeader }, logger);
  lifecycle.onStop('a background job', WORK_MAY_TAKE_MS, () => jobs.ended());
  const apps: FastifyInstance[] = [];
  lifecycle.onStop('a request or a webhook call', WORK_MAY_TAKE_MS, () => {
    const requests = Promise.all([lan?.close(), closeGracefully(apps)]);
    return Promise.all([ending.requests(requests), webhooks.close()]);
  });
  // Comes first: no new work starts, and the event streams end, which would keep their requests open.
  lifecycle.onStop('the event streams', WORK_MAY_TAKE_MS, () => {
    jobs.stop();
    maintenance.close();
    events.drain();
  });
  const app = await createPublicApp({ deps, logger, ...config });
  apps.push(app);
  const changes = createChangeFeed(db, clock, events, failed('changes could not be read'));
  health.onChange(() => changes.publish('health', null));
  await printSetupCode(config, deps);
  const consoleDeps = { ...deps, ...installation, changes };
  const consoleApp = await createConsoleApp({ deps: consoleDeps, logger, ...config });
  apps.push(consoleApp);
  await node.announce();
  listening = await listen(app, config.host, config.port, '--port');
  const consoleUrl = await listen(consoleApp, config.consoleHost, config.consolePort, '--console-port');
  consoleListening = consoleUrl;
  let moved: (baseUrl: string) => void = () => undefined;
  lan = createLanService({
    moved: () => moved(baseUrl()),
    db,
    clock: systemClock,
    ...config.lan,
    app,
    consoleApp,
    trustApp: (shown) => createTrustApp(logger, shown, () => readLanguageOffer(db)),
    onError: failed('network mode is not running'),
  });
  await lan.apply();
  await node.report();
  const { promise: restart } = restartWanted;
  return {
    baseUrl: baseUrl(),
    onMoved(listener) {
      moved = listener;
    },
    connectUrl: connectUrl(),
    consoleUrl,
    deps,
    restartWanted: restart,
    async close() {
      // First, because a drain can take minutes.
      jobs.stop();
      await Promise.all([node.drain(), db.giveUpIfSilent()]);
      await lifecycle.close();
    },
  };
}

/** The requested host, such as 0.0.0.0, with the assigned port. Call it only after listening. */
const listeningAt = (host: string, url: string): string[] =>
  url === '' ? [] : [`${host.includes(':') ? `[${host}]` : host}:${new URL(url).port}`];

async function createTrustApp(
  logger: Logger,
  shown: () => TrustShown,
  offer: () => Promise<LanguageOffer>,
): Promise<FastifyInstance> {
  const app = createFastify(logger, 0);
  trustRoutes(app, shown, offer);
  return app;
}

/**
 * Creating the first admin needs no code on this machine. A console that is open to others requires the one printed
 * here.
 */
async function printSetupCode(
  { consoleHost }: ServerConfig,
  deps: Pick<ServiceDeps, 'db' | 'clock'>,
): Promise<void> {
  if (isLoopbackHost(consoleHost) || !(await isSetupNeeded(deps.db))) return;
  const code = await newSetupCode(deps);
  process.stderr.write(`gatehouse: setup code for another machine: ${code}\n`);
}

/** What the console shows about this installation, and can change. */
function installationOf(
  config: ServerConfig,
  db: Database,
  {
    consoleUrl,
    addresses,
    lan,
    restart,
    logger,
  }: Pick<Installation, 'consoleUrl' | 'addresses' | 'lan'> & {
    restart: () => void;
    logger: Logger;
  },
): Installation {
  const { database: databasePath, backups, restored } = dataPaths(config.dataDir);
  const of = () => ({ databasePath, databaseKey: databaseKeyOf(config.dataDir) });
  return {
    consoleUrl,
    addresses,
    // An additional name of the console belongs to a proxy in front of it.
    isConsoleOpen: () =>
      !isLoopbackHost(config.consoleHost) || config.consoleNames.length > 0 || lan.state().isConsoleOpen,
    lan,
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
    keyKind: injectedKey() ? 'keychain' : 'key_file',
    isInstalledApp: desktopShell().isInstalled,
    recovery: { isOpen: desktopShell().recovers },
  };
}
