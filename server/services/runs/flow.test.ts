/** The two forms of a v2 link, and what the person returns with (contract, v2 rules 1 to 3; decisions §4.3 to §4.5). */
import { describe, expect, it } from 'vitest';
import {
  callerOf,
  createRun,
  demoCaller,
  PHONE,
  runConnected,
  startConnected,
} from '../../../testing/service/connect-runs.ts';
import { findLatestCode } from '../../store/phone/codes.ts';
import { sessionOf } from '../../../testing/service/runs.ts';
import { CONSENT_VERSIONS } from '../../contract/consent-texts.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { createVerification } from '../v1-v2/create.ts';
import { verificationStatus } from '../v1-v2/status.ts';
import { giveConsent, openSession, readSnapshot } from './flow.ts';
import { confirmCode, requestCode } from './phone-step.ts';
import { snapshotOf } from './sessions/session-view.ts';
import { captureTestFace, reviewTestRun } from '../capture/test-capture.ts';

const REAL_PHONE = '+493012345678';
const RESUME_KEY = 'a-key-of-sixteen-or-more';

async function directRun(service: TestService) {
  const { id, t = '' } = await createRun(service, { external_id: 'user-1', phone: PHONE });
  return {
    id,
    open: (key?: string, token: string | undefined = t) =>
      openSession(service.deps, id, openOf(key, token), null),
  };
}
const openOf = (key: string | undefined, t: string | undefined) => ({
  device: 'mobile' as const,
  ...(key === undefined ? {} : { resume_key: key }),
  ...(t === undefined ? {} : { t }),
});

describe('a direct link', () => {
  it('verifies its test number: the capture follows the consent', async () => {
    const service = await openTestService();
    const { id, open } = await directRun(service);
    const { snapshot } = await open();
    expect(snapshot).toMatchObject({ step: 'consent', phone: { locked: true, hint: '+99••••••••67' } });
    const consented = await giveConsent(service.deps, await sessionOf(service, id), { accepted: true });
    expect(consented.step).toBe('capture');
    expect((await sessionOf(service, id)).provenPhone).toBe(PHONE);
  });

  it('without its t asks for the code of the locked number', async () => {
    const service = await openTestService();
    const { id } = await directRun(service);
    await openSession(service.deps, id, { device: 'mobile' }, null);
    const consented = await giveConsent(service.deps, await sessionOf(service, id), { accepted: true });
    expect(consented).toMatchObject({ step: 'phone', phone: { locked: true } });
  });

  it('works until the first act; the device of that act may repeat the call if the reply was lost', async () => {
    const service = await openTestService();
    const { id, open } = await directRun(service);
    await open(RESUME_KEY);
    await giveConsent(service.deps, await sessionOf(service, id), { accepted: true });
    expect(await refusalOf(open(RESUME_KEY))).toBe('(not refused)');
    expect(await refusalOf(open('another-device-altogether'))).toBe('link_used');
    expect(await refusalOf(open())).toBe('link_used');
  });

  it('with a t of another run, or an unknown one, is not found, and uses nothing up', async () => {
    const service = await openTestService();
    const { open } = await directRun(service);
    const other = await createRun(service, { phone: '+999017654321' });
    expect(await refusalOf(open(undefined, other.t))).toBe('not_found');
    expect(await refusalOf(open(undefined, 'dt_nonsense'))).toBe('not_found');
    expect(await refusalOf(open())).toBe('(not refused)');
  });

  it('a t on a landing link is not found', async () => {
    const service = await openTestService();
    const { id } = await createRun(service, {});
    expect(await refusalOf(openSession(service.deps, id, { device: 'mobile', t: 'dt_x' }, null))).toBe(
      'not_found',
    );
  });

  it('with a real number locks it and still asks for the code', async () => {
    const service = await openTestService();
    const { deps } = service;
    const caller = await callerOf(service, 'ak_live');
    const { verification_url } = await createVerification(deps, caller, { phone: REAL_PHONE });
    const query = new URL(verification_url).searchParams;
    const id = query.get('session_id') ?? '';
    await openSession(deps, id, { device: 'mobile', t: query.get('t') ?? '' }, null);
    const consented = await giveConsent(deps, await sessionOf(service, id), { accepted: true });
    expect(consented).toMatchObject({ step: 'phone', phone: { locked: true, hint: '+49••••••••78' } });
    // Another number is not accepted instead.
    const { phone } = await requestCode(deps, await sessionOf(service, id), '+33639980123');
    // A duration, because the phone's clock may be wrong.
    expect([consented.phone?.resend_in_ms, phone?.resend_in_ms]).toEqual([0, 30_000]);
    service.clock.advance(12_000);
    const waiting = await snapshotOf(deps, await sessionOf(service, id));
    expect(waiting.phone?.resend_in_ms).toBe(18_000);
    const sent = await findLatestCode(deps.db, service.scope('live'), id);
    expect(sent?.number).toBe(REAL_PHONE);
    expect((await confirmCode(deps, await sessionOf(service, id), sent?.code ?? '')).step).toBe('capture');
  });
});

