/** Contract, initialize rule 5: durable links, claimable until redeemed or revoked. */
import { describe, expect, it } from 'vitest';
import { NOW } from '../../../testing/store/rows.ts';
import { sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { authoriseFlow, giveConsent } from './flow.ts';
import { confirmNumber, offerHandoff, openHandoff } from './handoff.ts';
import { ValidationError } from '../../refusals/refusal.ts';
import { initialize } from './initialize.ts';
import { listCompanyInvites, openInvite, revokeCompanyInvite } from './invites.ts';
import { captureTestFace } from '../capture/test-capture.ts';

const YEAR_MS = 365 * 24 * 3_600_000;
const EMAIL = 'alice@example.com';

async function invite(service: TestService, more: object = {}) {
  const body = { expire_in_days: 1, email: EMAIL, ...more };
  const { url, invite_id: inviteId } = await initialize(service.deps, await service.caller('sk_test'), body);
  return { code: url.split('/').at(-1) ?? '', inviteId: inviteId ?? '' };
}

const open = ({ deps }: TestService, code: string, flowToken: string | null = null) =>
  openInvite(deps, code, { device: 'mobile', flowToken, address: '198.51.100.1' });

async function pass(service: TestService, sessionId: string): Promise<void> {
  await giveConsent(service.deps, await sessionOf(service, sessionId), { accepted: true });
  await captureTestFace(service.deps, await sessionOf(service, sessionId), 'alice');
}

const revoke = ({ deps, clock, company }: TestService, inviteId: string, companyId = company.company_id) =>
  revokeCompanyInvite(deps.db, clock, { companyId, inviteId, reason: 'left', actor: 'cli' });

describe('an invite', () => {
  it('can be claimed whatever number of days was sent', async () => {
    const service = await openTestService();
    const { code } = await invite(service);
    service.clock.set(NOW + YEAR_MS);
    expect((await open(service, code)).snapshot.state).toBe('open');
  });

  it('resumes where the person stopped, on the same device and on another', async () => {
    const service = await openTestService();
    const { code } = await invite(service);
    const first = await open(service, code);
    await giveConsent(service.deps, await sessionOf(service, first.snapshot.session_id), { accepted: true });
    const same = await open(service, code, first.flow_token);
    expect(same).toMatchObject({
      flow_token: first.flow_token,
      snapshot: { session_id: first.snapshot.session_id, step: 'capture' },
    });
    const another = await open(service, code);
    expect(another.snapshot.session_id).toBe(first.snapshot.session_id);
    expect(another.flow_token).not.toBe(first.flow_token);
  });

  it('belongs to the device that opened it last: a phone of the previous one can no longer act', async () => {
    const service = await openTestService();
    const { deps } = service;
    const { code } = await invite(service);
    const first = await open(service, code);
    const sessionId = first.snapshot.session_id;
    const offer = await offerHandoff(deps, await authoriseFlow(deps, sessionId, first.flow_token));
    const phone = await openHandoff(deps, {
      session_id: sessionId,
      code: offer.url.split('#h=')[1] ?? '',
      device: 'mobile',
    });
    await confirmNumber(deps, sessionId, phone.flow_token, offer.match_code);
    const another = await open(service, code);
    expect(await refusalOf(authoriseFlow(deps, sessionId, phone.flow_token))).toBe('invalid_flow_token');
    expect(another.snapshot.handoff).toBeNull();
  });

  it('creates another session when the current one has expired', async () => {
    const service = await openTestService();
    const { code } = await invite(service);
    const first = await open(service, code);
    service.clock.advance(24 * 3_600_000);
    const second = await open(service, code);
    expect(second.snapshot.session_id).not.toBe(first.snapshot.session_id);
    expect(second.snapshot.state).toBe('open');
  });

  it('is redeemed once', async () => {
    const service = await openTestService();
    const { code } = await invite(service);
    await pass(service, (await open(service, code)).snapshot.session_id);
    expect(await refusalOf(open(service, code))).toBe('invite_redeemed');
  });

  it('never auto-returns', async () => {
    const service = await openTestService();
    const { code } = await invite(service, {
      auto_return: true,
      config: { returning: { auto_return: true } },
    });
    expect((await open(service, code)).snapshot.auto_return).toBe(false);
  });

  it('carries the identity that it was created for', async () => {
    const service = await openTestService();
    const { code } = await invite(service);
    const { request } = await sessionOf(service, (await open(service, code)).snapshot.session_id);
    expect(request.identity).toEqual({ provider: 'email', identifier: EMAIL });
  });

  it.each(['', 'x', 'a'.repeat(32)])('of an unknown code is not found: %j', async (code) => {
    expect(await refusalOf(open(await openTestService(), code))).toBe('not_found');
  });

  it('opened by two devices at the same time is one session', async () => {
    const service = await openTestService();
    const { code } = await invite(service);
    const opened = await Promise.all([open(service, code), open(service, code), open(service, code)]);
    expect(new Set(opened.map(({ snapshot }) => snapshot.session_id)).size).toBe(1);
  });
});

describe('revoking an invite', () => {
  it('ends the link and its current run', async () => {
    const service = await openTestService();
    const { code, inviteId } = await invite(service);
    const { snapshot } = await open(service, code);
    expect(await revoke(service, inviteId)).toBe(true);
    expect(await refusalOf(open(service, code))).toBe('invite_revoked');
    expect((await sessionOf(service, snapshot.session_id)).state).toBe('cancelled');
  });

  it('counts once, and only for the company itself', async () => {
    const service = await openTestService();
    const { inviteId } = await invite(service);
    expect(await revoke(service, inviteId, 'other')).toBe(false);
    expect(await revoke(service, inviteId)).toBe(true);
    expect(await revoke(service, inviteId)).toBe(false);
    expect(await listCompanyInvites(service.deps.db, service.company.company_id)).toMatchObject([
      { invite_id: inviteId, is_test: true, revoked_at: new Date(NOW).toISOString() },
    ]);
    expect(await listCompanyInvites(service.deps.db, 'other')).toEqual([]);
  });
});

it.each(['a\u0000b', 'a\u0001b', '\uf8ff'])(
  'an external ID such as %j fails on neither engine',
  async (externalId) => {
    const service = await openTestService();
    const made = initialize(service.deps, await service.caller('sk_test'), {
      expire_in_days: 1,
      email: 'a@example.com',
      external_id: externalId,
    });
    if (externalId.includes('\u0000')) await expect(made).rejects.toBeInstanceOf(ValidationError);
    else expect((await made).invite_id).not.toBeNull();
  },
);
