/** Decisions §6, "Desktop": one-time, device-bound codes, and a number that the person types on the phone. */
import { describe, expect, it } from 'vitest';
import { findSession } from '../../store/runs/sessions.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { authoriseFlow, giveConsent, openSession, readSnapshot } from './flow.ts';
import { confirmNumber, HANDOFF_LIFETIME_MS, offerHandoff, openHandoff } from './handoff.ts';
import { initialize } from './initialize.ts';
import { captureTestFace } from '../capture/test-capture.ts';

async function desktop(service: TestService) {
  const { deps } = service;
  const { session_id: id } = await initialize(deps, await service.caller('sk_test'), {});
  const sessionId = id ?? '';
  const { flow_token: token } = await openSession(deps, sessionId, { device: 'desktop' }, null);
  const offer = await offerHandoff(deps, await authoriseFlow(deps, sessionId, token));
  const code = offer.url.split('#h=')[1] ?? '';
  const open = () => openHandoff(deps, { session_id: sessionId, code, device: 'mobile' });
  const confirm = (phone: string, number: string) => confirmNumber(deps, sessionId, phone, number);
  return { sessionId, token, offer, code, open, confirm };
}

/** Numbers other than the desktop's. */
const wrongNumbers = (right: string, count: number): string[] =>
  Array.from({ length: 90 }, (_, index) => String(10 + index))
    .filter((number) => number !== right)
    .slice(0, count);

