/** One capture of a session is judged at a time, by a lease in the store that expires if the process is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CHECK_LEASE_MS } from '../../domain/runs/progress.ts';
import { shareServing } from '../../data/lock.ts';
import { type Session } from '../../store/runs/sessions.ts';
import { endAllChecks } from '../../store/runs/session-checks.ts';
import { honestCapture, settleFace } from '../../../testing/service/captures.ts';
import { run, sessionOf, startRun } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { onSqlite, storePaths, tempDir } from '../../../testing/store/temp-store.ts';
import { authoriseStep, decline } from '../runs/flow.ts';
import { snapshotOf } from '../runs/sessions/session-view.ts';
import { settleCapture } from './capture.ts';
import { captureTestFace } from './test-capture.ts';

const FACE = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);

async function opened(dir?: string): Promise<{ service: TestService; session: Session }> {
  const service = await openTestService(dir);
  onTestFinished(() => service.deps.faceIndex.close());
  return { service, session: await startRun(service) };
}

const nonceRows = async ({ deps }: TestService): Promise<number> => {
  const row = await deps.db.one<{ n: number }>('SELECT COUNT(*) AS n FROM challenges WHERE used_at IS NULL');
  return row?.n ?? 0;
};

/** A capture of another server on the same database that began at the same time. */
async function twoCaptures(service: TestService, session: Session) {
  const first = await honestCapture(service.deps, session, FACE);
  await service.deps.db.write('UPDATE challenges SET used_at = 0');
  const second = await honestCapture(service.deps, session, FACE);
  await service.deps.db.write('UPDATE challenges SET used_at = NULL');
  return [first, second] as const;
}

it('only the capture that began last settles a session, once, and not after its end', async () => {
  const { service, session } = await opened();
  const { deps, clock } = service;
  const settle = ({ nonce, judge }: Awaited<ReturnType<typeof honestCapture>>) =>
    refusalOf(settleCapture(deps, session, nonce, () => judge()));
  const first = await honestCapture(deps, session, FACE);
  const second = await honestCapture(deps, session, FACE);
  expect(await settle({ ...first, nonce: 'made-up' })).toBe('challenge_expired');
  expect(await settle(first)).toBe('challenge_expired');
  clock.advance(240_000);
  expect(await settle(second)).toBe('challenge_expired');
  const failing = {
    ...(await honestCapture(deps, session, FACE)),
    judge: () => Promise.reject(new Error('no')),
  };
  await expect(settle(failing)).rejects.toThrow('no');
  expect(await settle(failing)).toBe('challenge_used');
  expect((await settleFace(deps, session, FACE)).state).toBe('settled');
});

it('one of two parallel captures is judged, and the other may settle after it', async () => {
  const { service, session } = await opened();
  const captures = await twoCaptures(service, session);
  const outcomes = await Promise.all(
    captures.map(({ nonce, judge }) => refusalOf(settleCapture(service.deps, session, nonce, () => judge()))),
  );
  expect(outcomes.toSorted()).toEqual(['(not refused)', 'wrong_step']);
  expect(await nonceRows(service)).toBe(1);
  expect(await sessionOf(service, session.id)).toMatchObject({ state: 'settled', checkingUntil: null });
});

it('while a capture is judged the session is locked for everything else', async () => {
  const { service, session } = await opened();
  const { deps } = service;
  const { nonce, judge } = await honestCapture(deps, session, FACE);
  const judging = Promise.withResolvers<undefined>();
  const judged = Promise.withResolvers<undefined>();
  const verdict = settleCapture(deps, session, nonce, async () => {
    judging.resolve(undefined);
    await judged.promise;
    return judge();
  });
  await judging.promise;
  const now = await sessionOf(service, session.id);
  expect((await snapshotOf(deps, now)).state).toBe('checking');
  expect(await refusalOf(decline(deps, now))).toBe('wrong_step');
  expect(await refusalOf(authoriseStep(deps, now, 'capture'))).toBe('wrong_step');
  judged.resolve(undefined);
  expect((await verdict).state).toBe('settled');
});

