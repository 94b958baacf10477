/** The problems of the service (decisions §8.5): one closed list, from facts. Times are epoch milliseconds. */
import type { BackupErrorCode } from '../../contract/console/errors.ts';
import type { UpdateFailure } from '../updates/manifest.ts';
import {
  CONDITION_CODES,
  type ConditionCode,
  HEALTH_CHECKS,
  type HealthCheckName,
  type SEVERITIES,
} from '../../contract/console/health.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

type Place = 'data' | 'backups';
type Severity = (typeof SEVERITIES)[number];

export type Condition =
  | { code: 'storage_damaged' | 'storage_not_writable' | 'face_engine_unavailable' | 'key_in_file' }
  | { code: 'log_damaged'; since: number }
  | { code: 'disk_full' | 'disk_low'; place: Place; bytes: number }
  | { code: 'certificate_ended' | 'certificate_ending'; at: number }
  | { code: 'retention_put_off'; why: 'clock_ahead' | 'clock_behind' | 'many_faces'; since: number }
  | { code: 'backup_failed'; why: BackupErrorCode; at: number | null; since?: number | undefined }
  | { code: 'backup_old'; at: number | null }
  | { code: 'network_failed'; why: 'port_in_use' | 'no_network' | 'failed' }
  | { code: 'time_ahead'; count: number }
  | { code: 'sms_failing'; count: number; since: number }
  | { code: 'kiosk_cameras'; count: number }
  | { code: 'audit_export_failing'; why: 'syslog' | 'https'; since: number }
  | { code: 'update_rolled_back'; why: UpdateFailure; since: number }
  | { code: 'update_waiting'; since: number }
  | { code: 'webhooks_stopped'; count: number; since: number }
  | { code: 'webhooks_waiting'; count: number; at: number };

const SEVERITY: Record<ConditionCode, Severity> = {
  storage_damaged: 'critical',
  storage_not_writable: 'critical',
  face_engine_unavailable: 'critical',
  log_damaged: 'critical',
  disk_full: 'critical',
  certificate_ended: 'critical',
  time_ahead: 'warning',
  retention_put_off: 'warning',
  backup_failed: 'warning',
  backup_old: 'warning',
  disk_low: 'warning',
  certificate_ending: 'warning',
  network_failed: 'warning',
  sms_failing: 'warning',
  kiosk_cameras: 'warning',
  audit_export_failing: 'warning',
  update_rolled_back: 'warning',
  webhooks_stopped: 'warning',
  webhooks_waiting: 'warning',
  update_waiting: 'notice',
  key_in_file: 'notice',
};

export const severityOf = (code: ConditionCode): Severity => SEVERITY[code];

/** Those with which a node answers 503 on `/readyz`, the most urgent first. */
export const NOT_READY = ['storage_damaged', 'storage_not_writable', 'face_engine_unavailable'] as const;

export type DiskFacts = {
  place: Place;
  freeBytes: number;
  /** What the next backup needs there; 0 if none is made there. */
  backupBytes: number;
};

export type HealthFacts = {
  nowMs: number;
  isDamaged: boolean;
  refusesWrites: boolean;
  faceWorkers: number;
  /** When the database's log was found damaged; null if it was not, or long ago. */
  logDamagedAt: number | null;
  disks: readonly DiskFacts[];
  /** Of network mode; null while it is off. */
  certificateEndsAt: number | null;
  networkFailure: 'port_in_use' | 'no_network' | 'failed' | null;
  hold: { why: 'clock_ahead' | 'clock_behind' | 'many_faces'; since: number } | null;
  /** Whether ages can't be told, because the machine's clock is in doubt. */
  isClockInDoubt: boolean;
  /** How far the service's time is ahead of the machine's clock. */
  timeAheadMs: number;
  /** Null on PostgreSQL, which has backups of its own. */
  backup: {
    isOn: boolean;
    lastGoodAt: number | null;
    /** When there was first something to save; null in a new installation. */
    dataSince: number | null;
    failure: { why: BackupErrorCode; since?: number | undefined } | null;
  } | null;
  /** Codes that could not be sent, one after the other, or that wait. */
  sms: { count: number; since: number } | null;
  /** Kiosks of running live events that report themselves, and those of them that have no picture. */
  kiosks: { connected: number; withoutPicture: number };
  webhooks: {
    /** Receivers that are paused or gone. */
    stopped: { count: number; since: number } | null;
    /** Calls that wait for a receiver, although it is not paused. */
    waiting: { count: number; oldestAt: number } | null;
  };
  /** Null while the audit log is sent nowhere. */
  auditExport: { failure: { why: 'syslog' | 'https'; since: number } | null } | null;
  /** Null if Gatehouse was installed in another way than as a folder of versions. */
  update: {
    /** One waits for a restart. */
    waitingSince: number | null;
    rolledBack: { why: UpdateFailure; since: number } | null;
  } | null;
  isKeyInFile: boolean;
};