describe('a handoff', () => {
  it('shows two digits on the desktop and never reveals them to the phone', async () => {
    const { offer, open } = await desktop(await openTestService());
    expect(offer.match_code).toMatch(/^[1-9]\d$/);
    expect(await open()).toEqual({
      flow_token: expect.stringMatching(/^ft_/) as unknown,
      branding: { organiser: 'Venue', logo_url: null },
      is_test: true,
      tries_left: 3,
    });
  });

  it('has its code in the fragment, which no server sees', async () => {
    const { offer, code } = await desktop(await openTestService());
    expect(new URL(offer.url).search).not.toContain(code);
    expect(code.length).toBeGreaterThanOrEqual(22);
  });

  it('code works once: a third device with a photo of it is refused', async () => {
    const { open } = await desktop(await openTestService());
    const answers = await Promise.all([1, 2, 3].map(() => refusalOf(open())));
    expect(answers.filter((answer) => answer === 'handoff_used')).toHaveLength(2);
  });

  it('code is valid for five minutes', async () => {
    const service = await openTestService();
    const { open } = await desktop(service);
    service.clock.advance(HANDOFF_LIFETIME_MS);
    expect(await refusalOf(open())).toBe('handoff_expired');
  });

  it('waits until the person has typed the number', async () => {
    const service = await openTestService();
    const { sessionId, offer, open, confirm } = await desktop(service);
    const { flow_token: phone } = await open();
    expect(await refusalOf(authoriseFlow(service.deps, sessionId, phone))).toBe('handoff_unconfirmed');
    expect((await readSnapshot(service.deps, sessionId)).handoff?.match_code).toBe(offer.match_code);
    const snapshot = await confirm(phone, offer.match_code);
    expect(snapshot.handoff).toMatchObject({ state: 'confirmed', match_code: null });
    expect((await authoriseFlow(service.deps, sessionId, phone)).device).toBe('mobile');
  });

  it('reveals nothing to an unconfirmed phone, not even by opening, nor after the run has settled', async () => {
    const service = await openTestService();
    const { deps } = service;
    const { sessionId, token, offer, open, confirm } = await desktop(service);
    const { flow_token: phone } = await open();
    const asPhone = () => refusalOf(openSession(deps, sessionId, { device: 'mobile' }, phone));
    expect(await asPhone()).toBe('handoff_unconfirmed');
    await giveConsent(deps, await authoriseFlow(deps, sessionId, token), { accepted: true });
    const done = await captureTestFace(deps, await authoriseFlow(deps, sessionId, token), 'alice');
    expect(done.state).toBe('settled');
    expect(await asPhone()).toBe('handoff_unconfirmed');
    expect(await refusalOf(authoriseFlow(deps, sessionId, phone))).toBe('handoff_unconfirmed');
    const [wrong = ''] = wrongNumbers(offer.match_code, 1);
    expect(await refusalOf(confirm(phone, wrong))).toBe('wrong_number');
    // Only the right number reveals that the run is over, and returns no result.
    expect(await refusalOf(confirm(phone, offer.match_code))).toBe('session_settled');
    expect(await refusalOf(authoriseFlow(deps, sessionId, phone))).toBe('handoff_unconfirmed');
  });

  it('ends after the third wrong number, for the phone and its code', async () => {
    const service = await openTestService();
    const { sessionId, offer, open, confirm } = await desktop(service);
    const { flow_token: phone } = await open();
    const [first = '', second = '', third = ''] = wrongNumbers(offer.match_code, 3);
    await expect(confirm(phone, first)).rejects.toMatchObject({ facts: { extra: { tries_left: 2 } } });
    await expect(confirm(phone, second)).rejects.toMatchObject({ facts: { extra: { tries_left: 1 } } });
    expect(await refusalOf(confirm(phone, third))).toBe('handoff_ended');
    expect(await refusalOf(confirm(phone, offer.match_code))).toBe('invalid_flow_token');
    expect(await refusalOf(open())).toBe('handoff_used');
    expect((await readSnapshot(service.deps, sessionId)).handoff?.state).toBe('ended');
  });

  it('accepts three numbers at most, however many are sent at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { offer, open, confirm } = await desktop(await openTestService());
      const { flow_token: phone } = await open();
      const guesses = wrongNumbers(offer.match_code, 12);
      const answers = await Promise.all(guesses.map((number) => refusalOf(confirm(phone, number))));
      expect(answers.filter((answer) => answer === 'wrong_number')).toHaveLength(2);
      expect(answers.filter((answer) => answer === 'handoff_ended').length).toBeGreaterThan(0);
      expect(await refusalOf(confirm(phone, offer.match_code))).toBe('invalid_flow_token');
    }
  });

  it('confirmed twice, as after a lost reply, stays confirmed', async () => {
    const { offer, open, confirm } = await desktop(await openTestService());
    const { flow_token: phone } = await open();
    await confirm(phone, offer.match_code);
    expect((await confirm(phone, offer.match_code)).handoff?.state).toBe('confirmed');
  });

  it('that ended can be offered again, with three new tries', async () => {
    const service = await openTestService();
    const { sessionId, token, offer, open, confirm } = await desktop(service);
    const { flow_token: phone } = await open();
    for (const number of wrongNumbers(offer.match_code, 3)) await refusalOf(confirm(phone, number));
    const again = await offerHandoff(service.deps, await authoriseFlow(service.deps, sessionId, token));
    const code = again.url.split('#h=')[1] ?? '';
    const opened = await openHandoff(service.deps, { session_id: sessionId, code, device: 'mobile' });
    expect(opened.tries_left).toBe(3);
    expect((await confirm(opened.flow_token, again.match_code)).handoff?.state).toBe('confirmed');
  });

  it('offered again invalidates the earlier code and its phone', async () => {
    const service = await openTestService();
    const { sessionId, token, offer, open, confirm } = await desktop(service);
    const { flow_token: phone } = await open();
    await confirm(phone, offer.match_code);
    await offerHandoff(service.deps, await authoriseFlow(service.deps, sessionId, token));
    expect(await refusalOf(authoriseFlow(service.deps, sessionId, phone))).toBe('invalid_flow_token');
    expect((await readSnapshot(service.deps, sessionId)).handoff?.state).toBe('offered');
  });

  it('with a lost reply is given again to the same phone, and to no other', async () => {
    const service = await openTestService();
    const { sessionId, code, offer, confirm } = await desktop(service);
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
    expect(await refusalOf(confirm(first.flow_token, offer.match_code))).toBe('invalid_flow_token');
    await confirm(again.flow_token, offer.match_code);
    expect(await refusalOf(openHandoff(service.deps, request))).toBe('handoff_used');
  });

  it('of another session, or with an invented code, is not found', async () => {
    const service = await openTestService();
    const [one, two] = [await desktop(service), await desktop(service)];
    const foreign = { session_id: one.sessionId, code: two.code, device: 'mobile' } as const;
    expect(await refusalOf(openHandoff(service.deps, foreign))).toBe('not_found');
    expect(await refusalOf(openHandoff(service.deps, { ...foreign, session_id: 'vs_x' }))).toBe('not_found');
  });

  it('does not let another device open the session itself once the number was typed', async () => {
    const service = await openTestService();
    const { sessionId, offer, open, confirm } = await desktop(service);
    await confirm((await open()).flow_token, offer.match_code);
    expect(await refusalOf(openSession(service.deps, sessionId, { device: 'mobile' }, null))).toBe(
      'session_claimed',
    );
  });
});

describe('a lost first reply', () => {
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
    await giveConsent(deps, await authoriseFlow(deps, id ?? '', again.flow_token), { accepted: true });
    expect(await refusalOf(openSession(deps, id ?? '', other, null))).toBe('session_claimed');
    expect((await findSession(deps.db, id ?? ''))?.device).toBe('mobile');
  });
});
