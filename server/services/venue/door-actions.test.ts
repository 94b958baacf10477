/** Actions of staff at the door on a guest whose run has ended. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { DoorRun } from '../../contract/console/door.ts';
import type { Snapshot } from '../../contract/flow.ts';
import type { InitializeRequest } from '../../contract/v3.ts';
import type { Role } from '../../contract/console/common.ts';
import { operatorActor } from '../../domain/operators/actor.ts';
import { findExternalIdOwner } from '../../store/people/people.ts';
import { countSettledOn } from '../../store/usage/usage.ts';
import { type CaseFrame, listCaseFrames } from '../../store/reviews/case-frames.ts';
import { settleFace } from '../../../testing/service/captures.ts';
import { createDeniedPictures } from '../capture/denied-pictures.ts';
import { listReviewNotes } from '../../store/reviews/notes.ts';
import { findCaseOfPass } from '../../store/reviews/cases.ts';
import { passOf, run, sessionOf, startRun } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { captureTestFace, reviewTestRun } from '../capture/test-capture.ts';
import { createOperator } from '../operators/operators.ts';
import { overrideSession } from '../passes/actions.ts';
import { readConfirmation } from '../passes/confirmations.ts';
import { lockConfirmation } from '../passes/lock.ts';
import { decideReview } from '../reviews/reviews.ts';
import { askReviewer, checkAgain, letIn } from './door-actions.ts';
import { readDoor } from './door.ts';

const AT_LIMIT = { config: { limit: { kind: 'total' }, skip: { window_hours: 0 } }, group: 'g' };
const BY_HAND = { verified: true, status: 'approved', reasons: ['manual_override'], declined: false };

/** Alice has passed, and is denied at her second check. */
async function denied(body: InitializeRequest = {}) {
  const service = await openTestService();
  const { operator } = await createOperator(service.deps, {
    name: 'Ada',
    role: 'staff',
    origin: 'cli',
    actor: 'cli',
  });
  const operatorId = operator.operator_id;
  await run(service, 'alice', AT_LIMIT);
  const snapshot = await run(service, 'alice', { ...AT_LIMIT, ...body });
  const act = { reason: 'Known to staff', actor: operatorActor(operatorId) };
  return { service, snapshot, operatorId, act, sessionId: snapshot.session_id };
}

const read = async (service: TestService, { result }: Snapshot) =>
  readConfirmation(service.deps, await service.caller('sk_test'), result?.vyt ?? '');

async function lineOf(service: TestService, sessionId: string, role: Role = 'reviewer'): Promise<DoorRun> {
  const { latest } = await readDoor(service.deps, service.scope('test'), { role });
  const line = latest.find(({ session_id }) => session_id === sessionId);
  if (!line) throw new Error('The run is not on the door.');
  return line;
}

const caseOf = async (service: TestService, snapshot: Snapshot) => {
  const { id } = await passOf(service, snapshot);
  return findCaseOfPass(service.deps.db, service.scope('test'), id);
};

test('letting in a denied guest approves the pass by hand, and counts nothing again', async () => {
  const { service, snapshot, sessionId, act } = await denied();
  const { deps, clock } = service;
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const settled = () => countSettledOn(deps.db, service.scope('test'), day);
  const before = await settled();
  expect(before).toBe(2);
  await letIn(deps, service.scope('test'), sessionId, act);
  expect(await read(service, snapshot)).toMatchObject(BY_HAND);
  expect((await lineOf(service, sessionId)).result).toBe('flagged');
  expect(await settled()).toBe(before);
});

test('two operators who let in one guest at the same time do it once', async () => {
  const { service, sessionId, act } = await denied();
  const twice = [1, 2].map(() => refusalOf(letIn(service.deps, service.scope('test'), sessionId, act)));
  expect((await Promise.all(twice)).sort()).toEqual(['(not refused)', 'pass_unchanged']);
});

test('a run of the other partition, without a pass, or that uses an earlier pass is not let in', async () => {
  const { service, sessionId, act } = await denied();
  const { deps } = service;
  const scope = service.scope('test');
  expect(await refusalOf(letIn(deps, service.scope('live'), sessionId, act))).toBe('not_found');
  expect(await refusalOf(letIn(deps, scope, (await startRun(service)).id, act))).toBe('session_without_pass');
  const first = await run(service, 'bob');
  const again = await run(service, 'bob');
  expect((await sessionOf(service, again.session_id)).passId).toBe((await passOf(service, first)).id);
  expect(await refusalOf(letIn(deps, scope, again.session_id, act))).toBe('pass_unchanged');
});

