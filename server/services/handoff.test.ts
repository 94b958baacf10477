/** Decisions §6, "Desktop": one-time, device-bound codes, and a match code that both screens show. */
import { describe, expect, it } from 'vitest';
import { findSession } from '../store/sessions.ts';
import { openTestService, refusalOf, type TestService } from '../testing/temp-service.ts';
import { authoriseFlow, openSession, readSnapshot } from './flow.ts';
import { answerHandoff, HANDOFF_LIFETIME_MS, offerHandoff, openHandoff } from './handoff.ts';
import { initialize } from './initialize.ts';

async function desktop(service: TestService) {
  const { deps } = service;
  const { session_id: id } = await initialize(deps, await service.caller('sk_test'), {});
  const sessionId = id ?? '';
  const { flow_token: token } = await openSession(deps, sessionId, { device: 'desktop' }, null);
  const offer = await offerHandoff(deps, await authoriseFlow(deps, sessionId, token));
  const code = offer.url.split('#h=')[1] ?? '';
  const open = () => openHandoff(deps, { session_id: sessionId, code, device: 'mobile' });
  return { sessionId, token, offer, code, open };
}

describe('a hand-off', () => {
  it('shows the same two digits on both screens', async () => {
    const { offer, open } = await desktop(await openTestService());
    expect(offer.match_code).toMatch(/^[1-9]\d$/);
    expect((await open()).match_code).toBe(offer.match_code);
  });

  it('keeps its code in the fragment, which no server sees', async () => {
    const { offer, code } = await desktop(await openTestService());
    expect(new URL(offer.url).search).not.toContain(code);
    expect(code.length).toBeGreaterThanOrEqual(22);
  });

  it('code works once: a third device with a photo of it is refused', async () => {
    const { open } = await desktop(await openTestService());
    const answers = await Promise.all([1, 2, 3].map(() => refusalOf(open())));
    expect(answers.filter((answer) => answer === 'handoff_used')).toHaveLength(2);
  });

  it('code is good for five minutes', async () => {
    const service = await openTestService();
    const { open } = await desktop(service);
    service.clock.advance(HANDOFF_LIFETIME_MS);
    expect(await refusalOf(open())).toBe('handoff_expired');
  });

  it('waits until the person has compared the digits', async () => {
    const service = await openTestService();
    const { sessionId, open } = await desktop(service);
    const { flow_token: phone } = await open();
    expect(await refusalOf(authoriseFlow(service.deps, sessionId, phone))).toBe('handoff_unconfirmed');
    const snapshot = await answerHandoff(service.deps, sessionId, phone, true);
    expect(snapshot.handoff?.state).toBe('confirmed');
    expect((await authoriseFlow(service.deps, sessionId, phone)).device).toBe('mobile');
  });

  it('that the person refuses leaves the phone with nothing', async () => {
    const service = await openTestService();
    const { sessionId, open } = await desktop(service);
    const { flow_token: phone } = await open();
    expect((await answerHandoff(service.deps, sessionId, phone, false)).handoff).toBeNull();
    expect(await refusalOf(authoriseFlow(service.deps, sessionId, phone))).toBe('invalid_flow_token');
  });

  it('offered again voids the earlier code and the phone that came with it', async () => {
    const service = await openTestService();
    const { sessionId, token, open } = await desktop(service);
    const { flow_token: phone } = await open();
    await answerHandoff(service.deps, sessionId, phone, true);
    await offerHandoff(service.deps, await authoriseFlow(service.deps, sessionId, token));
    expect(await refusalOf(authoriseFlow(service.deps, sessionId, phone))).toBe('invalid_flow_token');
    expect((await readSnapshot(service.deps, sessionId)).handoff?.state).toBe('offered');
  });

  it('whose reply was lost is given again to the same phone, and to no other', async () => {
    const service = await openTestService();
    const { sessionId, code } = await desktop(service);
    const request = {
      session_id: sessionId,
      code,
      device: 'mobile',
      resume_key: 'a-long-random-key-1',
    } as const;
    const first = await openHandoff(service.deps, request);
    const again = await openHandoff(service.deps, request);
    const stranger = { ...request, resume_key: 'a-long-random-key-2' };
    expect(await refusalOf(openHandoff(service.deps, stranger))).toBe('handoff_used');
    expect(await refusalOf(answerHandoff(service.deps, sessionId, first.flow_token, true))).toBe(
      'invalid_flow_token',
    );
    await answerHandoff(service.deps, sessionId, again.flow_token, true);
    expect(await refusalOf(openHandoff(service.deps, request))).toBe('handoff_used');
  });

  it('of another session, or with a made-up code, reads as nonexistent', async () => {
    const service = await openTestService();
    const [one, two] = [await desktop(service), await desktop(service)];
    const foreign = { session_id: one.sessionId, code: two.code, device: 'mobile' } as const;
    expect(await refusalOf(openHandoff(service.deps, foreign))).toBe('not found');
    expect(await refusalOf(openHandoff(service.deps, { ...foreign, session_id: 'vs_x' }))).toBe('not found');
  });

  it('does not let another device open the session itself', async () => {
    const service = await openTestService();
    const { sessionId } = await desktop(service);
    expect(await refusalOf(openSession(service.deps, sessionId, { device: 'mobile' }, null))).toBe(
      'session_claimed',
    );
  });
});

describe('a first reply that was lost', () => {
  it('is given again to the device that repeats its key, and to no other', async () => {
    const service = await openTestService();
    const { deps } = service;
    const { session_id: id } = await initialize(deps, await service.caller('sk_test'), {});
    const request = { device: 'mobile', resume_key: 'a-long-random-key-1' } as const;
    const first = await openSession(deps, id ?? '', request, null);
    const again = await openSession(deps, id ?? '', request, null);
    expect(again.flow_token).not.toBe(first.flow_token);
    expect(await refusalOf(authoriseFlow(deps, id ?? '', first.flow_token))).toBe('invalid_flow_token');
    const other = { ...request, resume_key: 'a-long-random-key-2' };
    expect(await refusalOf(openSession(deps, id ?? '', other, null))).toBe('session_claimed');
    expect((await findSession(deps.db, id ?? ''))?.device).toBe('mobile');
  });
});