it('a capture that lost its lease to a later one settles nothing', async () => {
  const { service, session } = await opened();
  const [first, second] = await twoCaptures(service, session);
  const { deps, clock } = service;
  const late = settleCapture(deps, session, first.nonce, async () => {
    clock.advance(CHECK_LEASE_MS);
    void settleCapture(deps, session, second.nonce, () => new Promise<never>(() => undefined));
    await expect
      .poll(async () => (await sessionOf(service, session.id)).checkingUntil)
      .toBe(clock.now() + CHECK_LEASE_MS);
    return first.judge();
  });
  expect(await refusalOf(late)).toBe('wrong_step');
  expect(await sessionOf(service, session.id)).toMatchObject({ state: 'open', attemptsLeft: 3 });
});

/** Judges in a separate process, and kills it in the middle. */
async function killedWhileJudging(dir: string, service: TestService, session: Session): Promise<void> {
  const { nonce } = await honestCapture(service.deps, session, FACE);
  const at = (file: string) => JSON.stringify(path.join(import.meta.dirname, file));
  const script = `
    import { openSqlite } from ${at('../../store/sql/sqlite/driver.ts')};
    import { findSession } from ${at('../../store/runs/sessions.ts')};
    import { settleCapture } from ${at('./capture.ts')};
    const db = await openSqlite(${JSON.stringify(storePaths(dir))});
    const session = await findSession(db, ${JSON.stringify(session.id)});
    setInterval(() => undefined, 1_000);
    const deps = { db, clock: { now: () => ${service.clock.now()} } };
    await settleCapture(deps, session, ${JSON.stringify(nonce)}, () => {
      process.stdout.write('judging\\n');
      return new Promise(() => undefined);
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

it.runIf(onSqlite)(
  'after kill -9 in the middle of a check the next try is accepted, once the lease has expired',
  async () => {
    const dir = tempDir();
    const { service, session } = await opened(dir);
    await killedWhileJudging(dir, service, session);
    expect((await snapshotOf(service.deps, await sessionOf(service, session.id))).state).toBe('checking');
    service.clock.advance(CHECK_LEASE_MS);
    expect((await settleFace(service.deps, await sessionOf(service, session.id), FACE)).state).toBe(
      'settled',
    );
  },
);

it.runIf(onSqlite)(
  'a server that starts alone on its data ends the leases of a killed one; with another server running it leaves them',
  async () => {
    const dir = tempDir();
    const { service, session } = await opened(dir);
    await killedWhileJudging(dir, service, session);
    const start = async () => {
      const lock = await shareServing(dir, () => endAllChecks(service.deps.db));
      onTestFinished(() => lock.release());
    };
    await start();
    const { nonce, judge } = await honestCapture(service.deps, session, FACE);
    const verdict = settleCapture(service.deps, await sessionOf(service, session.id), nonce, async () => {
      await start();
      return judge();
    });
    expect((await verdict).state).toBe('settled');
  },
);

it('of many at once, one gets the last settlement of the day, and the cap denies the others', async () => {
  const { service } = await opened();
  await service.deps.db.write('UPDATE companies SET daily_limit = 1');
  const sessions = await Promise.all(Array.from({ length: 8 }, () => startRun(service)));
  const ended = await Promise.all(sessions.map((one, n) => captureTestFace(service.deps, one, `face-${n}`)));
  expect(ended.map(({ result }) => result?.presented).toSorted()).toEqual([
    'approved',
    ...Array.from({ length: 7 }, () => 'denied'),
  ]);
  expect(await run(service, 'another')).toMatchObject({ result: { presented: 'denied' } });
});

it('a cap that another node reached since the counter was read denies the run without an error', async () => {
  const { service, session } = await opened();
  await service.deps.db.write('UPDATE companies SET daily_limit = 1');
  await run(service, 'first');
  const { db } = service.deps;
  const stale = {
    ...db,
    tx: <T>(work: Parameters<typeof db.tx<T>>[0]) =>
      db.tx<T>((tx) =>
        work({
          ...tx,
          one: (sql, ...values) =>
            sql.startsWith('SELECT settled FROM usage_days')
              ? Promise.resolve(undefined)
              : tx.one(sql, ...values),
        }),
      ),
  };
  const { result } = await captureTestFace({ ...service.deps, db: stale }, session, 'second');
  expect(result?.presented).toBe('denied');
});