test.each([
  ['same_person', { verified: false, status: 'denied', reasons: ['limit_reached'] }],
  ['same_person_allow', BY_HAND],
  ['different_people', BY_HAND],
] as const)('a denial that staff ask about stays until the reviewer decides %s', async (decision, after) => {
  const { service, snapshot, sessionId, operatorId } = await denied();
  const { deps, clock, company } = service;
  const scope = service.scope('test');
  await askReviewer(deps, scope, sessionId, { reason: 'Twin sister', operatorId });
  const asked = await caseOf(service, snapshot);
  expect(asked?.enrolment).toBeNull();
  expect(await lineOf(service, sessionId)).toMatchObject({ result: 'already', case_id: asked?.id });
  expect(await read(service, snapshot)).toMatchObject({ verified: false, reasons: ['limit_reached'] });
  expect(await listReviewNotes(deps.db, scope, asked?.id ?? '', 10)).toMatchObject([{ text: 'Twin sister' }]);
  await decideReview(
    deps.db,
    clock,
    { companyId: company.company_id, caseId: asked?.id ?? '' },
    { decision, reason: 'looked', actor: 'operator:1' },
  );
  expect(await read(service, snapshot)).toMatchObject(after);
  expect((await lineOf(service, sessionId)).case_id).toBeNull();
  expect(await refusalOf(askReviewer(deps, scope, sessionId, { reason: 'Once more', operatorId }))).toBe(
    decision === 'same_person' ? 'case_decided' : 'pass_unchanged',
  );
});

test('a reviewer is asked about a run once, and no longer once the guest was let in', async () => {
  const { service, snapshot, sessionId, operatorId, act } = await denied();
  const scope = service.scope('test');
  const ask = () => refusalOf(askReviewer(service.deps, scope, sessionId, { reason: 'Twin', operatorId }));
  expect((await Promise.all([ask(), ask()])).sort()).toEqual(['(not refused)', 'session_in_review']);
  await letIn(service.deps, scope, sessionId, act);
  expect(await caseOf(service, snapshot)).toMatchObject({ decision: 'same_person_allow' });
});

test('another check repeats the request of the ended one, and leaves its result alone', async () => {
  const { service, act } = await denied();
  const { deps } = service;
  const { id: sessionId } = await startRun(service, { redirect_url: 'https://venue.example/back' });
  for (let attempt = 0; attempt < 3; attempt++) await retry(service, sessionId);
  const scope = service.scope('test');
  const { session_id: id, url } = await checkAgain(deps, scope, sessionId, act);
  expect(url).toBe(`https://gatehouse.example/verification?vys=${id}`);
  const ended = await sessionOf(service, sessionId);
  expect(await sessionOf(service, id)).toMatchObject({
    state: 'open',
    attemptsLeft: 3,
    verificationId: ended.verificationId,
    request: ended.request,
  });
  expect(await sessionOf(service, sessionId)).toEqual(ended);
  expect(await refusalOf(checkAgain(deps, scope, id, act))).toBe('session_not_over');
  expect(await refusalOf(checkAgain(deps, service.scope('live'), sessionId, act))).toBe('not_found');
});

test('a guest who turns out to be another person is let in without being bound to that person', async () => {
  const { service, snapshot, sessionId, operatorId } = await denied({ external_id: 'ticket-2' });
  const scope = service.scope('test');
  const { db } = service.deps;
  expect((await passOf(service, snapshot)).personId).not.toBeNull();
  await askReviewer(service.deps, scope, sessionId, { reason: 'Twin sister', operatorId });
  const asked = await caseOf(service, snapshot);
  await decideReview(
    db,
    service.clock,
    { companyId: service.company.company_id, caseId: asked?.id ?? '' },
    { decision: 'different_people', reason: 'looked', actor: 'operator:1' },
  );
  expect((await passOf(service, snapshot)).personId).toBeNull();
  expect(await findExternalIdOwner(db, scope, 'ticket-2')).toBeUndefined();
});

test.each([0, 2, 4, 6, 8])(
  'a lock that begins %i statements after a decision takes the other person’s passes only if it precedes it',
  async (statements) => {
    const { service, snapshot, sessionId, operatorId } = await denied();
    const { deps, clock, company } = service;
    await askReviewer(deps, service.scope('test'), sessionId, { reason: 'Twin sister', operatorId });
    const caseId = (await caseOf(service, snapshot))?.id ?? '';
    const caller = await service.caller('sk_test');
    const decided = decideReview(
      deps.db,
      clock,
      { companyId: company.company_id, caseId },
      { decision: 'different_people', reason: 'looked', actor: 'operator:1' },
    );
    for (let n = 0; n < statements; n += 1) await deps.db.one('SELECT 1 AS one');
    await Promise.all([decided, lockConfirmation(deps, caller, snapshot.result?.vyt ?? '')]);
    const steps = await deps.db.all<{ action: string }>(
      "SELECT action FROM audit_entries WHERE action IN ('pass.lock', 'review.decide') ORDER BY seq",
    );
    const passes = await deps.db.all<{ lockedAt: number | null }>(
      'SELECT locked_at AS lockedAt FROM passes ORDER BY settled_at, id',
    );
    const locksBoth = steps[0]?.action === 'pass.lock';
    expect(passes.map(({ lockedAt }) => lockedAt !== null)).toEqual([locksBoth, true]);
  },
);

