/** Puts the service together and starts it. */
import { randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createFastify, createPublicApp } from './http/public-app.ts';
import type { ServerConfig } from './config.ts';
import { createConsoleApp } from './http/console-app.ts';
import { databaseKeyOf, openDatabase } from './data/folder.ts';
import { dataPaths } from './data/paths.ts';
import { markRestored, removeUndecided } from './data/finish-restore.ts';
import { shareServing } from './data/lock.ts';
import { injectedKey } from './data/injected-key.ts';
import { createLanService } from './http/lan.ts';
import { startBackgroundJobs } from './lifecycle/background-jobs.ts';
import { createShutdown } from './lifecycle/shutdown.ts';
import { closeGracefully, listen } from './http/listen.ts';
import { createLogger } from './http/logging.ts';
import { isLoopbackHost } from './routes/console/origin.ts';
import { trustRoutes, type TrustShown } from './routes/trust/index.ts';
import { createRestoreService } from './services/backup/restore-service.ts';
import { createBackupService } from './services/backup/service.ts';
import type { Installation } from './services/setup/installation.ts';
import { createLiveBus } from './services/live.ts';
import { isSetupNeeded, newSetupCode } from './services/setup/setup.ts';
import type { LanguageOffer } from './contract/languages.ts';
import type { ServiceDeps } from './services/deps.ts';
import { createCodeService } from './services/phone/code-delivery.ts';
import { systemClock } from './services/clock.ts';
import { LAN_OFF, type LanService } from './services/network/service.ts';
import { createConnectSigner } from './services/connections/signer.ts';
import { readLanguageOffer } from './services/companies/languages.ts';
import { watchMaintenance } from './services/maintenance/maintenance.ts';
import { createUsageTracker } from './services/keys/usage-tracker.ts';
import { createRefusalLog } from './services/keys/refusals.ts';
import { createResultTokens } from './services/passes/result-tokens.ts';
import { createServiceClock } from './services/service-clock.ts';
import { createSessionEvents } from './services/runs/session-events.ts';
import { senderOf, smsNow } from './services/phone/sms-settings.ts';
import { createWebhookService } from './services/webhooks/desk.ts';
import { startMatching } from './lifecycle/start-matching.ts';
import { endAllChecks } from './store/runs/sessions.ts';
import type { Database } from './store/sql/port.ts';

export type RunningServer = {
  baseUrl: string;
  connectUrl: string;
  consoleUrl: string;
  deps: ServiceDeps;
  /** Resolves when a checked backup waits: it is in place after `close` and the next start. */
  restartWanted: Promise<void>;
  /** Lets requests under way finish, then stops. */
  close(): Promise<void>;
};