describe('contract, v2 rule 1: the person returns with vy_token and vy_status', () => {
  const redirect = 'https://app.example/back?step=2&vy_status=old';
  const returned = (url: string | null | undefined) => new URL(url ?? '').searchParams;

  it('approved: the token answers the status call, and stays the same', async () => {
    const service = await openTestService();
    const { result, session_id } = await runConnected(service, 'alice', { redirect, external_id: 'user-1' });
    const query = returned(result?.return_url);
    expect([...query.keys()]).toEqual(['step', 'vy_token', 'vy_status']);
    expect(query.get('vy_status')).toBe('approved');
    expect(query.get('vy_token')).toMatch(/^vt:[0-9a-f-]{36}$/);
    const again = await readSnapshot(service.deps, session_id);
    expect(again.result?.return_url).toBe(result?.return_url);
    expect(
      await verificationStatus(service.deps, await demoCaller(service), {
        token: query.get('vy_token') ?? '',
      }),
    ).toEqual({ verification_complete: true, external_id: 'user-1' });
  });

  it('denied, if the person could not be checked', async () => {
    const service = await openTestService();
    const { id } = await startConnected(service, { redirect });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await captureTestFace(service.deps, await sessionOf(service, id), 'spoof');
    }
    const { result } = await readSnapshot(service.deps, id);
    expect(returned(result?.return_url).get('vy_status')).toBe('denied');
  });

  it('pending during a review, then the decision', async () => {
    const service = await openTestService();
    await runConnected(service, 'alice', { redirect, external_id: 'user-1' });
    const { session_id, result } = await runConnected(
      service,
      'alice',
      { redirect, external_id: 'user-2' },
      '+999017654321',
    );
    expect(returned(result?.return_url).get('vy_status')).toBe('pending');
    const token = { token: returned(result?.return_url).get('vy_token') ?? '' };
    const caller = await demoCaller(service);
    const status = async () => (await verificationStatus(service.deps, caller, token)).verification_complete;
    expect(await status()).toBe(false);
    const decided = await reviewTestRun(service.deps, await sessionOf(service, session_id), 'approve');
    expect(returned(decided.result?.return_url).get('vy_status')).toBe('approved');
    expect(await status()).toBe(true);
  });

  it('and nothing of v3', async () => {
    const service = await openTestService();
    const { result } = await runConnected(service, 'alice', { redirect });
    expect(returned(result?.return_url).has('vyt')).toBe(false);
    expect(returned(result?.return_url).has('vyc')).toBe(false);
  });
});

describe('a consent to a replaced text', () => {
  it('is refused, so that the page shows the current one; a text of your own has no replacement', async () => {
    const service = await openTestService();
    const { id, open } = await directRun(service);
    await open();
    const agree = async (text_version: string) =>
      giveConsent(service.deps, await sessionOf(service, id), {
        accepted: true,
        text_version,
        language: 'fr',
      });
    expect(await refusalOf(agree('hosted-2026-11-22.2'))).toBe('consent_replaced');
    expect((await sessionOf(service, id)).consentAt).toBeNull();
    expect((await agree(CONSENT_VERSIONS.hosted)).step).toBe('capture');
    const own = await directRun(service);
    await own.open();
    const session = await sessionOf(service, own.id);
    const given = { accepted: true as const, text_version: 'our-own-text' };
    expect((await giveConsent(service.deps, session, given)).step).toBe('capture');
  });
});
