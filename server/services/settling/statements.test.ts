/** Statements of the hot path. Each fact is read once; a higher number needs a reason. */
import { expect, it, onTestFinished } from 'vitest';
import { honestCapture } from '../../../testing/service/captures.ts';
import { runConnected } from '../../../testing/service/connect-runs.ts';
import { countedDb } from '../../../testing/store/counted-db.ts';
import { sessionOf, startRun } from '../../../testing/service/runs.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { settleCapture } from '../capture/capture.ts';
import { initialize } from '../runs/initialize.ts';
import { snapshotOf } from '../runs/sessions/session-view.ts';

const FACE = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);

async function openCounted() {
  const service = await openTestService();
  onTestFinished(() => service.deps.faceIndex.close());
  const counted = countedDb(service.deps.db);
  return { service, counted, deps: { ...service.deps, db: counted.db } };
}

const numbersOf = ({ reads, writes, transactions }: ReturnType<typeof countedDb>) => ({
  reads: reads.length,
  inTransactions: writes.length,
  transactions,
});

it('initialize writes one statement', async () => {
  const { service, counted, deps } = await openCounted();
  await initialize(deps, await service.caller('sk_test'), { external_id: 'user-1' });
  expect(numbersOf(counted)).toEqual({ reads: 2, inTransactions: 1, transactions: 1 });
});

it('a capture to its verdict reads each fact once', async () => {
  const { service, counted, deps } = await openCounted();
  const session = await startRun(service, { external_id: 'user-1', phone: '+999011234567' });
  const { nonce, judge } = await honestCapture(service.deps, session, FACE);
  const { state } = await settleCapture(deps, session, nonce, () => judge(deps.db));
  expect(state).toBe('settled');
  const all = [...counted.reads, ...counted.writes];
  const times = (start: string) => all.filter((sql) => sql.startsWith(start)).length;
  expect(times('SELECT id, company_id AS companyId, external_id AS externalId')).toBe(1);
  // One of them reads where the audit chains begin, which PostgreSQL cannot compare because it is sealed.
  // One statement looks up the pictures of all frames, one keeps their signatures, and one adds whether the page's light was
  // seen.
  // One statement looks for webhooks of v3 that ask for the event.
  // The last but one read finds the organiser's contact for the result.
  expect(numbersOf(counted)).toEqual({ reads: 10, inTransactions: 29, transactions: 2 });
});

it('rendering a snapshot opens no write transaction, not even for a v2 run with a token', async () => {
  const { service, counted, deps } = await openCounted();
  const open = await startRun(service);
  const { session_id: ended } = await runConnected(service, 'alice', {
    external_id: 'user-1',
    redirect: 'https://shop.example/done',
  });
  for (const id of [open.id, ended]) await snapshotOf(deps, await sessionOf(service, id));
  expect((await snapshotOf(deps, await sessionOf(service, ended))).result?.return_url).toMatch(/vy_token=vt/);
  expect(numbersOf(counted)).toMatchObject({ inTransactions: 0, transactions: 0 });
});