test('the decision of an admin or a reviewer is not reversed at the door', async () => {
  const { service, sessionId, operatorId, act } = await denied();
  const scope = service.scope('test');
  const admin = { reason: 'Banned', actor: 'operator:admin' } as const;
  await overrideSession(service.deps, scope, sessionId, { ...admin, decision: 'approve' });
  await overrideSession(service.deps, scope, sessionId, { ...admin, decision: 'deny' });
  expect(await refusalOf(letIn(service.deps, scope, sessionId, act))).toBe('decided_by_person');
  const ask = askReviewer(service.deps, scope, sessionId, { reason: 'Please', operatorId });
  expect(await refusalOf(ask)).toBe('decided_by_person');
  expect((await lineOf(service, sessionId)).actions).not.toContain('let_in');
});

test('a guest who has passed, now or before, gets no other check', async () => {
  const { service, sessionId, act } = await denied();
  const passed = await run(service, 'carol');
  for (const id of [sessionId, passed.session_id]) {
    expect(await refusalOf(checkAgain(service.deps, service.scope('test'), id, act))).toBe('guest_passed');
  }
});

test('the guest’s own page cannot decide a case that staff opened', async () => {
  const { service, sessionId, operatorId } = await denied();
  await askReviewer(service.deps, service.scope('test'), sessionId, { reason: 'Twin', operatorId });
  const session = await sessionOf(service, sessionId);
  expect(await refusalOf(reviewTestRun(service.deps, session, 'approve'))).toBe('wrong_step');
});

test('the door offers the role’s actions for each result', async () => {
  const { service, sessionId } = await denied();
  const spoof = await startRun(service);
  for (let attempt = 0; attempt < 3; attempt++) await retry(service, spoof.id);
  const actions = async (id: string, role: Role) => (await lineOf(service, id, role)).actions;
  expect(await actions(sessionId, 'staff')).toEqual(['review']);
  expect(await actions(sessionId, 'reviewer')).toEqual(['let_in', 'review']);
  expect(await actions(spoof.id, 'staff')).toEqual(['review', 'again']);
  const passed = await run(service, 'carol');
  expect(await actions(passed.session_id, 'admin')).toEqual([]);
});

async function retry(service: TestService, id: string): Promise<void> {
  await captureTestFace(service.deps, await sessionOf(service, id), 'spoof');
}

test('a reviewer who is asked about a denied guest sees the pictures of the check, which nobody has after the guest was let in', async () => {
  const { service, operatorId, act } = await denied();
  const { deps } = service;
  const scope = service.scope('test');
  onTestFinished(() => deps.faceIndex.close());
  const face = Float32Array.of(1, 0, 0, 0, 0, 0, 0, 0);
  const check = async () => {
    const session = await startRun(service, AT_LIMIT);
    await settleFace(deps, session, face);
    return session.id;
  };
  await check();
  const [asked, admitted] = [await check(), await check()];
  await askReviewer(deps, scope, asked, { reason: 'Twin sister', operatorId });
  const found = await findCaseOfPass(deps.db, scope, (await sessionOf(service, asked)).passId ?? '');
  expect((await listCaseFrames(deps.db, scope, found?.id ?? '', deps.clock.now())).length).toBeGreaterThan(0);
  expect(deps.deniedPictures.take(asked)).toEqual([]);
  await letIn(deps, scope, admitted, act);
  expect(deps.deniedPictures.take(admitted)).toEqual([]);
});

test('pictures of a denied guest are forgotten after half an hour, and the oldest give way', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const held = createDeniedPictures();
  const picture = { jpeg: new Uint8Array(1), takenAt: 0, framing: {} } as CaseFrame;
  for (let n = 0; n < 65; n += 1) held.keep(`vs_${n}`, [picture]);
  expect(held.take('vs_0')).toEqual([]);
  expect(held.take('vs_1')).toEqual([picture]);
  vi.advanceTimersByTime(30 * 60_000);
  expect(held.take('vs_2')).toEqual([]);
});
