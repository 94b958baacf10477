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
import { dataPaths } from './data/location.ts';
import { removeUndecided } from './data/finish-restore.ts';
import { shareServing } from './data/lock.ts';
import { createLanService } from './http/lan.ts';
import { createAddresses } from './lifecycle/addresses.ts';
import { NO_JOBS, startBackgroundJobs } from './lifecycle/background-jobs.ts';
import { installationOf, openServed, printSetupCode, whenThere } from './lifecycle/installation.ts';
import { createLifecycle, type Lifecycle } from './lifecycle/lifecycle.ts';
import { followUpdates } from './lifecycle/follow-updates.ts';
import {
  BACKUPS_MAY_TAKE_MS,
  createEngineEnd,
  DATA_MAY_TAKE_MS,
  ENGINE_MAY_TAKE_MS,
  WORK_MAY_TAKE_MS,
} from './lifecycle/shutdown.ts';
import { closeGracefully, listen } from './http/listen.ts';
import { createLogger } from './http/logging.ts';
import { trustRoutes } from './routes/trust/index.ts';
import type { ServiceDeps } from './routes/deps.ts';
import type { RecordingSetup } from './services/ports/ports.ts';
import { createCodeService } from './services/phone/codes.ts';
import { createServiceClock, systemClock } from './services/ports/clock.ts';
import { createHealth } from './services/health/health.ts';
import { createConnectSigner } from './services/connections/signer.ts';
import { readLanguageOffer } from './services/companies/languages.ts';
import { SINGLE_NODE, startNode } from './services/maintenance/nodes.ts';
import { watchMaintenance } from './services/maintenance/maintenance.ts';
import { createRequestLog } from './services/keys/request-log.ts';
import { createUsageTracker } from './services/keys/usage-tracker.ts';
import { createRefusalLog } from './services/keys/refusals.ts';
import { createResultTokens } from './services/passes/result-tokens.ts';
import { createSessionEvents } from './services/runs/sessions/session-events.ts';
import { senderOf, smsNow } from './services/phone/sms-settings.ts';
import { createAsk } from './services/tickets/ask.ts';
import { createTeller } from './services/tickets/teller.ts';
import { createWebhookService } from './services/webhooks/service.ts';
import { startMatching } from './lifecycle/start-matching.ts';
import { endAllChecks } from './store/runs/session-checks.ts';
import { sharePostgres } from './store/sql/postgres/node.ts';

export type RestartReason = 'restored' | 'update';

