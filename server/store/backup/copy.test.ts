import { describe, expect, it, onTestFinished } from 'vitest';
import { leaseDatabase } from '../../../testing/postgres/lease.ts';
import { testKeys } from '../../../testing/postgres/server.ts';
import { findCode, seedSecrets } from '../../../testing/store/secret-rows.ts';
import { testClock } from '../../../testing/service/temp-service.ts';
import { onSqlite, storePaths, tempDir } from '../../../testing/store/temp-store.ts';
import { limitMs } from '../../../testing/tier.ts';
import { LITTLE } from '../../services/demo/demo.fixture.ts';
import { makeDemo } from '../../services/demo/make.ts';
import { appendAudit, verifyAudit } from '../operators/audit.ts';
import { writeSetting } from '../settings.ts';
import { collectStatistics, copiedTo, copyData, forgetCopy } from './copy.ts';
import type { Database, SqlReader } from '../sql/port.ts';
import { openPostgres } from '../sql/postgres/driver.ts';
import { openSqlite } from '../sql/sqlite/driver.ts';

const QUIET = { isRehearsal: false, onProgress: () => undefined, nowMs: 1 };

async function openedUntilEnd(opening: Promise<Database>): Promise<Database> {
  const db = await opening;
  onTestFinished(() => db.close());
  return db;
}
const file = () => openedUntilEnd(openSqlite(storePaths(tempDir())));
const postgres = async () =>
  openedUntilEnd(openPostgres({ url: await leaseDatabase(tempDir()), keys: testKeys, poolSize: 3 }));

const changes = (db: SqlReader) => db.all('SELECT seq, person_id FROM face_changes ORDER BY seq');

const audit = (db: Database) =>
  db.tx((tx) => appendAudit(tx, { at: 1, actor: 'cli', action: 'key.revoke', subject: 'key' }));

describe.skipIf(onSqlite)('a copy between the engines', () => {
  it(
    'copies every row there and back, with secrets that open and sequences that continue',
    async () => {
      const [source, target, back] = [await file(), await postgres(), await file()];
      await audit(source);
      // As in a database that was upgraded from a single chain.
      await source.tx((tx) => writeSetting(tx, 'audit_chains_since', 1));
      await makeDemo(source, testClock(), LITTLE);
      await seedSecrets(source);
      const there = await copyData(source, target, QUIET);
      expect(await collectStatistics(target)).toBe(true);
      expect(there.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(1_000);
      expect(await findCode(target)).toBe('123456');
      expect(await changes(target)).toEqual(await changes(source));
      expect([await copiedTo(source), await copiedTo(target)]).toEqual([{ engine: 'postgres', at: 1 }, null]);
      await expect(copyData(source, await file(), QUIET)).rejects.toThrow('copied before');
      expect(await copyData(target, back, QUIET)).toEqual(there);
      expect([await copiedTo(target), await copiedTo(back)]).toEqual([{ engine: 'sqlite', at: 1 }, null]);
      await source.tx(forgetCopy);
      expect(await copiedTo(source)).toBeNull();
      // The audit log continues, triggers fire again, and no number is used twice.
      for (const db of [target, back]) {
        await audit(db);
        expect((await verifyAudit(db)).brokenAt).toBeNull();
        const [last] = (await changes(db)).slice(-1);
        await db.tx((tx) => tx.run(`DELETE FROM templates WHERE person_id = 'zoe'`));
        expect((await changes(db)).at(-1)).toMatchObject({ person_id: 'zoe' });
        expect((await changes(db)).at(-1)).not.toEqual(last);
      }
    },
    limitMs(30_000),
  );

  it('leaves the target empty after a dry run, and reports what a copy would', async () => {
    const [source, target] = [await file(), await postgres()];
    await seedSecrets(source);
    const rehearsed = await copyData(source, target, { ...QUIET, isRehearsal: true });
    expect(await target.all('SELECT id FROM people')).toEqual([]);
    expect(await copiedTo(source)).toBeNull();
    expect(await copyData(source, target, QUIET)).toEqual(rehearsed);
  });

  it('leaves the mark out of the target if the transaction runs a second time', async () => {
    const [source, target] = [await file(), await postgres()];
    await seedSecrets(source);
    const twice: Database = {
      ...target,
      tx: async (work, ...how) => {
        const first = target.tx(
          async (tx) => {
            await work(tx);
            throw new Error('the engine ended the first attempt');
          },
          ...how,
        );
        await expect(first).rejects.toThrow('first attempt');
        return target.tx(work, ...how);
      },
    };
    await copyData(source, twice, QUIET);
    expect([await copiedTo(source), await copiedTo(target)]).toEqual([{ engine: 'postgres', at: 1 }, null]);
  });

  it('keeps its source marked if the end was not confirmed, because the commit may have succeeded', async () => {
    const [source, target] = [await file(), await postgres()];
    await seedSecrets(source);
    const unconfirmed: Database = {
      ...target,
      tx: (work, ...how) =>
        target.tx(
          async (tx) => {
            await work(tx);
            throw new Error('the connection broke');
          },
          ...how,
        ),
    };
    await expect(copyData(source, unconfirmed, QUIET)).rejects.toThrow('data reopen');
    expect(await copiedTo(source)).toEqual({ engine: 'postgres', at: 1 });
  });

  it('refuses a target that contains data', async () => {
    const [source, target] = [await file(), await postgres()];
    await seedSecrets(target);
    await expect(copyData(source, target, QUIET)).rejects.toThrow('already contains data');
  });

  it('is not undone if the statistics cannot be collected', async () => {
    const target = await postgres();
    await target.close();
    expect(await collectStatistics(target)).toBe(false);
  });

  it('that is interrupted leaves the target empty', async () => {
    const [source, target] = [await file(), await postgres()];
    await seedSecrets(source);
    const interrupted = copyData(source, target, {
      ...QUIET,
      onProgress: (table) => {
        if (table === 'sessions') throw new Error('interrupted');
      },
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    expect(await target.all('SELECT id FROM companies')).toEqual([]);
    expect(await copiedTo(source)).toBeNull();
  });
});
