/** Wires and standbys that fall silent without a word: how long callers wait, and how soon everything works again. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { leaseDatabase } from '../../../../testing/postgres/lease.ts';
import {
  administer,
  connectToPostgres,
  createTestDatabase,
  findPostgres,
  startPostgres,
  testKeys,
  testUrl,
  USER,
} from '../../../../testing/postgres/server.ts';
import { startWire } from '../../../../testing/wire.ts';
import { onSqlite, tempDir } from '../../../../testing/store/temp-store.ts';
import { limitMs } from '../../../../testing/tier.ts';
import type { Database } from '../port.ts';
import { openPostgres } from './driver.ts';
import { sharePostgres } from './node.ts';
import { within } from './silence.ts';

const LONGEST_STALL_MS = limitMs(15_000);
const BACK_WITHIN_MS = limitMs(5_000);
const UNAVAILABLE = ['database_unreachable', 'database_busy'];

async function open(url: string): Promise<Database> {
  const db = await openPostgres({ url, keys: testKeys });
  onTestFinished(() => db.close());
  return db;
}

/** What a caller gets, and when. */
async function timed(work: Promise<unknown>): Promise<{ outcome: string; tookMs: number }> {
  const startedMs = performance.now();
  const outcome = await work.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
  return { outcome, tookMs: performance.now() - startedMs };
}

const insert = (db: Database, id: string) =>
  db.tx(
    (tx) => tx.run('INSERT INTO companies (id, name, daily_limit, created_at) VALUES (?, ?, 1, 1)', id, id),
    { companyId: id },
  );
const many = <T>(n: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, each) => work(each)));

describe.skipIf(onSqlite)('a wire that dies silently', () => {
  /** A database behind two wires. */
  async function wired() {
    const direct = await leaseDatabase(tempDir());
    const { pathname } = new URL(direct);
    const far = () => connectToPostgres(direct);
    const wires = [await startWire(far), await startWire(far)] as const;
    for (const wire of wires) onTestFinished(() => wire.close());
    const url = (...ports: number[]) =>
      `postgres://${USER}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}${pathname}`;
    return { direct, wires, url };
  }

  it(
    'is noticed by everybody who waits, another node leads, and everything is back soon after the wire',
    async () => {
      const { direct, wires, url } = await wired();
      const [wire] = wires;
      const db = await open(url(wire.port));
      const node = await sharePostgres(url(wire.port), async () => undefined);
      onTestFinished(() => node.release());
      const other = await sharePostgres(direct, async () => undefined);
      onTestFinished(() => other.release());
      let told = 0;
      db.follow('session', () => (told += 1), 'any');
      await many(12, (n) => insert(db, `before-${n}`));
      const inside = Promise.withResolvers<undefined>();
      const midway = db.tx(
        async (tx) => {
          await tx.one('SELECT 1');
          inside.resolve(undefined);
          await tx.one('SELECT pg_sleep(1)');
        },
        { companyId: 'midway' },
      );
      await inside.promise;
      wire.die();
      const diedMs = performance.now();
      const callers = Promise.all([
        timed(midway),
        many(30, (n) => timed(insert(db, `during-${n}`))),
        many(30, () => timed(db.one('SELECT 1 AS n'))),
      ]);
      await expect.poll(() => other.isLeader(), { timeout: limitMs(12_000) }).toBe(true);
      expect(node.isLeader()).toBe(false);
      for (const { outcome, tookMs } of (await callers).flat()) {
        expect(UNAVAILABLE).toContain(outcome);
        expect(tookMs).toBeLessThan(LONGEST_STALL_MS);
      }
      // Known to be gone, so no caller waits any more.
      const next = await many(20, () => timed(db.one('SELECT 1 AS n')));
      expect(next.filter(({ tookMs }) => tookMs < 100).length).toBeGreaterThanOrEqual(19);
      expect(performance.now() - diedMs).toBeLessThan(2 * LONGEST_STALL_MS);
      told = 0;
      wire.heal();
      const works = () => timed(insert(db, `after-${performance.now()}`));
      await expect.poll(works, { timeout: BACK_WITHIN_MS }).toMatchObject({ outcome: 'done' });
      await expect.poll(() => told, { timeout: limitMs(10_000) }).toBeGreaterThan(0);
      wire.die();
      expect((await timed(db.close())).tookMs).toBeLessThan(limitMs(5_000));
    },
    limitMs(60_000),
  );

  it(
    'while connections are idle is noticed before they are used, so no caller notices it',
    async () => {
      const { wires, url } = await wired();
      const db = await open(url(...wires.map(({ port }) => port)));
      const useAll = async (name: string) => {
        const stalls = await many(20, (n) => timed(insert(db, `${name}-${n}`)));
        expect(new Set(stalls.map(({ outcome }) => outcome))).toEqual(new Set(['done']));
        expect(Math.max(...stalls.map(({ tookMs }) => tookMs))).toBeLessThan(LONGEST_STALL_MS);
        await sleep(1_100);
      };
      await useAll('before');
      // A router in between has lost its state.
      for (const wire of wires) wire.forget();
      await useAll('forgotten');
      // The primary is gone, and the standby was promoted.
      wires[0].die();
      await useAll('promoted');
    },
    limitMs(60_000),
  );
});

describe.skipIf(onSqlite)('a statement', () => {
  it(
    'that PostgreSQL works on for long is waited for; a commit that waits for a hanging standby is not',
    async () => {
      const server = await startPostgres(findPostgres() ?? '', () => ({ synchronous_commit: 'on' }));
      onTestFinished(() => server.stop());
      const url = await createTestDatabase(server.folder, 'hanging');
      const db = await open(url);
      const setStandbys = async (names: string) => {
        await administer(
          testUrl(server.folder, 'postgres'),
          `ALTER SYSTEM SET synchronous_standby_names = '${names}'`,
        );
        await administer(testUrl(server.folder, 'postgres'), 'SELECT pg_reload_conf()');
      };
      await setStandbys('*');
      const set = () =>
        db.one<{ value: string }>(`SELECT current_setting('synchronous_standby_names') AS value`);
      await expect.poll(set).toEqual({ value: '*' });
      const [long, inTx, alone] = await Promise.all([
        timed(db.one('SELECT pg_sleep(10)')),
        timed(insert(db, 'in-tx')),
        timed(db.write(`INSERT INTO companies (id, name, daily_limit, created_at) VALUES ('b', 'b', 1, 1)`)),
      ]);
      expect(long.outcome).toBe('done');
      for (const { outcome, tookMs } of [inTx, alone]) {
        expect(outcome).toBe('database_unreachable');
        expect(tookMs).toBeLessThan(LONGEST_STALL_MS);
      }
      await setStandbys('');
      await expect
        .poll(() => timed(insert(db, `c-${performance.now()}`)), { timeout: limitMs(10_000) })
        .toMatchObject({ outcome: 'done' });
    },
    limitMs(60_000),
  );

  it('whose answer arrived while this process was busy is not given up', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const [[far]] = await Promise.all([accepted, once(socket, 'connect')]);
    onTestFinished(() => void far.destroy());
    const line = { received: () => socket.bytesRead, cut: (error: Error) => void socket.destroy(error) };
    far.write('answer');
    const answer = within(line, 10, once(socket, 'data'));
    const busyUntilMs = performance.now() + 100;
    while (performance.now() < busyUntilMs);
    await expect(answer).resolves.toEqual([Buffer.from('answer')]);
  });
});
