/** Puts the service together and starts it. */
import { randomInt } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createFastify, createPublicApp } from './app.ts';
import { ConfigError, type ServerConfig } from './config.ts';
import { createConsoleApp } from './console-app.ts';
import { databaseKeyOf, openDatabase } from './data-dir.ts';
import { dataPaths } from './data-paths.ts';
import { handedKey } from './handed-key.ts';
import { createLanDesk } from './lan.ts';
import { createFaceEngine, type FaceEngine } from './face/engine.ts';
import { createUnavailableEngine } from './face/unavailable-engine.ts';
import { FaceEngineError } from './face/errors.ts';
import { removeOldAsides } from './finish-restore.ts';
import { createLogger } from './logging.ts';
import { backUpNightly } from './services/backup/automatic.ts';
import { isLoopbackHost } from './routes/console/origin.ts';
import { trustRoutes, type TrustShown } from './routes/trust/index.ts';
import { createBackupDesk } from './services/console/backup-desk.ts';
import type { Installation } from './services/console/installation.ts';
import { createLiveBus } from './services/console/live.ts';
import { isSetupNeeded, newSetupCode } from './services/console/setup.ts';
import type { ServiceDeps } from './services/deps.ts';
import { createCodeDesk } from './services/code-delivery.ts';
import { systemClock } from './services/clock.ts';
import { LAN_OFF, type LanDesk } from './services/lan/desk.ts';
import { createConnectSigner } from './services/connect/signer.ts';
import { expireOverdueRuns } from './services/expiry.ts';
import { openGallery } from './services/gallery.ts';
import { watchGallery } from './services/gallery-watch.ts';
import { watchMaintenance } from './services/maintenance.ts';
import { everyNight } from './services/nightly.ts';
import { createReadCounter } from './services/read-counter.ts';
import { repeat } from './services/repeating.ts';
import { DUE_EVERY_MS, settleDueReviews } from './services/reviews-due.ts';
import { createResultTokens } from './services/result-tokens.ts';
import { createSessionEvents } from './services/session-events.ts';
import { senderOf, smsNow } from './services/sms-settings.ts';
import { createWebhookDesk } from './services/webhooks/desk.ts';
import { cleanUpNightly } from './services/nightly-cleanup.ts';
import type { Database } from './store/port.ts';

/** While closing, how often connections are looked at for having fallen idle. */
const IDLE_SWEEP_MS = 100;
/** How late a server follows what another one on the same database has been told. */
const SMS_EVERY_MS = 5_000;
/** How late an integration may hear that a run's time is over. */
const EXPIRY_EVERY_MS = 60_000;

export type RunningServer = {
  baseUrl: string;
  connectUrl: string;
  consoleUrl: string;
  deps: ServiceDeps;
  /** Lets requests under way finish, then stops. */
  close(): Promise<void>;
};