const MEBIBYTE = 1024 * 1024;
const FULL_BYTES = 64 * MEBIBYTE;
const LOW_BYTES = 512 * MEBIBYTE;
/** Automatic backups are made every night: one was missed. */
const OLD_MS = 2 * DAY_MS;
const OLD_BY_HAND_MS = 7 * DAY_MS;
/** The clocks of nodes on one database differ by less. */
const SKEW_MINUTES = 5;
/** The server renews its certificate 30 days before the end. */
const CERTIFICATE_MS = 14 * DAY_MS;
/** Long enough for everyone who has to know; the audit log keeps it. */
const UPDATE_STANDS_MS = 14 * DAY_MS;
/** One code can fail because of its number. */
const SMS_FAILURES = 2;
/** Retries of a short interruption are over by then. */
export const WEBHOOK_WAITS_MS = HOUR_MS;

/** The most severe first; at most one of each code. */
export function conditionsOf(facts: HealthFacts): Condition[] {
  const found: Condition[] = [];
  if (facts.isDamaged) found.push({ code: 'storage_damaged' });
  if (facts.refusesWrites) found.push({ code: 'storage_not_writable' });
  if (facts.faceWorkers === 0) found.push({ code: 'face_engine_unavailable' });
  if (facts.logDamagedAt !== null) found.push({ code: 'log_damaged', since: facts.logDamagedAt });
  found.push(...diskConditions(facts.disks));
  found.push(...certificateConditions(facts));
  const minutesAhead = Math.floor(facts.timeAheadMs / MINUTE_MS);
  if (minutesAhead > SKEW_MINUTES) found.push({ code: 'time_ahead', count: minutesAhead });
  if (facts.hold) found.push({ code: 'retention_put_off', ...facts.hold });
  found.push(...backupConditions(facts));
  if (facts.networkFailure) found.push({ code: 'network_failed', why: facts.networkFailure });
  if (facts.sms && facts.sms.count >= SMS_FAILURES) found.push({ code: 'sms_failing', ...facts.sms });
  const { withoutPicture } = facts.kiosks;
  if (withoutPicture > 0) found.push({ code: 'kiosk_cameras', count: withoutPicture });
  const { stopped, waiting } = facts.webhooks;
  if (stopped) found.push({ code: 'webhooks_stopped', ...stopped });
  if (waiting) found.push({ code: 'webhooks_waiting', count: waiting.count, at: waiting.oldestAt });
  const failing = facts.auditExport?.failure;
  if (failing) found.push({ code: 'audit_export_failing', ...failing });
  found.push(...updateConditions(facts));
  if (facts.isKeyInFile) found.push({ code: 'key_in_file' });
  const rank = ({ code }: Condition) => CONDITION_CODES.indexOf(code);
  return found.sort((a, b) => rank(a) - rank(b));
}

