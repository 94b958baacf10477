/**
 * Every writer of a pending call triggers its sending at once: the timer is for other processes and for calls that
 * fall due.
 */
import { expect, it, onTestFinished } from 'vitest';
import { UNDO_MS } from '../../contract/console/reviews.ts';
import { shortId } from '../people/people.ts';
import { insertOperator } from '../../store/operators/operators.ts';
import { findOpenCaseOf } from '../../store/reviews/cases.ts';
import {
  demoCaller,
  listen,
  PHONE,
  runConnected,
  startConnected,
} from '../../../testing/service/connect-runs.ts';
import { NOW } from '../../../testing/store/rows.ts';
import { sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { answered } from '../../../testing/service/webhooks.ts';
import { overrideSession } from '../passes/actions.ts';
import { erasePersonInConsole } from '../people/erasure.ts';
import { claimReview, decideReviewLater } from '../reviews/decide.ts';
import { cancelStuckSession } from '../runs/stuck-sessions.ts';
import { expireOverdueRuns } from '../runs/expiry.ts';
import { decline } from '../runs/flow.ts';
import { disconnect, eraseMe, openOwnPage, requestOwnCode } from '../runs/my-verifications.ts';
import { settleDueReviews } from '../reviews/due.ts';
import { reviewTestRun } from '../capture/test-capture.ts';
import { createWebhookScheduler } from './scheduler.ts';
import { createOrEditConfig } from './admin.ts';
import { pauseDestination, resumeDestination } from './destinations.ts';
import { rerunCall, rerunFailedSince, sendTestEvent } from './rerun.ts';
import { signingSecret } from './secrets.ts';

const ADDRESS = '198.51.100.1';
const DAY_MS = 86_400_000;
const OTHER_PHONE = '+999017654321';
const OPERATOR = {
  id: 'ana',
  name: 'ana',
  nameKey: 'ana',
  role: 'reviewer',
  origin: 'cli',
  passphraseHash: '',
  passphraseChangedAt: NOW,
  createdAt: NOW,
} as const;

/** A service whose sender polls only when it is triggered, and what it has sent so far. */
async function openSending(): Promise<{ service: TestService; sent: string[] }> {
  const service = await openTestService();
  const { deps, clock } = service;
  await listen(service);
  const { scope, lineageId } = await demoCaller(service);
  await deps.db.tx((tx) => signingSecret(tx, scope, lineageId, clock.now()));
  const sent: string[] = [];
  const scheduler = createWebhookScheduler({
    db: deps.db,
    clock,
    send: async ({ body }) => {
      sent.push((JSON.parse(Buffer.from(body).toString()) as { type: string }).type);
      return answered(200);
    },
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => scheduler.close());
  return { service, sent };
}

const nextSent = (sent: string[], count: number) => expect.poll(() => sent).toHaveLength(count);

/** Alice is connected, and her integration was told. */
async function connected() {
  const opened = await openSending();
  const ended = await runConnected(opened.service, 'alice', { external_id: 'user-1', region: 'spring' });
  await nextSent(opened.sent, 1);
  return { ...opened, ended };
}

async function onOwnPage({ deps }: TestService, act: typeof eraseMe): Promise<void> {
  await requestOwnCode(deps, { phone: PHONE }, ADDRESS);
  const { my_token: token, connections } = await openOwnPage(deps, { phone: PHONE, code: PHONE.slice(-6) });
  await act(deps, token, { connection_id: connections[0]?.connection_id ?? '' });
}

it('a verdict', async () => {
  const { sent } = await connected();
  expect(sent).toEqual(['USER_VERIFICATION_COMPLETED']);
});

it('joining another region without a capture', async () => {
  const { service, sent } = await connected();
  service.clock.advance(DAY_MS);
  await startConnected(service, { external_id: 'user-2', region: 'autumn' });
  await nextSent(sent, 2);
});

it('declining', async () => {
  const { service, sent } = await openSending();
  await decline(service.deps, await startConnected(service, { external_id: 'user-1' }));
  await nextSent(sent, 1);
});

/** Alice comes again with another account, which goes to a reviewer. */
async function inReview() {
  const opened = await connected();
  const body = { external_id: 'user-2', region: 'spring' };
  const { session_id: sessionId } = await runConnected(opened.service, 'alice', body, OTHER_PHONE);
  return { ...opened, sessionId };
}

it('a test run’s own review', async () => {
  const { service, sent, sessionId } = await inReview();
  await reviewTestRun(service.deps, await sessionOf(service, sessionId), 'approve');
  await nextSent(sent, 2);
});

it('a reviewer’s decision, after its minute', async () => {
  const { service, sent, sessionId } = await inReview();
  const { deps, clock } = service;
  await deps.db.tx((tx) => insertOperator(tx, OPERATOR));
  const scope = service.scope('test');
  const opened = await findOpenCaseOf(deps.db, scope, sessionId);
  const call = { scope, caseId: opened?.id ?? '', operatorId: OPERATOR.id };
  await claimReview(deps, call);
  await decideReviewLater(deps, call, { decision: 'different_people', reason: 'test' });
  clock.advance(UNDO_MS);
  await settleDueReviews(deps);
  await nextSent(sent, 2);
});

it('an override in the console', async () => {
  const { service, sent, ended } = await connected();
  await overrideSession(service.deps, service.scope('test'), ended.session_id, {
    decision: 'deny',
    reason: 'test',
    actor: 'operator:1',
  });
  await nextSent(sent, 2);
});

it.each([
  ['disconnecting', disconnect],
  ['erasing oneself', eraseMe],
])('%s on the person’s own page', async (_, act) => {
  const { service, sent } = await connected();
  await onOwnPage(service, act);
  await nextSent(sent, 2);
  expect(sent[1]).toBe('USER_VERIFICATION_REVOKED');
});

it('erasing a person in the console', async () => {
  const { service, sent } = await connected();
  const { id } = (await service.deps.db.one<{ id: string }>('SELECT id FROM people')) ?? { id: '' };
  const confirmed = { reason: 'test', confirm: shortId(id) };
  await erasePersonInConsole(service.deps, service.scope('test'), id, confirmed, 'operator:1');
  await nextSent(sent, 2);
});

it('an expired run', async () => {
  const { service, sent } = await openSending();
  await startConnected(service, { external_id: 'user-1' });
  service.clock.advance(DAY_MS);
  expect(await expireOverdueRuns(service.deps)).toBe(1);
  await nextSent(sent, 1);
});

it('a run that an operator ended', async () => {
  const { service, sent } = await openSending();
  const { id } = await startConnected(service, { external_id: 'user-1' });
  await cancelStuckSession(service.deps, service.scope('test'), id, { reason: 'test', actor: 'operator:1' });
  await nextSent(sent, 1);
});

/** The first call failed permanently. */
async function failedFirst() {
  const opened = await connected();
  const { deps, clock } = opened.service;
  const { scope, lineageId } = await demoCaller(opened.service);
  const ended = "UPDATE webhook_calls SET status = 'FAILED' WHERE status = 'COMPLETED'";
  await expect.poll(() => deps.db.write(ended)).toBe(1);
  const call = await deps.db.one<{ id: string }>('SELECT transaction_id AS id FROM webhook_calls');
  return { ...opened, deps, clock, owner: { scope, lineageId }, failedId: call?.id ?? '' };
}

it('sending a call again', async () => {
  const { deps, owner, sent, failedId } = await failedFirst();
  await rerunCall(deps, owner, failedId, 'operator:1');
  await nextSent(sent, 2);
});

it('sending all failed calls again', async () => {
  const { deps, owner, sent } = await failedFirst();
  await rerunFailedSince(deps, owner, 0, 'operator:1');
  await nextSent(sent, 2);
});

it('a test event', async () => {
  const { deps, owner, sent } = await failedFirst();
  await sendTestEvent(deps, owner, 'USER_VERIFICATION_COMPLETED', 'operator:1');
  await nextSent(sent, 2);
});

/** A call is waiting for its receiver, which an operator has paused. */
async function paused() {
  const opened = await failedFirst();
  const { deps, clock, owner } = opened;
  const row = await deps.db.one<{ origin: string }>('SELECT origin FROM webhook_destinations');
  const receiver = { scope: owner.scope, origin: row?.origin ?? '', actor: 'operator:1' } as const;
  await pauseDestination(deps.db, clock, receiver);
  await sendTestEvent(deps, owner, 'USER_VERIFICATION_COMPLETED', 'operator:1');
  return { ...opened, receiver };
}

it('resuming a receiver', async () => {
  const { deps, clock, sent, receiver } = await paused();
  await resumeDestination(deps.db, clock, receiver);
  await nextSent(sent, 2);
});

it('a new address for waiting calls', async () => {
  const { deps, sent, owner } = await paused();
  const edit = {
    webhook_type: 'USER_VERIFICATION_COMPLETED',
    destination_url: 'https://elsewhere.example/hooks',
  } as const;
  await createOrEditConfig(deps, owner, edit, 'operator:1');
  await nextSent(sent, 2);
});
