/** Periodic work of the server. Of several nodes on PostgreSQL, only the leader runs the single-node jobs. */
import product from '../../package.json' with { type: 'json' };
import { NODE_EVERY_MS, type ServiceNode } from '../services/maintenance/nodes.ts';
import type { Logger } from 'pino';
import type { ServerConfig } from '../config.ts';
import { cleanUpOf } from './clean-up.ts';
import { addAuditCheckpoint } from '../store/operators/audit.ts';
import { databaseKeyOf } from '../data/folder.ts';
import { dataPaths } from '../data/location.ts';
import { leadNights } from '../data/lock.ts';
import { removeDueRecordings } from '../data/recordings.ts';
import { removePreviousDatabases } from '../data/finish-restore.ts';
import { backUpNightly } from '../services/backup/automatic.ts';
import type { ServiceClock } from '../services/ports/clock.ts';
import type { ServiceDeps } from '../routes/deps.ts';
import { expireOverdueRuns } from '../services/runs/expiry.ts';
import { followFaceIndex } from '../services/matching/face-index-follow.ts';
import { everyNight } from './schedule.ts';
import { onAnnouncement, repeat } from '../services/ports/turns.ts';
import { INSTALLATION, type Topic } from '../store/sql/port.ts';
import { createAsk } from '../services/tickets/ask.ts';
import { syncSources } from '../services/tickets/sync.ts';
import { createUpgrade } from '../services/maintenance/upgrade.ts';
import { forgetReplies } from '../services/keys/idempotency.ts';
import { forgetRequests } from '../services/keys/request-log.ts';
import { forgetSignatures } from '../services/matching/replay.ts';
import { openDueControls } from '../services/reviews/controls/open.ts';
import { nextDecisionInMs, settleDueReviews } from '../services/reviews/due.ts';
import { createAuditExport } from '../services/operators/audit-export.ts';
import { senderOf, smsNow } from '../services/phone/sms-settings.ts';

/** Not at the moment at which a real case opens. */
const CONTROLS_EVERY_MS = 5 * 60_000;

/** The longest delay before an integration is notified that a run expired. */
const EXPIRY_EVERY_MS = 60_000;

/** How long after their time the faces of an event are deleted. */
const END_FACES_EVERY_MS = 60_000;

/** Their stored time is rounded to the hour. */
const FORGET_SIGNATURES_EVERY_MS = 60 * 60_000;

/** They are kept for a day. */
const FORGET_REPLIES_EVERY_MS = 60 * 60_000;

/** 100,000 faces that have no packed row, as after an upgrade, are packed within ten minutes. */
const PACK_EVERY_MS = 1_000;

/** How soon the data of an earlier version is converted, once no node of that version serves. */
const UPGRADE_EVERY_MS = 10_000;

/** How late a ticket that was just sold is known. */
const READ_TICKETS_EVERY_MS = 60_000;

type BackgroundJobs = {
  /** Begins no further work, and gives up a backup in progress. Keys, codes, faces and this node's row, which requests need, are still kept up. */
  stop(): void;
  /** Stops everything, and resolves when all jobs in progress have ended. */
  ended(): Promise<void>;
};

export const NO_JOBS: BackgroundJobs = { stop: () => undefined, ended: async () => undefined };