const CHECK_OF: Record<ConditionCode, HealthCheckName> = {
  storage_damaged: 'database',
  storage_not_writable: 'database',
  log_damaged: 'database',
  key_in_file: 'database',
  face_engine_unavailable: 'faces',
  disk_full: 'disk',
  disk_low: 'disk',
  time_ahead: 'clock',
  retention_put_off: 'clean_up',
  backup_failed: 'backup',
  backup_old: 'backup',
  certificate_ended: 'network',
  certificate_ending: 'network',
  network_failed: 'network',
  kiosk_cameras: 'cameras',
  webhooks_stopped: 'webhooks',
  webhooks_waiting: 'webhooks',
  sms_failing: 'codes',
  audit_export_failing: 'audit_export',
  update_rolled_back: 'update',
  update_waiting: 'update',
};

export type Check = {
  check: HealthCheckName;
  /** Null: well. */
  severity: Severity | null;
  at?: number | null;
  count?: number;
  bytes?: number;
};

/** All that is looked at on this node, with the worst of the conditions that concern it. */
export function checksOf(facts: HealthFacts, conditions: readonly Condition[]): Check[] {
  const values: Partial<Record<HealthCheckName, Omit<Check, 'check' | 'severity'>>> = {
    disk:
      facts.disks.length === 0 ? {} : { bytes: Math.min(...facts.disks.map(({ freeBytes }) => freeBytes)) },
    clock: { count: Math.max(0, Math.floor(facts.timeAheadMs / MINUTE_MS)) },
    backup: { at: facts.backup?.lastGoodAt ?? null },
    network: { at: facts.certificateEndsAt },
    cameras: { count: facts.kiosks.connected - facts.kiosks.withoutPicture },
    webhooks: { count: facts.webhooks.waiting?.count ?? 0 },
  };
  const isMissing: Partial<Record<HealthCheckName, boolean>> = {
    backup: facts.backup === null,
    network: facts.certificateEndsAt === null && facts.networkFailure === null,
    codes: facts.sms === null,
    audit_export: facts.auditExport === null,
    update: facts.update === null,
  };
  return HEALTH_CHECKS.filter((check) => isMissing[check] !== true).map((check) => {
    // The most severe stands first.
    const worst = conditions.find(({ code }) => CHECK_OF[code] === check);
    return { check, severity: worst ? severityOf(worst.code) : null, ...values[check] };
  });
}

/** The fullest disk, once: data and backups are often on the same one. */
function diskConditions(disks: readonly DiskFacts[]): Condition[] {
  const [tightest] = disks.toSorted((a, b) => spare(a) - spare(b));
  if (!tightest || spare(tightest) >= 0) return [];
  const { place, freeBytes: bytes } = tightest;
  return [{ code: bytes < FULL_BYTES ? 'disk_full' : 'disk_low', place, bytes }];
}

const spare = ({ freeBytes, backupBytes }: DiskFacts): number => freeBytes - Math.max(LOW_BYTES, backupBytes);

function certificateConditions({ certificateEndsAt: at, isClockInDoubt, nowMs }: HealthFacts): Condition[] {
  if (at === null || isClockInDoubt || at - nowMs > CERTIFICATE_MS) return [];
  return [{ code: at <= nowMs ? 'certificate_ended' : 'certificate_ending', at }];
}

function updateConditions({ update, nowMs }: HealthFacts): Condition[] {
  const { waitingSince = null, rolledBack = null } = update ?? {};
  if (waitingSince !== null) return [{ code: 'update_waiting', since: waitingSince }];
  if (rolledBack === null || nowMs - rolledBack.since > UPDATE_STANDS_MS) return [];
  return [{ code: 'update_rolled_back', ...rolledBack }];
}

function backupConditions({ backup, isClockInDoubt, nowMs }: HealthFacts): Condition[] {
  if (backup === null) return [];
  const { isOn, lastGoodAt: at, dataSince, failure } = backup;
  if (failure && isOn) return [{ code: 'backup_failed', at, ...failure }];
  const from = at ?? dataSince;
  if (from === null || isClockInDoubt) return [];
  return nowMs - from > (isOn ? OLD_MS : OLD_BY_HAND_MS) ? [{ code: 'backup_old', at }] : [];
}
