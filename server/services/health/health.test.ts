/** Decisions §8.5: the problems of the service have one source. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openTestHealth } from '../../../testing/service/health.ts';
import { testClock } from '../../../testing/service/temp-service.ts';
import { queueCall, seedWebhook } from '../../../testing/service/webhooks.ts';
import { NOW, venueEvent } from '../../../testing/store/rows.ts';
import { onSqlite, storePaths } from '../../../testing/store/temp-store.ts';
import { readOrCreateKeyFile } from '../../store/sql/key-file.ts';
import { insertEvent } from '../../store/venue/events.ts';
import { insertKiosk, recordHeartbeat } from '../../store/venue/kiosks.ts';
import { insertPhoneCode } from '../../store/phone/codes.ts';
import { backUpNightly, storeBackupSettings } from '../backup/automatic.ts';
import { LAN_OFF } from '../network/service.ts';
import { createCodeService } from '../phone/codes.ts';
import { pauseDestination, resumeDestination } from '../webhooks/destinations.ts';
import { bounded } from './facts.ts';

const DAY_MS = 86_400_000;
const URL_A = 'https://one.example/hooks';

it('a new installation has no problems', async () => {
  const { codes, health } = await openTestHealth();
  expect(await codes()).toEqual([]);
  expect(health.notReady()).toBeNull();
});

it.runIf(onSqlite)(
  'a nightly backup that fails stands until one succeeds, and the last good one is known',
  async () => {
    const { deps, clock, codes, health, folder } = await openTestHealth();
    const { path: databasePath, keyPath } = storePaths(folder);
    const source = {
      databasePath,
      databaseKey: readOrCreateKeyFile(keyPath, databasePath),
      deletions: clock,
    };
    const night = (defaultFolder: string) => backUpNightly(deps.db, clock, { ...source, defaultFolder });
    const noFolder = path.join(folder, 'a-file');
    writeFileSync(noFolder, '');
    clock.advance(DAY_MS);
    await expect(night(path.join(noFolder, 'backups'))).rejects.toThrow();
    const since = clock.now();
    expect(await codes()).toEqual(['backup_failed']);
    expect(health.lastBackupAt()).toBeNull();
    clock.advance(DAY_MS);
    await expect(night(path.join(noFolder, 'backups'))).rejects.toThrow();
    await health.look();
    expect(health.state().conditions).toMatchObject([
      {
        code: 'backup_failed',
        severity: 'warning',
        why: 'backup_folder_missing',
        since: new Date(since).toISOString(),
      },
    ]);
    await night(path.join(folder, 'backups'));
    expect(await codes()).toEqual([]);
    expect(health.lastBackupAt()).toBe(clock.now());
  },
);

it.runIf(onSqlite)('a chosen backup folder that is missing stands at once, not after the night', async () => {
  const { deps, clock, codes, folder } = await openTestHealth();
  const stick = path.join(folder, 'stick');
  mkdirSync(stick);
  await deps.db.tx((tx) =>
    storeBackupSettings(tx, clock, { isOn: true, folder: stick, keep: 7 }, 'operator:1'),
  );
  expect(await codes()).toEqual([]);
  rmSync(stick, { recursive: true });
  expect(await codes()).toEqual(['backup_failed']);
});

it('a paused receiver is announced at once, and its end too', async () => {
  const { deps, clock, codes, health, scope } = await openTestHealth();
  const live = scope('live');
  await seedWebhook(deps.db, live, 'line-1', URL_A);
  await queueCall(deps.db, live, 'line-1', clock.now());
  expect(await codes()).toEqual([]);
  const told: number[] = [];
  health.onChange(() => told.push(health.state().conditions.length));
  const request = { scope: live, origin: new URL(URL_A).origin, actor: 'operator:1' } as const;
  await pauseDestination(deps.db, clock, request);
  await expect.poll(() => told).toEqual([1]);
  await resumeDestination(deps.db, clock, request);
  await expect.poll(() => told).toEqual([1, 0]);
});

it('calls that wait for more than an hour stand, in live data alone', async () => {
  const { deps, clock, codes, scope } = await openTestHealth();
  await seedWebhook(deps.db, scope('test'), 'line-test', URL_A);
  await queueCall(deps.db, scope('test'), 'line-test', clock.now());
  clock.advance(2 * 3_600_000);
  expect(await codes()).toEqual([]);
  await seedWebhook(deps.db, scope('live'), 'line-1', URL_A);
  await queueCall(deps.db, scope('live'), 'line-1', clock.now() - 3_600_001);
  expect(await codes()).toEqual(['webhooks_waiting']);
});

it('a kiosk without a picture stands while it is connected and its live event runs', async () => {
  const { deps, clock, codes, scope, company } = await openTestHealth();
  const { companyId } = scope('live');
  const now = clock.now();
  for (const [id, partition, startsAt] of [
    ['runs', 'live', now - DAY_MS],
    ['tested', 'test', now - DAY_MS],
    ['over', 'live', now - 3 * DAY_MS],
  ] as const) {
    const times = { id, group: id, startsAt, endsAt: startsAt + 2 * DAY_MS };
    const event = venueEvent(scope(partition), company.default_verification_id, `event-${id}`, times);
    const codeHash = new TextEncoder().encode(id);
    const kiosk = { id, companyId, name: id, eventId: event.id, codeHash, codeExpiresAt: now, at: now };
    await deps.db.tx(async (tx) => {
      await insertEvent(tx, event);
      await insertKiosk(tx, kiosk);
      await recordHeartbeat(tx, id, { screen: 'attract', camera: 'silent', sessionId: null, at: now });
    });
  }
  expect(await codes()).toEqual(['kiosk_cameras']);
  clock.advance(120_000);
  expect(await codes()).toEqual([]);
});

it('a sender that fails twice in a row stands until it sends, and waiting codes count', async () => {
  const clock = testClock();
  let fails = true;
  const sender = { send: () => (fails ? Promise.reject(new Error('402')) : Promise.resolve()) };
  const { deps } = await openTestHealth();
  const service = createCodeService(deps.db, clock, sender, () => undefined);
  onTestFinished(() => service.close());
  const { codes } = await openTestHealth({ db: deps.db, codes: service });
  const request = (id: string, delivery: 'pending' | 'none' = 'pending') =>
    deps.db.tx((tx) =>
      insertPhoneCode(tx, null, {
        id,
        sessionId: null,
        number: '+15550100',
        code: '123456',
        sentAt: clock.now(),
        expiresAt: clock.now() + 600_000,
        triesLeft: 5,
        delivery,
      }),
    );
  await request('c1');
  await request('c2');
  await expect.poll(codes).toEqual(['sms_failing']);
  fails = false;
  await request('c3');
  await expect.poll(codes).toEqual([]);
});

it('network mode and the key are part of it', async () => {
  const state = () => ({ ...LAN_OFF, isOn: true, expiresAt: NOW + DAY_MS, failure: 'no_network' as const });
  const { codes } = await openTestHealth({ lan: { state }, keyKind: 'key_file' });
  const ours = ['certificate_ending', 'network_failed'];
  expect(await codes()).toEqual(onSqlite ? [...ours, 'key_in_file'] : ours);
});

it('a disk that does not answer is asked once, and the look continues without it', async () => {
  let asked = 0;
  const { promise, resolve } = Promise.withResolvers<number>();
  const ask = bounded(() => {
    asked += 1;
    return promise;
  }, 5);
  expect([await ask(), await ask()]).toEqual([null, null]);
  resolve(7);
  await sleep(1);
  expect(asked).toBe(1);
  expect(await ask()).toBe(7);
});
