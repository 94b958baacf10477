import { describe, expect, it } from 'vitest';
import { CONDITION_CODES } from '../../contract/console/health.ts';
import { checksOf, conditionsOf, type HealthFacts, severityOf } from './conditions.ts';

const MEBIBYTE = 1024 * 1024;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.UTC(2026, 10, 25);

const WELL: HealthFacts = {
  nowMs: NOW,
  isDamaged: false,
  refusesWrites: false,
  faceWorkers: 2,
  logDamagedAt: null,
  disks: [{ place: 'data', freeBytes: 10_000 * MEBIBYTE, backupBytes: 0 }],
  certificateEndsAt: null,
  networkFailure: null,
  hold: null,
  isClockInDoubt: false,
  timeAheadMs: 0,
  backup: { isOn: true, lastGoodAt: NOW - DAY_MS, dataSince: 0, failure: null },
  sms: null,
  kiosks: { connected: 2, withoutPicture: 0 },
  webhooks: { stopped: null, waiting: null },
  auditExport: null,
  update: null,
  isKeyInFile: false,
};
const codes = (change: Partial<HealthFacts>) => conditionsOf({ ...WELL, ...change }).map(({ code }) => code);
const backup = (change: Partial<NonNullable<HealthFacts['backup']>>) => ({
  backup: { isOn: true, lastGoodAt: null, dataSince: NOW - DAY_MS, failure: null, ...change },
});
const disk = (freeMebibytes: number, backupMebibytes = 0) => ({
  disks: [
    { place: 'data' as const, freeBytes: 10_000 * MEBIBYTE, backupBytes: 0 },
    {
      place: 'backups' as const,
      freeBytes: freeMebibytes * MEBIBYTE,
      backupBytes: backupMebibytes * MEBIBYTE,
    },
  ],
});

describe('the conditions', () => {
  it.each<[string, Partial<HealthFacts>, string[]]>([
    ['nothing', {}, []],
    [
      'a damaged page and a full disk: the data first',
      { isDamaged: true, refusesWrites: true },
      ['storage_damaged', 'storage_not_writable'],
    ],
    ['no thread for faces', { faceWorkers: 0 }, ['face_engine_unavailable']],
    ['a damaged log', { logDamagedAt: NOW }, ['log_damaged']],
    [
      'a backup that failed',
      backup({ failure: { why: 'file_not_writable', since: NOW } }),
      ['backup_failed'],
    ],
    [
      'a failure from before automatic backups were turned off',
      backup({ isOn: false, failure: { why: 'backup_failed' } }),
      [],
    ],
    ['no backup for two days', backup({ lastGoodAt: NOW - 2 * DAY_MS - 1 }), ['backup_old']],
    ['no backup at all for two days', backup({ dataSince: NOW - 2 * DAY_MS - 1 }), ['backup_old']],
    ['no backup by hand for two days', backup({ isOn: false, lastGoodAt: NOW - 2 * DAY_MS - 1 }), []],
    [
      'no backup by hand for a week',
      backup({ isOn: false, lastGoodAt: NOW - 7 * DAY_MS - 1 }),
      ['backup_old'],
    ],
    ['no backup on PostgreSQL', { backup: null }, []],
    ['an empty installation', backup({ dataSince: null }), []],
    ['an old backup by a doubtful clock', { ...backup({ lastGoodAt: 0 }), isClockInDoubt: true }, []],
    ['a disk with room', disk(512), []],
    ['a disk without room for the next backup', disk(600, 601), ['disk_low']],
    ['a nearly full disk', disk(511), ['disk_low']],
    ['a full disk', disk(63), ['disk_full']],
    ['a clean-up on hold', { hold: { why: 'clock_ahead', since: NOW } }, ['retention_put_off']],
    ['a certificate for a month', { certificateEndsAt: NOW + 30 * DAY_MS }, []],
    ['a certificate near its end', { certificateEndsAt: NOW + 14 * DAY_MS }, ['certificate_ending']],
    ['a certificate that ended', { certificateEndsAt: NOW }, ['certificate_ended']],
    ['network mode that does not run', { networkFailure: 'port_in_use' }, ['network_failed']],
    ['one code that was not sent', { sms: { count: 1, since: NOW } }, []],
    ['two codes that were not sent', { sms: { count: 2, since: NOW } }, ['sms_failing']],
    [
      'a paused receiver',
      { webhooks: { stopped: { count: 1, since: NOW }, waiting: null } },
      ['webhooks_stopped'],
    ],
    [
      'calls that wait',
      { webhooks: { stopped: null, waiting: { count: 3, oldestAt: 1 } } },
      ['webhooks_waiting'],
    ],
    ['a kiosk without a picture', { kiosks: { connected: 2, withoutPicture: 1 } }, ['kiosk_cameras']],
    ['a clock that was three hours ahead', { timeAheadMs: 3 * HOUR_MS }, ['time_ahead']],
    ['clocks of nodes that differ', { timeAheadMs: 5 * 60_000 }, []],
    [
      'an audit log that is not taken',
      { auditExport: { failure: { why: 'syslog', since: NOW } } },
      ['audit_export_failing'],
    ],
    ['an update that waits', { update: { waitingSince: NOW, rolledBack: null } }, ['update_waiting']],
    [
      'an update that was undone',
      { update: { waitingSince: null, rolledBack: { why: 'too_slow', since: NOW } } },
      ['update_rolled_back'],
    ],
    [
      'an update that was undone two weeks ago',
      { update: { waitingSince: null, rolledBack: { why: 'too_slow', since: NOW - 15 * DAY_MS } } },
      [],
    ],
    ['a key in a file', { isKeyInFile: true }, ['key_in_file']],
  ])('%s', (_, change, expected) => {
    expect(codes(change)).toEqual(expected);
  });

  it('are listed with the most severe first', () => {
    const order = ['critical', 'warning', 'notice'];
    const ranks = CONDITION_CODES.map((code) => order.indexOf(severityOf(code)));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  });
});

describe('the checks', () => {
  const checks = (change: Partial<HealthFacts>) => {
    const facts = { ...WELL, ...change };
    return checksOf(facts, conditionsOf(facts));
  };

  it('name what is well with its value, and leave out what is not used here', () => {
    expect(checks({})).toEqual([
      { check: 'database', severity: null },
      { check: 'faces', severity: null },
      { check: 'disk', severity: null, bytes: 10_000 * MEBIBYTE },
      { check: 'clock', severity: null, count: 0 },
      { check: 'clean_up', severity: null },
      { check: 'backup', severity: null, at: NOW - DAY_MS },
      { check: 'cameras', severity: null, count: 2 },
      { check: 'webhooks', severity: null, count: 0 },
    ]);
  });

  it('take the worst condition that concerns them, and every condition concerns one', () => {
    const ill = checks({
      isKeyInFile: true,
      isDamaged: true,
      certificateEndsAt: NOW,
      networkFailure: 'port_in_use',
      sms: { count: 2, since: NOW },
      kiosks: { connected: 2, withoutPicture: 2 },
    });
    const bad = Object.fromEntries(
      ill.flatMap(({ check, severity }) => (severity ? [[check, severity]] : [])),
    );
    expect(bad).toEqual({ database: 'critical', network: 'critical', cameras: 'warning', codes: 'warning' });
  });
});