/** @throws ConfigError, StoreError, in words for the operator */
export async function startServer(config: ServerConfig): Promise<RunningServer> {
  const logger = createLogger(config.logLevel);
  const db = await openDatabase(config.dataDir);
  const faces = await startEngine(config, logger);
  let listening = '';
  let lan: LanDesk | null = null;
  const lanState = () => lan?.state() ?? LAN_OFF;
  const baseUrl = () => config.publicUrl ?? lanState().origin ?? listening;
  const deps: ServiceDeps = {
    db,
    clock: systemClock,
    randomInt: (n) => randomInt(n),
    baseUrl,
    faces,
    gallery: await openGallery(db, { id: faces.embeddingModel, embeddingLength: faces.embeddingLength }),
    tokens: await createResultTokens(db, systemClock),
    connect: await createConnectSigner(db, systemClock),
    reads: createReadCounter(db, systemClock, (error) => {
      logger.error({ err: error }, 'reads not recorded');
    }),
    events: createSessionEvents(),
    maintenance: await watchMaintenance(db, systemClock, (error) => {
      logger.error({ err: error }, 'maintenance setting not read');
    }),
    codes: createCodeDesk(db, systemClock, senderOf((await smsNow(db, config.sms)).setting), (error) => {
      logger.error({ err: error }, 'a code was not sent');
    }),
    webhooks: createWebhookDesk({
      db,
      clock: systemClock,
      allowHosts: config.webhookAllowHosts,
      baseUrl,
      onError: (error) => {
        logger.error({ err: error }, 'webhooks were not sent');
      },
    }),
    checking: new Set(),
  };
  const app = await createPublicApp({ deps, logger, ...config });
  const live = createLiveBus(db, systemClock, deps.events, (error) => {
    logger.error({ err: error }, 'live events not read');
  });
  const setupCode = await setupCodeFor(config, db);
  let consoleListening = '';
  const installation = installationOf(config, db, {
    consoleUrl: () => consoleListening,
    lan: { state: lanState, apply: async () => (await lan?.apply()) ?? LAN_OFF },
    logger,
  });
  const consoleDeps = { ...deps, live, setupCode, installation };
  const consoleApp = await createConsoleApp({ deps: consoleDeps, logger, ...config });
  const endCleanUps = everyNight(
    systemClock,
    () => cleanUpNightly(db, systemClock),
    (error) => {
      logger.error({ err: error }, 'nightly cleanup failed');
    },
  );
  const endBackups = everyNight(
    systemClock,
    () => nightlyBackup(config.dataDir, db, logger),
    (error) => {
      logger.error({ err: error }, 'nightly backup failed');
    },
  );
  const expiry = repeat(
    EXPIRY_EVERY_MS,
    () => expireOverdueRuns(deps),
    (error) => {
      logger.error({ err: error }, 'overdue runs not ended');
    },
  );
  const dueReviews = repeat(
    DUE_EVERY_MS,
    () => settleDueReviews(deps),
    (error) => {
      logger.error({ err: error }, 'decided reviews were not settled');
    },
  );
  const smsSettings = repeat(
    SMS_EVERY_MS,
    async () => {
      deps.codes.use(senderOf((await smsNow(db, config.sms)).setting));
    },
    (error) => {
      logger.error({ err: error }, 'SMS settings not read');
    },
  );
  const endWatch = watchGallery(deps.gallery, {
    onRebuilt: (scopes) => {
      logger.warn({ scopes }, 'the face index disagreed with the store and was rebuilt');
    },
    onError: (error) => {
      logger.error({ err: error }, 'the face index could not follow the store');
    },
  });
  const close = async () => {
    endWatch();
    endCleanUps();
    endBackups();
    deps.maintenance.close();
    deps.events.drain();
    await Promise.all([lan?.close(), closeGracefully([app, consoleApp]), deps.webhooks.close()]);
    await expiry.close();
    await dueReviews.close();
    await smsSettings.close();
    await installation.backups.idle();
    await deps.codes.close();
    await deps.reads.close();
    await faces.close();
    await deps.gallery.close();
    await db.close();
  };
  try {
    listening = await listen(app, config.host, config.port, '--port');
    const consoleUrl = await listen(consoleApp, config.consoleHost, config.consolePort, '--console-port');
    consoleListening = consoleUrl;
    lan = createLanDesk({
      db,
      clock: systemClock,
      ...config.lan,
      app,
      consoleApp,
      trustApp: (shown) => createTrustApp(logger, shown),
      onError: (error) => {
        logger.error({ err: error }, 'the network mode is not running');
      },
    });
    await lan.apply();
    // Of this machine's own windows: they trust no certificate of the network mode, and need none.
    const connectUrl = config.publicUrl ?? listening;
    return { baseUrl: baseUrl(), connectUrl, consoleUrl, deps, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function createTrustApp(logger: Logger, shown: () => TrustShown): Promise<FastifyInstance> {
  const app = createFastify(logger, 0);
  trustRoutes(app, shown);
  return app;
}

async function nightlyBackup(dataDir: string, db: Database, logger: Logger): Promise<void> {
  const { database, backups } = dataPaths(dataDir);
  await removeOldAsides(dataDir, systemClock.now());
  const made = await backUpNightly(db, systemClock, {
    databasePath: database,
    databaseKey: databaseKeyOf(dataDir),
    defaultFolder: backups,
  });
  if (made) logger.info({ bytes: made.bytes, rows: made.rows }, 'nightly backup made and verified');
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
  { consoleUrl, lan, logger }: { consoleUrl: () => string; lan: Installation['lan']; logger: Logger },
): Installation {
  const { database: databasePath, backups } = dataPaths(config.dataDir);
  const of = () => ({ databasePath, databaseKey: databaseKeyOf(config.dataDir) });
  return {
    consoleUrl,
    lan,
    sms: config.sms,
    webhookAllowHosts: config.webhookAllowHosts,
    backups: createBackupDesk(db, systemClock, { of, defaultFolder: backups }, (error) => {
      logger.error({ err: error }, 'a backup was not made');
    }),
    keyKind: handedKey() ? 'keychain' : 'key_file',
  };
}

/** Without its models the service still answers, and says so where a camera is needed. */
async function startEngine({ modelDir, manifestDir }: ServerConfig, logger: Logger): Promise<FaceEngine> {
  try {
    return await createFaceEngine({
      modelDir,
      manifestDir,
      onEvent: (event) => {
        if (event.type === 'worker_lost')
          logger.warn({ face_engine: event }, 'a thread of the face engine was lost');
        else if (event.type === 'worker_starting')
          logger.info({ face_engine: event }, 'a thread of the face engine is starting');
        else if (event.type === 'worker_ready')
          logger.info({ face_engine: event }, 'a thread of the face engine is ready');
      },
    });
  } catch (error) {
    if (!(error instanceof FaceEngineError) || error.code !== 'models_missing') throw error;
    logger.error(
      { err: error },
      'no face models: camera checks are refused until "npm run assets" has fetched them',
    );
    return createUnavailableEngine({ manifestDir });
  }
}

/** Lets requests under way finish; connections that were busy then are closed as they fall idle, not kept alive. */
async function closeGracefully(apps: readonly FastifyInstance[]): Promise<void> {
  const sweep = setInterval(() => {
    for (const { server } of apps) server.closeIdleConnections();
  }, IDLE_SWEEP_MS);
  try {
    await Promise.all(apps.map((app) => app.close()));
  } finally {
    clearInterval(sweep);
  }
}

async function listen(app: FastifyInstance, host: string, port: number, option: string): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenError(error, host, port, option);
  }
  const address = app.server.address() as AddressInfo;
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${address.port}`;
}

function listenError(error: unknown, host: string, port: number, option: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  switch (code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `Port ${port} on ${host} is in use by another program. Choose another with ${option}.`,
      );
    case 'EACCES':
      return new ConfigError(
        `Port ${port} may not be used by this account. Choose one above 1023 with ${option}.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(`This machine has no address ${host}. Choose another with --host.`);
    default:
      return error;
  }
}
