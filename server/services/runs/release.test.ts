/** A frame that is removed releases its run (decisions §6, "Embedded"). */
import { expect, test } from 'vitest';
import type { InitializeRequest } from '../../contract/v3.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { sessionOf } from '../../../testing/service/runs.ts';
import { leaseCheck, releaseCheck } from '../../store/runs/session-checks.ts';
import { authoriseFlow, giveConsent, openSession, releaseSession } from './flow.ts';
import { confirmNumber, offerHandoff, openHandoff } from './handoff.ts';
import { initialize } from './initialize.ts';
import { confirmCode, requestCode } from './phone-step.ts';
import { captureTestFace } from '../capture/test-capture.ts';

async function opened(service: TestService, body: InitializeRequest = {}) {
  const { deps } = service;
  const { session_id: id } = await initialize(deps, await service.caller('sk_test'), body);
  const sessionId = id ?? '';
  const { flow_token: token } = await openSession(deps, sessionId, { device: 'mobile' }, null);
  const session = () => authoriseFlow(deps, sessionId, token);
  return {
    sessionId,
    token,
    session,
    release: async () => releaseSession(deps, await session(), token),
    openAgain: () => openSession(deps, sessionId, { device: 'mobile' }, null),
  };
}

test('a released run is opened by the next device and asks it for consent', async () => {
  const service = await openTestService();
  const run = await opened(service);
  await giveConsent(service.deps, await run.session(), { accepted: true });
  await run.release();
  expect(await refusalOf(run.session())).toBe('invalid_flow_token');
  expect((await run.openAgain()).snapshot.step).toBe('consent');
});

test('the next device learns nothing of the number that the last guest typed, nor can use its code', async () => {
  const service = await openTestService();
  const { deps } = service;
  const config = { phone: { required: true } };
  const run = await opened(service, { config });
  await giveConsent(deps, await run.session(), { accepted: true });
  await requestCode(deps, await run.session(), '+999011234567');
  await run.release();
  const next = await run.openAgain();
  expect(next.snapshot.phone).toMatchObject({ hint: null, code_sent_at: null });
  const session = await authoriseFlow(deps, run.sessionId, next.flow_token);
  await giveConsent(deps, session, { accepted: true });
  const consented = await authoriseFlow(deps, run.sessionId, next.flow_token);
  expect(await refusalOf(confirmCode(deps, consented, '234567'))).toBe('code_required');
});

test('a run that a phone has taken over stays with it and its computer', async () => {
  const service = await openTestService();
  const { deps } = service;
  const run = await opened(service);
  const offer = await offerHandoff(deps, await run.session());
  const code = offer.url.split('#h=')[1] ?? '';
  const phone = await openHandoff(deps, { session_id: run.sessionId, code, device: 'mobile' });
  await confirmNumber(deps, run.sessionId, phone.flow_token, offer.match_code);
  await releaseSession(deps, await authoriseFlow(deps, run.sessionId, phone.flow_token), phone.flow_token);
  await run.release();
  expect(await refusalOf(run.openAgain())).toBe('session_claimed');
});

test('a run that is being judged is released afterwards, and a settled one never', async () => {
  const service = await openTestService();
  const { deps } = service;
  const run = await opened(service);
  await giveConsent(deps, await run.session(), { accepted: true });
  const session = await run.session();
  const at = service.clock.now();
  const nonceHash = Uint8Array.of(1);
  const lease = { nonceHash, at, until: at + 1 };
  await deps.db.tx((tx) => leaseCheck(tx, session.scope, session.id, lease));
  const released = run.release();
  expect(await refusalOf(run.openAgain())).toBe('session_claimed');
  await deps.db.tx((tx) => releaseCheck(tx, session.scope, session.id, nonceHash));
  await released;
  expect((await sessionOf(service, session.id)).flowTokenHash).toBeNull();

  const settled = await opened(service);
  await giveConsent(deps, await settled.session(), { accepted: true });
  await captureTestFace(deps, await settled.session(), 'alice');
  await settled.release();
  expect(await refusalOf(settled.openAgain())).toBe('session_settled');
});
