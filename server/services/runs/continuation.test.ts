/** Decisions §6, "In-app browsers": a one-time link moves the run to another browser of the same phone. */
import { describe, expect, it } from 'vitest';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { CONTINUATION_LIFETIME_MS, offerContinuation, openContinuation } from './continuation.ts';
import { authoriseFlow, decline, giveConsent, openSession } from './flow.ts';
import { confirmNumber, offerHandoff, openHandoff } from './handoff.ts';
import { initialize } from './initialize.ts';

const RESUME_KEY = '0123456789abcdef';

async function inApp(service: TestService) {
  const { deps } = service;
  const { session_id: id } = await initialize(deps, await service.caller('sk_live'), {});
  const sessionId = id ?? '';
  const { flow_token: token } = await openSession(
    deps,
    sessionId,
    { device: 'mobile', resume_key: `app-${RESUME_KEY}` },
    null,
  );
  return { sessionId, token, ...(await offeredBy(service, sessionId, token)) };
}

async function offeredBy({ deps }: TestService, sessionId: string, token: string) {
  const offer = await offerContinuation(deps, await authoriseFlow(deps, sessionId, token), token);
  const code = offer.url.split('#c=')[1] ?? '';
  const open = (resume_key?: string) =>
    openContinuation(deps, {
      session_id: sessionId,
      code,
      device: 'mobile',
      ...(resume_key !== undefined && { resume_key }),
    });
  return { offer, code, open };
}

describe('a continuation link', () => {
  it('gives the run with its progress to the browser that opens it', async () => {
    const service = await openTestService();
    const { sessionId, token, open } = await inApp(service);
    await giveConsent(service.deps, await authoriseFlow(service.deps, sessionId, token), { accepted: true });
    const { flow_token: next, snapshot } = await open();
    expect(snapshot).toMatchObject({ session_id: sessionId, state: 'open', step: 'capture' });
    expect((await authoriseFlow(service.deps, sessionId, next)).id).toBe(sessionId);
  });

  it('only the browser that holds the run can create it', async () => {
    const service = await openTestService();
    const { sessionId } = await inApp(service);
    expect(await refusalOf(authoriseFlow(service.deps, sessionId, null))).toBe('flow_token_required');
    expect(await refusalOf(authoriseFlow(service.deps, sessionId, 'ft_other'))).toBe('invalid_flow_token');
  });

  it('takes the run from the first browser, which is told', async () => {
    const service = await openTestService();
    const { sessionId, token, open } = await inApp(service);
    await open();
    expect(await refusalOf(authoriseFlow(service.deps, sessionId, token))).toBe('session_continued');
    const again = openSession(service.deps, sessionId, { device: 'mobile' }, token);
    expect(await refusalOf(again)).toBe('session_continued');
  });

  it('makes the first browser’s resume key useless', async () => {
    const service = await openTestService();
    const { sessionId, open } = await inApp(service);
    const { flow_token: next } = await open();
    await giveConsent(service.deps, await authoriseFlow(service.deps, sessionId, next), { accepted: true });
    const request = { device: 'mobile', resume_key: `app-${RESUME_KEY}` } as const;
    expect(await refusalOf(openSession(service.deps, sessionId, request, null))).toBe('session_claimed');
  });

  it('works once, even if several browsers open it at the same time', async () => {
    const service = await openTestService();
    const { open } = await inApp(service);
    const answers = await Promise.all(
      [1, 2, 3, 4].map((browser) => refusalOf(open(`${RESUME_KEY}${browser}`))),
    );
    expect(answers.filter((answer) => answer === 'continuation_used')).toHaveLength(3);
    expect(await refusalOf(open())).toBe('continuation_used');
  });

  it('with a lost reply is given again to the same browser', async () => {
    const service = await openTestService();
    const { sessionId, open } = await inApp(service);
    await open(RESUME_KEY);
    const { flow_token: again } = await open(RESUME_KEY);
    expect((await authoriseFlow(service.deps, sessionId, again)).id).toBe(sessionId);
  });

  it('is valid for ten minutes', async () => {
    const service = await openTestService();
    const { open } = await inApp(service);
    service.clock.advance(CONTINUATION_LIFETIME_MS);
    expect(await refusalOf(open())).toBe('continuation_expired');
  });

  it('invalidates the previous one', async () => {
    const service = await openTestService();
    const { sessionId, token, open } = await inApp(service);
    const renewed = await offeredBy(service, sessionId, token);
    expect(await refusalOf(open())).toBe('not_found');
    expect(await refusalOf(renewed.open())).toBe('(not refused)');
  });

  it('of another session opens nothing', async () => {
    const service = await openTestService();
    const [one, other] = [await inApp(service), await inApp(service)];
    const request = { session_id: other.sessionId, code: one.code, device: 'mobile' } as const;
    expect(await refusalOf(openContinuation(service.deps, request))).toBe('not_found');
  });

  it('of a run that has ended opens nothing', async () => {
    const service = await openTestService();
    const { sessionId, token, open } = await inApp(service);
    await decline(service.deps, await authoriseFlow(service.deps, sessionId, token));
    expect(await refusalOf(open())).toBe('session_settled');
  });

  it('has its code in the fragment, which no server sees', async () => {
    const { offer, code } = await inApp(await openTestService());
    expect(new URL(offer.url).search).not.toContain(code);
    expect(code.length).toBeGreaterThanOrEqual(22);
  });

  it('moves a run that a computer handed over, and the computer still follows it', async () => {
    const service = await openTestService();
    const { deps } = service;
    const { sessionId, token: computer } = await inApp(service);
    const handoff = await offerHandoff(deps, await authoriseFlow(deps, sessionId, computer));
    const code = handoff.url.split('#h=')[1] ?? '';
    const { flow_token: phone } = await openHandoff(deps, { session_id: sessionId, code, device: 'mobile' });
    await confirmNumber(deps, sessionId, phone, handoff.match_code);
    const { open } = await offeredBy(service, sessionId, phone);
    const { flow_token: next } = await open();
    expect(await refusalOf(authoriseFlow(deps, sessionId, phone))).toBe('session_continued');
    for (const holder of [computer, next]) {
      expect((await authoriseFlow(deps, sessionId, holder)).id).toBe(sessionId);
    }
  });
});