export function startBackgroundJobs(
  config: ServerConfig,
  deps: ServiceDeps & { clock: ServiceClock; node: ServiceNode; isLeader: () => boolean },
  logger: Logger,
): BackgroundJobs {
  const { db, clock, isLeader } = deps;
  const asLeader = (work: () => Promise<unknown>) => async () => {
    if (isLeader()) await work();
  };
  const failed = (what: string) => (error: unknown) => {
    logger.error({ err: error }, what);
  };
  const on = (of: { topic: Topic; subject?: string }, work: () => Promise<void>, what: string) =>
    onAnnouncement(db, of, () => work().then(() => undefined), failed(what));
  const ending = new AbortController();
  const cleanUp = cleanUpOf(config.dataDir, {
    db,
    clock,
    ending: ending.signal,
    onHold({ reason, clockAt, seenAt }) {
      const times = { clock: new Date(clockAt).toISOString(), last_seen: new Date(seenAt).toISOString() };
      logger.warn({ reason, ...times }, 'clean-up is on hold until an admin confirms it');
    },
  });
  const night = db.engine === 'sqlite' ? leadNights(config.dataDir) : { isLeader, release: () => undefined };
  const nightly = [
    everyNight(
      clock,
      async () => {
        await cleanUp.run('system');
      },
      failed('nightly cleanup failed'),
      night.isLeader,
    ),
    everyNight(
      clock,
      () => db.tx((tx) => addAuditCheckpoint(tx, clock.now())),
      failed('checkpoint of the audit log could not be written'),
      night.isLeader,
    ),
    everyNight(
      clock,
      () => nightlyBackup(config.dataDir, deps, logger, ending.signal),
      failed('nightly backup failed'),
      night.isLeader,
    ),
    // On every node, because each has a data folder.
    ...[
      { remove: removeDueRecordings, failure: 'recordings after their last day could not be deleted' },
      { remove: removePreviousDatabases, failure: 'data that a restore replaced could not be deleted' },
    ].map(({ remove, failure }) =>
      everyNight(
        clock,
        async () => {
          const time = deps.deletions.deletionTime();
          if (time !== null) await remove(config.dataDir, time);
        },
        failed(failure),
      ),
    ),
  ];
  const work = [
    ...nightly,
    on(
      { topic: 'audit', subject: INSTALLATION },
      asLeader(() => cleanUp.resume()),
      'confirmed clean-up not finished',
    ),
    repeat(
      EXPIRY_EVERY_MS,
      asLeader(() => expireOverdueRuns(deps)),
      failed('overdue runs could not be ended'),
    ),
    repeat(
      END_FACES_EVERY_MS,
      asLeader(() => cleanUp.endEvents()),
      failed('faces of an event that is over could not be deleted'),
    ),
    repeat(
      READ_TICKETS_EVERY_MS,
      asLeader(() => syncSources({ db, clock, ask: createAsk(deps.webhooks) })),
      failed('sources of tickets could not be read'),
    ),
    repeat(
      FORGET_SIGNATURES_EVERY_MS,
      asLeader(() => forgetSignatures(deps)),
      failed('old signatures of frames could not be deleted'),
    ),
    repeat(
      FORGET_REPLIES_EVERY_MS,
      asLeader(async () => {
        await forgetReplies(deps);
        await forgetRequests(deps);
      }),
      failed('old records of calls could not be deleted'),
    ),
    repeat(
      CONTROLS_EVERY_MS,
      asLeader(() => openDueControls(deps)),
      failed('control cases could not be opened'),
    ),
    repeat(
      UPGRADE_EVERY_MS,
      asLeader(createUpgrade(deps)),
      failed('data of an earlier version could not be converted'),
    ),
    on(
      { topic: 'audit' },
      asLeader(
        createAuditExport({ db, clock }, config.auditExport, {
          version: product.version,
          ending: ending.signal,
        }),
      ),
      'the audit log could not be sent',
    ),
    onAnnouncement(
      db,
      { topic: 'decisions' },
      async () => {
        if (isLeader()) await settleDueReviews(deps).catch(failed('decided reviews could not be settled'));
        return nextDecisionInMs(deps);
      },
      failed('decided reviews could not be read'),
    ),
    repeat(
      PACK_EVERY_MS,
      asLeader(() => deps.faceIndex.pack()),
      failed('rows of the face index could not be written'),
    ),
  ];
  /** A node that drains answers requests as before. */
  const duties = [
    on(
      { topic: 'audit', subject: INSTALLATION },
      () => deps.tokens.reload(),
      'result token keys could not be read',
    ),
    repeat(NODE_EVERY_MS, () => deps.node.report(deps.faceIndex), failed('this node could not be reported')),
    on(
      { topic: 'audit', subject: INSTALLATION },
      async () => {
        deps.codes.use(senderOf((await smsNow(db, config.sms)).setting));
      },
      'SMS settings could not be read',
    ),
  ];
  const endWatch = followFaceIndex(db, deps.faceIndex, {
    onRebuilt: (pools) => {
      logger.warn({ pools }, 'face index differed from the database and was rebuilt');
    },
    onError: failed('face index could not be updated from the database'),
  });
  const stop = () => {
    for (const each of work) each.stop();
    ending.abort();
  };
  return {
    stop,
    async ended() {
      stop();
      endWatch();
      await Promise.all([...work, ...duties].map((each) => each.close()));
      night.release();
    },
  };
}

async function nightlyBackup(
  dataDir: string,
  { db, clock, deletions }: Pick<ServiceDeps, 'db' | 'clock' | 'deletions'>,
  logger: Logger,
  ending: AbortSignal,
): Promise<void> {
  const { database, backups } = dataPaths(dataDir);
  if (db.engine === 'postgres') return;
  const made = await backUpNightly(db, clock, {
    databasePath: database,
    databaseKey: databaseKeyOf(dataDir),
    defaultFolder: backups,
    deletions,
    ending,
  });
  if (made) logger.info({ bytes: made.bytes, rows: made.rows }, 'nightly backup created and verified');
}
