/** `gatehouse doctor`: whether all is well on this machine, for people and for monitoring. */
import product from '../../package.json' with { type: 'json' };
import { messagesOf } from '../../locales/node.ts';
import { type ServerConfig, serverConfig } from '../config.ts';
import { conditionText } from '../contract/console/condition-text.ts';
import type { HealthCheck, HealthState } from '../contract/console/health.ts';
import { ConfigError } from '../data/errors.ts';
import { openDatabase, refuseWithoutData } from '../data/folder.ts';
import { injectedKey } from '../data/injected-key.ts';
import { databaseFrom, dataPaths } from '../data/location.ts';
import { type DeletionTime, doubtOf } from '../domain/clock.ts';
import { conditionsOf, type HealthFacts } from '../domain/health/conditions.ts';
import { factsOf, type GatheredFacts } from '../services/health/facts.ts';
import { healthStateOf } from '../services/health/health.ts';
import { storedCertificateEnd } from '../services/network/certificates.ts';
import { readLanSetting } from '../services/network/setting.ts';
import { smsNow } from '../services/phone/sms-settings.ts';
import { readClockState } from '../store/maintenance/time-correction.ts';
import type { Database } from '../store/sql/port.ts';
import { CliError, type CommandInput, optionalText } from './io.ts';

/** The codes that monitoring plug-ins use. */
const EXIT = { well: 0, warning: 1, critical: 2, unknown: 3 } as const;
/** The service answers within its own limit of 1.5 s. */
const SERVICE_MAY_TAKE_MS = 5_000;

/** @throws CliError with exit code 3 if it cannot look */
export async function doctor(input: CommandInput): Promise<unknown> {
  const port = optionalText(input, 'port');
  const dataDir = optionalText(input, 'data-dir');
  const { service, health } = await lookAt({ ...(port && { port }), ...(dataDir && { dataDir }) }).catch(
    (error: unknown) => {
      throw new CliError(error instanceof Error ? error.message : String(error), EXIT.unknown);
    },
  );
  const status = statusOf(service, health);
  process.exitCode = EXIT[status];
  return input.values['json'] === true
    ? { status, version: product.version, service, ...health }
    : inWords(status, service, health);
}

type Service = { address: string; status: string };

async function lookAt(
  options: Parameters<typeof serverConfig>[0],
): Promise<{ service: Service; health: HealthState }> {
  const config = serverConfig(options);
  const { service, codes } = await askService(config);
  const facts = await readFacts(config);
  const now: HealthFacts = {
    ...facts,
    isDamaged: codes.has('storage_damaged'),
    refusesWrites: codes.has('storage_not_writable'),
    // What only the service itself knows, it says.
    faceWorkers: codes.has('face_engine_unavailable') ? 0 : 1,
    networkFailure: codes.has('network_failed') ? 'failed' : null,
  };
  return { service, health: healthStateOf(now, conditionsOf(now), () => facts.nowMs) };
}

/** Any host that the service listens on, as this machine reaches it. */
const reachable = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};

async function askService({
  host,
  port,
}: ServerConfig): Promise<{ service: Service; codes: ReadonlySet<string> }> {
  const address = `http://${reachable(host)}:${port}`;
  try {
    const reply = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(SERVICE_MAY_TAKE_MS) });
    const body = (await reply.json()) as { status?: unknown; details?: unknown };
    const status = typeof body.status === 'string' ? body.status : 'unknown';
    const details: unknown[] = Array.isArray(body.details) ? body.details : [];
    return { service: { address, status }, codes: new Set([status, ...details.map(String)]) };
  } catch {
    return { service: { address, status: 'not_reached' }, codes: new Set() };
  }
}

/** Reads, and changes nothing: neither the schema nor the saved time. @throws ConfigError */
async function readFacts(config: ServerConfig): Promise<GatheredFacts> {
  if (config.databaseUrl === null) refuseWithoutData(config.dataDir);
  const db = await openDatabase(config.dataDir, {
    ...databaseFrom(process.env),
    beforeMigration: () => {
      throw new ConfigError(
        'The data was written by an older version. Start this version once, then ask again.',
      );
    },
  });
  try {
    return await gatherFrom(db, config);
  } finally {
    await db.close();
  }
}

async function gatherFrom(db: Database, config: ServerConfig): Promise<GatheredFacts> {
  const { database, backups } = dataPaths(config.dataDir);
  const seenAt = (await readClockState(db))?.seenAt ?? Date.now();
  const isLanOn = config.lan.isForced || (await readLanSetting(db)).isOn;
  const expiresAt = isLanOn ? await storedCertificateEnd(db) : null;
  const { setting } = await smsNow(db, config.sms);
  const gather = factsOf({
    db,
    // The service never goes back behind the saved time.
    clock: { now: () => Math.max(Date.now(), seenAt) },
    deletions: {
      doubt: () => doubtOf(Date.now(), seenAt),
      deletionTime: () => Date.now() as DeletionTime,
    },
    keyKind: injectedKey() ? 'keychain' : 'key_file',
    lan: { state: () => ({ expiresAt, failure: null }) },
    codes: { sends: setting.sender !== 'operator', failing: () => null },
    folders: { data: config.dataDir, database, backups },
  });
  return gather();
}

function statusOf(service: Service, { conditions }: HealthState): Exclude<keyof typeof EXIT, 'unknown'> {
  if (service.status !== 'ready') return 'critical';
  const severities = conditions.map(({ severity }) => severity);
  if (severities.includes('critical')) return 'critical';
  return severities.includes('warning') ? 'warning' : 'well';
}

const ANSWERS = { well: 'yes', warning: 'act today', critical: 'act now' } as const;

function inWords(
  status: keyof typeof ANSWERS,
  service: Service,
  { checks, conditions }: HealthState,
): object {
  const words = messagesOf('health', 'en');
  const sizeOf = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  const timeOf = (iso: string | null) => iso?.slice(0, 16).replace('T', ' ') ?? 'never';
  const valueOf = ({ check, at, count, bytes }: HealthCheck): string => {
    switch (check) {
      case 'disk':
        return bytes === null ? '' : words.values.free({ size: sizeOf(bytes) });
      case 'clock':
        return count ? words.values.ahead({ count }) : '';
      case 'backup':
        return words.values.backup({ time: timeOf(at) });
      case 'network':
        return at === null ? '' : words.values.certificate({ time: timeOf(at) });
      case 'cameras':
        return words.values.cameras({ count: count ?? 0 });
      case 'webhooks':
        return count ? words.values.waiting({ count }) : '';
      case 'database':
      case 'faces':
      case 'clean_up':
      case 'codes':
      case 'audit_export':
      case 'update':
        return '';
    }
  };
  const lineOf = (check: HealthCheck): [string, string] => {
    const state = check.severity === null ? words.inOrder : words.severities[check.severity];
    return [words.checks[check.check], [state, valueOf(check)].filter(Boolean).join('. ')];
  };
  return {
    'Is it well?': ANSWERS[status],
    Version: product.version,
    Service: `${service.address}: ${service.status.replaceAll('_', ' ')}`,
    Checks: Object.fromEntries(checks.map(lineOf)) as Record<string, string>,
    'What to do': conditions.map((condition) => ({
      [words.severities[condition.severity]]: conditionText(condition, words.conditions, { sizeOf, timeOf }),
      Do: words.conditions[condition.code].todo,
    })),
  };
}