type RunningServer = {
  baseUrl: string;
  /** Calls back with the base URL each time that it changes: network mode was turned on or off, or has a new address. */
  onMoved(listener: (baseUrl: string) => void): void;
  connectUrl: string;
  consoleUrl: string;
  deps: ServiceDeps;
  /** Resolves when a verified backup or an update is ready: it is in place after `close` and the next start. */
  restartWanted: Promise<RestartReason>;
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
  return whenThere(async () => {
    const lifecycle = createLifecycle(logger);
    try {
      return await startParts(config, { logger, lifecycle, recording });
    } catch (error) {
      // The log names any part that could not be stopped; the operator needs the reason why the start failed.
      await lifecycle.close().catch(() => undefined);
      throw error;
    }
  }, logger);
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
  const db = await openServed(config, logger);
  lifecycle.onStop('the database', DATA_MAY_TAKE_MS, () => db.close());
  // No process judges the captures of a killed server any more.
  const endLeftChecks = () => endAllChecks(db);
  const serving =
    config.databaseUrl === null
      ? await shareServing(config.dataDir, endLeftChecks)
      : await sharePostgres(config.databaseUrl, endLeftChecks);
  lifecycle.onStop('the lock of the servers', DATA_MAY_TAKE_MS, () => serving.release());
  const addresses = createAddresses(config);
  const { baseUrl, connectUrl, trustPage } = addresses;
  const node =
    db.engine === 'sqlite'
      ? SINGLE_NODE
      : await startNode({
          db,
          lead: serving,
          version: product.version,
          addresses: addresses.listed,
          drainMs: config.drainMs,
          wait: (ms) => sleep(ms, undefined, { ref: false }),
        });
  lifecycle.onStop('the row of the node', DATA_MAY_TAKE_MS, () => node.remove());
  await removeUndecided(config.dataDir);
  const restartWanted = Promise.withResolvers<RestartReason>();
  const restart = () => restartWanted.resolve('restored');
  const installation = installationOf(config, db, { addresses, restart, logger });
  lifecycle.onStop('the end of a restore', DATA_MAY_TAKE_MS, () => installation.restores.decide());
  const { faces, faceIndex } = await startMatching(config, db, logger);
  const ending = createEngineEnd(faces);
  // Everything that was answered is durable by then, even if a thread hangs.
  lifecycle.onStopLast('a thread of the face engine', ENGINE_MAY_TAKE_MS, () => ending.threads());
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
  const requests = createRequestLog(db, failed('calls could not be recorded'));
  lifecycle.onStop('the record of calls', DATA_MAY_TAKE_MS, () => requests.close());
  const { setting: sms } = await smsNow(db, config.sms);
  const maintenance = await watchMaintenance(db, clock, failed('maintenance setting could not be read'));
  const codes = createCodeService(
    db,
    clock,
    senderOf(config.isTrial ? { sender: 'operator' } : sms),
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
    listed: addresses.listed,
    isSilent: config.isTrial,
    onError: failed('webhooks could not be sent'),
  });
  const teller = config.isTrial
    ? null
    : createTeller({
        db,
        clock,
        ask: createAsk(webhooks),
        onError: failed('a source of tickets could not be told'),
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
    requests,
    refusals,
    unsavedActivity: new Map(),
    events,
    maintenance,
    codes,
    webhooks,
    attackThresholds: config.attackThresholds,
    remembersFaces: config.remembersFaces,
    recording,
  };
  let jobs = NO_JOBS;
  lifecycle.onStop('a background job', WORK_MAY_TAKE_MS, () => jobs.ended());
  const apps: FastifyInstance[] = [];
  lifecycle.onStop('a request or a webhook call', WORK_MAY_TAKE_MS, () => {
    const requests = Promise.all([addresses.lan.close(), closeGracefully(apps)]);
    return Promise.all([ending.requests(requests), webhooks.close(), teller?.close()]);
  });
  // Comes first: no new work starts, and the event streams end, which would keep their requests open.
  lifecycle.onStop('the event streams', WORK_MAY_TAKE_MS, () => {
    jobs.stop();
    maintenance.close();
    events.drain();
  });
  const app = await createPublicApp({ deps, logger, ...config });
  apps.push(app);
  await printSetupCode(config, deps);
  const consoleDeps = { ...deps, ...installation };
  const consoleApp = await createConsoleApp({ deps: consoleDeps, logger, ...config });
  apps.push(consoleApp);
  await node.announce();
  // Until here nothing was done for anybody, so an update can still be undone.
  lifecycle.onStop(
    'the look for an update',
    DATA_MAY_TAKE_MS,
    await followUpdates(config, db, () => restartWanted.resolve('update')),
  );
  if (!config.isTrial)
    jobs = startBackgroundJobs(config, { ...deps, clock, node, isLeader: serving.isLeader }, logger);
  addresses.listens('service', await listen(app, config.host, config.port, '--port'));
  const consoleUrl = await listen(consoleApp, config.consoleHost, config.consolePort, '--console-port');
  addresses.listens('console', consoleUrl);
  const lan = createLanService({
    moved: addresses.moved,
    db,
    clock: systemClock,
    ...config.lan,
    app,
    consoleApp,
    async trustApp(shown) {
      const trust = createFastify(logger, 0);
      trustRoutes(trust, shown, () => readLanguageOffer(db));
      return trust;
    },
    onError: failed('network mode is not running'),
  });
  addresses.joins(lan);
  if (!config.isTrial) await lan.apply();
  await node.report(faceIndex);
  return {
    baseUrl: baseUrl(),
    onMoved: addresses.onMoved,
    connectUrl: connectUrl(),
    consoleUrl,
    deps,
    restartWanted: restartWanted.promise,
    async close() {
      // First, because a drain can take minutes.
      jobs.stop();
      await Promise.all([node.drain(), db.giveUpIfSilent()]);
      await lifecycle.close();
    },
  };
}