/** @throws ConfigError, StoreError, in words for the operator */
export async function startServer(config: ServerConfig): Promise<RunningServer> {
  const logger = createLogger(config.logLevel);
  const db = await openDatabase(config.dataDir, {
    onFollowerError: (error) => {
      logger.error({ err: error }, 'a follower of commits failed');
    },
  });
  // What the server that ran here before was judging when it was killed, nobody judges any more.
  const serving = await shareServing(config.dataDir, () => endAllChecks(db));
  await removeUndecided(config.dataDir);
  const { faces, faceIndex } = await startMatching(config, db, logger);
  let listening = '';
  let lan: LanService | null = null;
  const lanState = () => lan?.state() ?? LAN_OFF;
  const baseUrl = () => config.publicUrl ?? lanState().origin ?? listening;
  // Time runs back for nothing that people or integrations are told, only for certificates, which others check.
  const clock = await createServiceClock(db, {
    wall: systemClock,
    onError: (error) => {
      logger.error({ err: error }, 'the time was not saved');
    },
  });
  const deps: ServiceDeps = {
    db,
    clock,
    wallClock: systemClock,
    deletions: clock,
    randomInt: (n) => randomInt(n),
    baseUrl,
    faces,
    faceIndex,
    tokens: await createResultTokens(db, clock),
    connect: await createConnectSigner(db, clock),
    reads: createUsageTracker(db, clock, (error) => {
      logger.error({ err: error }, 'reads not recorded');
    }),
    refusals: createRefusalLog(db, clock, (error) => {
      logger.error({ err: error }, 'a refusal was not recorded');
    }),
    events: createSessionEvents(db),
    maintenance: await watchMaintenance(db, clock, (error) => {
      logger.error({ err: error }, 'maintenance setting not read');
    }),
    codes: createCodeService(db, clock, senderOf((await smsNow(db, config.sms)).setting), (error) => {
      logger.error({ err: error }, 'a code was not sent');
    }),
    webhooks: createWebhookService({
      db,
      clock,
      allowHosts: config.webhookAllowHosts,
      baseUrl,
      onError: (error) => {
        logger.error({ err: error }, 'webhooks were not sent');
      },
    }),
    attackThresholds: config.attackThresholds,
  };
  const app = await createPublicApp({ deps, logger, ...config });
  const live = createLiveBus(db, clock, deps.events, (error) => {
    logger.error({ err: error }, 'live events not read');
  });
  const setupCode = await setupCodeFor(config, db);
  let consoleListening = '';
  const restartWanted = Promise.withResolvers<undefined>();
  const installation = installationOf(config, db, {
    consoleUrl: () => consoleListening,
    lan: { state: lanState, apply: async () => (await lan?.apply()) ?? LAN_OFF },
    restart: () => restartWanted.resolve(undefined),
    logger,
  });
  const consoleDeps = { ...deps, live, setupCode, installation };
  const consoleApp = await createConsoleApp({ deps: consoleDeps, logger, ...config });
  const duties = startBackgroundJobs(config, { ...deps, clock }, logger);
  const close = async () => {
    duties.stop();
    deps.maintenance.close();
    deps.events.drain();
    const ending = createShutdown(faces);
    const requests = Promise.all([lan?.close(), closeGracefully([app, consoleApp])]);
    await Promise.all([ending.requests(requests), deps.webhooks.close()]);
    await duties.ended();
    if (!(await ending.others(Promise.all([installation.backups.idle(), deps.codes.close()]))))
      logger.warn('a backup or a code still under way was left when the service ended');
    await deps.reads.close();
    await deps.refusals.close();
    await clock.close();
    const threads = ending.engine();
    await deps.faceIndex.close();
    await installation.restores.decide();
    await db.close();
    serving.release();
    // Last: whatever a thread hangs in, all that was answered is safe by now.
    if (!(await threads)) logger.warn('a thread of the face engine still ran when the service ended');
  };
  try {
    listening = await listen(app, config.host, config.port, '--port');
    const consoleUrl = await listen(consoleApp, config.consoleHost, config.consolePort, '--console-port');
    consoleListening = consoleUrl;
    lan = createLanService({
      db,
      clock: systemClock,
      ...config.lan,
      app,
      consoleApp,
      trustApp: (shown) => createTrustApp(logger, shown, () => readLanguageOffer(db)),
      onError: (error) => {
        logger.error({ err: error }, 'the network mode is not running');
      },
    });
    await lan.apply();
    // Of this machine's own windows: they trust no certificate of the network mode, and need none.
    const connectUrl = config.publicUrl ?? listening;
    return { baseUrl: baseUrl(), connectUrl, consoleUrl, deps, restartWanted: restartWanted.promise, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function createTrustApp(
  logger: Logger,
  shown: () => TrustShown,
  offer: () => Promise<LanguageOffer>,
): Promise<FastifyInstance> {
  const app = createFastify(logger, 0);
  trustRoutes(app, shown, offer);
  return app;
}

/** The first admin may be made on this machine without more; a console open to others asks for what is printed here. */
async function setupCodeFor({ consoleHost }: ServerConfig, db: Database): Promise<string | null> {
  if (isLoopbackHost(consoleHost) || !(await isSetupNeeded(db))) return null;
  const code = newSetupCode();
  process.stderr.write(`gatehouse: code for the first set-up from another machine: ${code}\n`);
  return code;
}

/** What the console tells of this installation, and does to it. */
function installationOf(
  config: ServerConfig,
  db: Database,
  {
    consoleUrl,
    lan,
    restart,
    logger,
  }: { consoleUrl: () => string; lan: Installation['lan']; restart: () => void; logger: Logger },
): Installation {
  const { database: databasePath, backups, restored } = dataPaths(config.dataDir);
  const of = () => ({ databasePath, databaseKey: databaseKeyOf(config.dataDir) });
  return {
    consoleUrl,
    // A further name of the console is a proxy's in front of it.
    isConsoleOpen: () =>
      !isLoopbackHost(config.consoleHost) || config.consoleNames.length > 0 || lan.state().isConsoleOpen,
    lan,
    sms: config.sms,
    webhookAllowHosts: config.webhookAllowHosts,
    backups: createBackupService(db, systemClock, { of, defaultFolder: backups }, (error) => {
      logger.error({ err: error }, 'a backup was not made');
    }),
    restores: createRestoreService(db, systemClock, {
      source: of,
      target: restored,
      mark: async () => {
        await markRestored(config.dataDir, systemClock.now());
      },
      restart,
      onError: (error) => {
        logger.error({ err: error }, 'a backup was not restored');
      },
    }),
    keyKind: injectedKey() ? 'keychain' : 'key_file',
  };
}
