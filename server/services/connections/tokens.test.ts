import { describe, expect, test } from 'vitest';
import { findSession, type Session } from '../../store/runs/sessions.ts';
import { recordConsent } from '../../store/runs/session-holders.ts';
import { pass } from '../../../testing/store/rows.ts';
import { demoCaller } from '../../../testing/service/connect-runs.ts';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { createVerification } from '../v1-v2/create.ts';
import { checkDirectToken } from './signer.ts';
import { issueStatusToken, STATUS_TOKEN_LIFETIME_MS, statusTokenOf, vyStatusOf } from './status-token.ts';
import { verificationStatus } from '../v1-v2/status.ts';
import { Refusal } from '../../refusals/refusal.ts';

async function created(service: TestService, body: Parameters<typeof createVerification>[2] = {}) {
  const { verification_url, external_id } = await createVerification(
    service.deps,
    await demoCaller(service),
    body,
  );
  const { searchParams } = new URL(verification_url);
  const session = await read(service, searchParams.get('session_id') ?? '');
  return { session, t: searchParams.get('t') ?? '', externalId: external_id };
}

async function read({ deps }: TestService, id: string): Promise<Session> {
  const session = await findSession(deps.db, id);
  if (!session) throw new Error('There is no such session.');
  return session;
}

const failureOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '(no failure)',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );

describe('decisions §4.4: the t of a direct link', () => {
  test('is accepted until the person’s first act, then used; another session’s, or one for a session without, is invalid', async () => {
    const service = await openTestService();
    const own = await created(service, { phone: '+99901123456789' });
    const other = await created(service, { phone: '+99901123456789' });
    const plain = await created(service);
    const check = (session: Session, token: string) => checkDirectToken(service.deps, session, token);
    expect(check(own.session, other.t)).toBe('invalid');
    expect(check(plain.session, own.t)).toBe('invalid');
    expect(check(own.session, own.t)).toBe('accepted');
    await service.deps.db.tx((tx) =>
      recordConsent(tx, own.session.scope, own.session.id, { at: 1, version: '1', language: 'en' }),
    );
    const acted = await read(service, own.session.id);
    expect(acted.directTokenUsedAt).toBe(1);
    expect(check(acted, own.t)).toBe('used');
  });
});

describe('contract, v2: the token "expires 15 minutes after issue"', () => {
  test('counted from the end of the run, however often it is requested', async () => {
    const service = await openTestService();
    const { deps, clock } = service;
    const { session, externalId } = await created(service);
    const caller = await demoCaller(service);
    const token = statusTokenOf(deps, session);
    const issue = () => deps.db.tx((tx) => issueStatusToken(deps, tx, session, clock.now()));
    // Not issued yet, so nobody can know it.
    expect(await failureOf(verificationStatus(deps, caller, { token }))).toBe('DOES_NOT_EXIST');
    await issue();
    clock.advance(STATUS_TOKEN_LIFETIME_MS - 1);
    expect(statusTokenOf(deps, await read(service, session.id))).toBe(token);
    // A second transaction that read the session earlier does not restart it either.
    await issue();
    expect(await verificationStatus(deps, caller, { token })).toEqual({
      verification_complete: false,
      external_id: externalId,
    });
    clock.advance(1);
    expect(await failureOf(verificationStatus(deps, caller, { token }))).toBe('EXPIRED');
  });
});

describe('decisions §4.3: vy_status', () => {
  test('pending during a review, approved only for a valid pass', () => {
    const settled = { state: 'settled' } as const;
    expect(vyStatusOf({ state: 'in_review' }, undefined)).toBe('pending');
    expect(vyStatusOf(settled, pass('v', 'p'))).toBe('approved');
    expect(vyStatusOf(settled, pass('v', 'p', { reasons: ['collision'] }))).toBe('approved');
    expect(vyStatusOf(settled, pass('v', 'p', { status: 'denied', reasons: ['declined'] }))).toBe('denied');
    expect(vyStatusOf(settled, pass('v', 'p', { revokedAt: 1 }))).toBe('denied');
    expect(vyStatusOf(settled, undefined)).toBe('denied');
  });
});
