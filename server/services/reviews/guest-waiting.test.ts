/** Whom a reviewer keeps waiting: a case says when its guest stands at the door. */
import { expect, test } from 'vitest';
import { GUEST_WAITS_MS, UNDO_MS } from '../../contract/console/reviews.ts';
import { findOpenCaseOf } from '../../store/reviews/cases.ts';
import { insertEvent } from '../../store/venue/events.ts';
import { saveKioskRun } from '../../store/venue/kiosk-runs.ts';
import { insertKiosk } from '../../store/venue/kiosks.ts';
import { kiosk, venueEvent } from '../../../testing/store/rows.ts';
import { NO_SKIP, run } from '../../../testing/service/runs.ts';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { createDeniedPictures } from '../capture/denied-pictures.ts';
import { createOperator } from '../operators/operators.ts';
import { askReviewer } from '../venue/door-actions.ts';
import { claimReview, decideReviewLater } from './decide.ts';
import { readReviewCase } from './case.ts';
import { readReviewPage } from './queue.ts';
import { settleDueReviews } from './due.ts';

const HOUR_MS = 3_600_000;
const REVIEW = { config: { ...NO_SKIP.config, collision: { action: 'review' } } };

async function opened(service: TestService, group?: string) {
  const body = group === undefined ? {} : { group };
  await run(service, 'alice', body);
  const { session_id: sessionId } = await run(service, 'alice', { ...REVIEW, ...body });
  const found = await findOpenCaseOf(service.deps.db, service.scope('test'), sessionId);
  return { sessionId, caseId: found?.id ?? '' };
}

const waitingOf = async (service: TestService, caseId: string) =>
  (await readReviewCase(service.deps, service.scope('test'), caseId)).item.guest_waiting;

async function atKiosk(service: TestService, sessionId: string): Promise<void> {
  const at = service.clock.now();
  await service.deps.db.tx(async (tx) => {
    await insertKiosk(tx, {
      ...kiosk(service.company.company_id, 'kiosk-1', { codeHash: new Uint8Array(32), at }),
      name: 'Entrance 2',
    });
    await saveKioskRun(tx, { sessionId, kioskId: 'kiosk-1', eventId: null, origin: 'scan', startedAt: at });
  });
}

async function reviewer(service: TestService): Promise<string> {
  const made = { name: 'Ana', role: 'reviewer', origin: 'cli', actor: 'cli' } as const;
  return (await createOperator(service.deps, made)).operator.operator_id;
}

test('the guest of a kiosk waits there, in the queue and on the case, until the decision takes effect', async () => {
  const service = await openTestService();
  const { deps, clock } = service;
  const scope = service.scope('test');
  const { sessionId, caseId } = await opened(service);
  await atKiosk(service, sessionId);
  const operatorId = await reviewer(service);
  const page = await readReviewPage(deps, scope, operatorId, {});
  expect(page.items[0]?.guest_waiting).toEqual({ kiosk_name: 'Entrance 2' });
  const call = { scope, caseId, operatorId };
  await claimReview(deps, call);
  const { decided } = await decideReviewLater(deps, call, { decision: 'different_people', reason: 'IDs' });
  expect(decided.guest_waiting).toEqual({ kiosk_name: 'Entrance 2' });
  clock.advance(UNDO_MS);
  await settleDueReviews(deps);
  expect(await waitingOf(service, caseId)).toBeNull();
});

test('a guest with a phone waits at an event that is running', async () => {
  const service = await openTestService();
  const now = service.clock.now();
  const times = { group: 'night-run', startsAt: now - HOUR_MS, endsAt: now + HOUR_MS };
  const event = venueEvent(service.scope('test'), service.company.default_verification_id, 'event-1', times);
  await service.deps.db.tx((tx) => insertEvent(tx, event));
  const { caseId } = await opened(service, 'night-run');
  expect(await waitingOf(service, caseId)).toEqual({ kiosk_name: null });
});

test('a guest at home, or before the event, keeps nobody waiting', async () => {
  const service = await openTestService();
  const now = service.clock.now();
  const times = { group: 'night-run', startsAt: now + HOUR_MS, endsAt: now + 2 * HOUR_MS };
  const event = venueEvent(service.scope('test'), service.company.default_verification_id, 'event-1', times);
  await service.deps.db.tx((tx) => insertEvent(tx, event));
  expect(await waitingOf(service, (await opened(service)).caseId)).toBeNull();
  expect(await waitingOf(service, (await opened(service, 'night-run')).caseId)).toBeNull();
});

test('a guest about whom staff ask waits with them', async () => {
  const service = await openTestService();
  const operatorId = await reviewer(service);
  await run(service, 'alice', { group: 'g' });
  const { session_id: sessionId } = await run(service, 'alice', { ...NO_SKIP, group: 'g' });
  const deniedPictures = createDeniedPictures();
  const asked = { reason: 'has a ticket', operatorId };
  await askReviewer({ ...service.deps, deniedPictures }, service.scope('test'), sessionId, asked);
  const found = await findOpenCaseOf(service.deps.db, service.scope('test'), sessionId);
  expect(await waitingOf(service, found?.id ?? '')).toEqual({ kiosk_name: null });
});

test('nobody is taken to wait at the door for longer than two hours', async () => {
  const service = await openTestService();
  const { sessionId, caseId } = await opened(service);
  await atKiosk(service, sessionId);
  service.clock.advance(GUEST_WAITS_MS - 1);
  expect(await waitingOf(service, caseId)).not.toBeNull();
  service.clock.advance(1);
  expect(await waitingOf(service, caseId)).toBeNull();
});
