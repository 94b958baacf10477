/** Gathers the facts behind the health of this node, except those that are known at any moment. */
import { access, constants, stat, statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DiskFacts, type HealthFacts, WEBHOOK_WAITS_MS } from '../../domain/health/conditions.ts';
import {
  codesWaiting,
  dataSince,
  kiosksNow,
  webhooksStopped,
  webhooksWaiting,
} from '../../store/health/queues.ts';
import { findOpenHold } from '../../store/people/retention-holds.ts';
import { readBackupSettings } from '../backup/automatic.ts';
import { backupHistory } from '../backup/history.ts';
import { PASSES, sizeOf } from '../backup/service.ts';
import { logDamagedAt } from './log-damage.ts';
import { findDemoCompany } from '../companies/companies.ts';
import type { LanState } from '../network/service.ts';
import type { CodeService } from '../phone/codes.ts';
import { auditExportState } from '../operators/audit-export.ts';
import type { Ports } from '../ports/ports.ts';
import { readJournal, updateHome } from '../updates/home.ts';

export type FactsDeps = Pick<Ports, 'db' | 'clock' | 'deletions' | 'keyKind'> & {
  lan: { state(): Pick<LanState, 'expiresAt' | 'failure'> };
  codes: Pick<CodeService, 'sends' | 'failing'>;
  /** The data folder and the files in it. */
  folders: { data: string; database: string; backups: string };
};
export type HealthDeps = FactsDeps & Pick<Ports, 'faces'>;

/** Known at any moment, so `/readyz` never waits for them. */
export type CurrentFacts = 'isDamaged' | 'refusesWrites' | 'faceWorkers';
export type GatheredFacts = Omit<HealthFacts, CurrentFacts>;

/** A disk that does not answer, such as a network folder whose server is gone. */
const PROBE_MS = 5_000;
/** Several times the interval at which a node looks for codes. */
const CODE_WAITS_MS = 60_000;

/** Several heartbeats. */
const KIOSK_SEEN_MS = 60_000;

/** Asks for something that may hang, once at a time; null as long as it does. */
export function bounded<T>(ask: () => Promise<T>, limitMs = PROBE_MS): () => Promise<T | null> {
  let asking: Promise<T> | null = null;
  return async () => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return Promise.race([asking, sleep(limitMs, null, { ref: false })]);
  };
}

export function factsOf(deps: FactsDeps): () => Promise<GatheredFacts> {
  const { db, clock, deletions, lan, folders, keyKind } = deps;
  const isOwnFile = db.engine === 'sqlite';
  let chosen: string | null = null;
  const dataDisk = bounded(() => freeIn(folders.data));
  const backupDisk = bounded(() => freeIn(chosen ?? folders.backups));
  const isFolderReady = bounded(async () => chosen === null || (await isWritable(chosen)));
  let since: number | null = null;

  async function backupFacts(): Promise<GatheredFacts['backup']> {
    if (!isOwnFile) return null;
    const { isOn, folder } = await readBackupSettings(db);
    chosen = folder;
    const { lastGoodAt, failure } = await backupHistory(db);
    since ??= await dataSince(db);
    const isReady = (await isFolderReady()) === true;
    const found = failure ?? (isReady ? null : { why: 'file_not_writable' as const });
    return { isOn, lastGoodAt, dataSince: since, failure: found };
  }

  /** Where both are on one disk, it is the one of the data. */
  async function disks(): Promise<DiskFacts[]> {
    const data = await dataDisk();
    if (!isOwnFile) return data ? [{ place: 'data', freeBytes: data.bytes, backupBytes: 0 }] : [];
    const backupBytes = PASSES * (await sizeOf(folders.database));
    const backups = await backupDisk();
    const isSame = backups === null || backups.device === data?.device;
    return [
      ...(data
        ? [{ place: 'data' as const, freeBytes: data.bytes, backupBytes: isSame ? backupBytes : 0 }]
        : []),
      ...(backups && !isSame ? [{ place: 'backups' as const, freeBytes: backups.bytes, backupBytes }] : []),
    ];
  }

  return async () => {
    const nowMs = clock.now();
    const demo = (await findDemoCompany(db)) ?? '';
    const hold = await findOpenHold(db);
    const { expiresAt, failure } = lan.state();
    // First, because it notes the folder whose disk is looked at.
    const backup = await backupFacts();
    return {
      nowMs,
      logDamagedAt: isOwnFile ? await logDamagedAt(db, nowMs) : null,
      disks: await disks(),
      certificateEndsAt: expiresAt,
      networkFailure: failure,
      hold: hold?.state === 'waiting' ? { why: hold.reason, since: hold.putOffAt } : null,
      isClockInDoubt: deletions.doubt() !== null,
      // Deletions rely on the earlier of both clocks.
      timeAheadMs: nowMs - (deletions.deletionTime() ?? nowMs),
      backup,
      sms: await smsFacts(deps, nowMs),
      kiosks: await kiosksNow(db, { nowMs, seenSince: nowMs - KIOSK_SEEN_MS, except: demo }),
      webhooks: {
        stopped: await webhooksStopped(db, demo),
        waiting: await webhooksWaiting(db, { before: nowMs - WEBHOOK_WAITS_MS, except: demo }),
      },
      auditExport: await auditExportState(db),
      update: await updateFacts(),
      isKeyInFile: isOwnFile && keyKind === 'key_file',
    };
  };
}

async function updateFacts(): Promise<GatheredFacts['update']> {
  const home = updateHome();
  if (home === null) return null;
  const journal = await readJournal(home);
  return {
    waitingSince: journal?.phase === 'wanted' ? journal.at : null,
    rolledBack: journal?.phase === 'rolled_back' ? { why: journal.why, since: journal.at } : null,
  };
}

async function smsFacts({ db, codes }: FactsDeps, nowMs: number): Promise<GatheredFacts['sms']> {
  if (!codes.sends) return null;
  const waiting = await codesWaiting(db, nowMs - CODE_WAITS_MS);
  const failing = codes.failing();
  if (!waiting) return failing;
  return {
    count: waiting.count + (failing?.count ?? 0),
    since: Math.min(waiting.since, failing?.since ?? Infinity),
  };
}

/** Null if it can't be told, as for a folder that does not exist yet. */
async function freeIn(folder: string): Promise<{ bytes: number; device: number } | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return { bytes: bavail * bsize, device: (await stat(folder)).dev };
  } catch {
    return null;
  }
}

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
