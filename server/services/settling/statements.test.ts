/** Statements of the hot path. Each fact is read once; a higher number needs a reason. */
import { expect, it, onTestFinished } from 'vitest';
import { honestCapture } from '../../../testing/service/captures.ts';
import { runConnected } from '../../../testing/service/connect-runs.ts';
import { countedDb } from '../../../testing/store/counted-db.ts';
import { NO_SKIP, run, sessionOf, startRun } from '../../../testing/service/runs.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { findOpenCaseOf } from '../../store/reviews/cases.ts';
import { insertOperator } from '../../store/operators/operators.ts';
import { claimReview, decideReviewLater } from '../reviews/decide.ts';
import { settleCapture } from '../capture/capture.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { sessionsFrom } from '../rate-limits/sessions.ts';
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
  // One reads the clock of test data, which live data does not have.
  // Two look for the ticket of a check at home: by its run, then by its code as external_id, which needs the installation's key.
  // The last but one read finds the organiser's contact for the result. Session, pass and company are as the settlement left them.
  expect(numbersOf(counted)).toEqual({ reads: 8, inTransactions: 31, transactions: 2 });
  expect(times('SELECT id, name, daily_limit')).toBe(1);
});

it('a decision reads its case as it was and as it is, and nothing for the pages that show it', async () => {
  const { service, counted, deps } = await openCounted();
  const { db } = service.deps;
  const scope = service.scope('test');
  await run(service, 'alice');
  const { session_id: id } = await run(service, 'alice', {
    config: { ...NO_SKIP.config, collision: { action: 'review' } },
  });
  await db.tx((tx) =>
    insertOperator(tx, {
      id: 'ana',
      name: 'ana',
      nameKey: 'ana',
      role: 'reviewer',
      origin: 'cli',
      passphraseHash: '',
      passphraseChangedAt: 0,
      createdAt: 0,
    }),
  );
  const caseId = (await findOpenCaseOf(db, scope, id))?.id ?? '';
  const call = { scope, caseId, operatorId: 'ana' };
  await claimReview(service.deps, call);
  await decideReviewLater(deps, call, { decision: 'same_person', reason: 'looked closely' });
  // Besides the case: opinions, reviewers and when a second one is needed; the decision; three of the audit log.
  expect(numbersOf(counted)).toEqual({ reads: 0, inTransactions: 9, transactions: 1 });
  expect(counted.writes.filter((sql) => sql.includes('FROM review_cases'))).toHaveLength(2);
});

it('a public session reads the limit of its address once', async () => {
  const { service, counted, deps } = await openCounted();
  const sessions = await sessionsFrom(deps.db, '198.51.100.1');
  await initialize(deps, await service.caller('pk_live'), {}, sessions);
  const limits = [...counted.reads, ...counted.writes].filter((sql) => sql.includes('FROM settings'));
  expect(limits).toHaveLength(1);
});

it('the reply to a verdict is what a later read shows', async () => {
  const service = await openTestService();
  const { deps } = service;
  const seen = [];
  for (const [face, body] of [
    ['alice', NO_SKIP],
    ['alice', { config: { skip: { window_hours: 24 } } }],
    ['alice', NO_SKIP],
    ['near:alice', { config: { ...NO_SKIP.config, collision: { action: 'review' } } }],
    ['blurred', NO_SKIP],
    ['spoof', NO_SKIP],
  ] as const) {
    const { id } = await startRun(service, body);
    const reply = await captureTestFace(deps, await sessionOf(service, id), face);
    expect(reply).toEqual(await snapshotOf(deps, await sessionOf(service, id)));
    seen.push([reply.state, reply.result?.presented ?? null]);
  }
  expect(seen).toEqual([
    ['settled', 'approved'],
    ['settled', 'approved'],
    ['settled', 'denied'],
    ['in_review', 'pending'],
    ['open', null],
    ['open', null],
  ]);
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
