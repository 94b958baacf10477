/** v1 and v2 runs on a real database: how they settle, and the effects on the user (decisions §4 and §5). */
import { describe, expect, it } from 'vitest';
import { countRunsOfReference } from '../../store/connections/connect-sessions.ts';
import { findConnectUser } from '../../store/connections/connect-users.ts';
import { findIdentityOwner, findPerson, findTestFace } from '../../store/people/people.ts';
import { listOpenCases } from '../../store/reviews/cases.ts';
import { leaseCheck } from '../../store/runs/session-checks.ts';
import { countSettledOn } from '../../store/usage/usage.ts';
import {
  callerOf,
  demoCaller,
  listen,
  PHONE,
  runConnected,
  startConnected,
  reportedEvents,
} from '../../../testing/service/connect-runs.ts';
import { passOf, sessionOf, startRun } from '../../../testing/service/runs.ts';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { hasConnection } from '../connections/connections.ts';
import { registerUser } from '../v1-v2/register.ts';
import { verificationStatus } from '../v1-v2/status.ts';
import { expireOverdueRuns } from './expiry.ts';
import { decline, giveConsent } from './flow.ts';
import { openInvite, revokeCompanyInvite } from './invites.ts';
import { disconnect, eraseMe, openOwnPage, requestOwnCode } from './my-verifications.ts';
import { confirmCode, requestCode } from './phone-step.ts';
import { decideReview } from '../reviews/reviews.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { clearTestData } from '../people/test-data.ts';

const ADDRESS = '198.51.100.1';
const TODAY = '2030-05-15';
const DAY_MS = 24 * 3_600_000;
const OTHER_PHONE = '+999017654321';
const COMPLETED = 'USER_VERIFICATION_COMPLETED';
const DENIED = 'USER_VERIFICATION_DENIED';
const REVOKED = 'USER_VERIFICATION_REVOKED';
const UNFULFILLABLE = 'USER_VERIFICATION_DETERMINED_UNFULFILLABLE';

async function openListening(): Promise<TestService> {
  const service = await openTestService();
  await listen(service);
  return service;
}

async function userOf(service: TestService, reference: string, generation: 'v1' | 'v2' = 'v2') {
  const { scope, lineageId } = await demoCaller(service);
  const user = await findConnectUser(service.deps.db, scope, lineageId, generation, reference);
  if (!user) throw new Error(`Nobody is registered as ${reference}.`);
  return user;
}

const isComplete = async (service: TestService, reference: string): Promise<boolean> =>
  (await verificationStatus(service.deps, await demoCaller(service), { external_id: reference }))
    .verification_complete;

/** The person verifies the number on their own page and acts on their only connection. */
async function onOwnPage({ deps }: TestService, act: typeof disconnect | typeof eraseMe): Promise<void> {
  await requestOwnCode(deps, { phone: PHONE }, ADDRESS);
  const { my_token: token, connections } = await openOwnPage(deps, { phone: PHONE, code: PHONE.slice(-6) });
  await act(deps, token, { connection_id: connections[0]?.connection_id ?? '' });
}

const decide = async (service: TestService, decision: 'same_person' | 'different_people') => {
  const { deps, company, clock } = service;
  const [open] = await listOpenCases(deps.db, company.company_id);
  const where = { companyId: company.company_id, caseId: open?.id ?? '' };
  await decideReview(deps.db, clock, where, { decision, reason: 'seen', actor: 'operator:1' });
};

describe('an approved run', () => {
  it('connects the user, and tells the integration once', async () => {
    const service = await openListening();
    const ended = await runConnected(service, 'alice', { external_id: 'user-1', region: 'spring' });
    expect(ended.result).toMatchObject({ verified: true, presented: 'approved' });
    const user = await userOf(service, 'user-1');
    const alice = await findTestFace(service.deps.db, service.scope('test'), 'alice');
    expect(user).toMatchObject({ connection: 'connected', personId: alice });
    expect(user.passId).toBe((await passOf(service, ended)).id);
    expect(await isComplete(service, 'user-1')).toBe(true);
    expect(await reportedEvents(service)).toEqual([[COMPLETED, 'user-1']]);
  });

  it('binds the number to the person, and the external id to nobody', async () => {
    const service = await openTestService();
    await runConnected(service, 'alice', { external_id: 'user-1' });
    const scope = service.scope('test');
    const owner = await findIdentityOwner(service.deps.db, scope, { provider: 'phone', identifier: PHONE });
    expect(await findPerson(service.deps.db, scope, owner ?? '')).toMatchObject({ externalIds: [] });
  });

  it('queues nothing without a configured webhook', async () => {
    const service = await openTestService();
    await runConnected(service, 'alice', { external_id: 'user-1' });
    expect(await reportedEvents(service)).toEqual([]);
  });
});

describe('contract, v2 rule 4: regions', () => {
  it('with a verified number joins another region without a capture, unmetered, and the audit log says so', async () => {
    const service = await openListening();
    const { deps, scope } = service;
    await runConnected(service, 'alice', { external_id: 'user-1', region: 'spring' });
    service.clock.advance(DAY_MS);
    const joined = await startConnected(service, { external_id: 'user-2', region: 'autumn' });
    expect(joined).toMatchObject({ state: 'settled' });
    const pass = await deps.db.one<{ n: number }>('SELECT COUNT(*) AS n FROM passes');
    expect(pass?.n).toBe(2);
    expect(await countSettledOn(deps.db, scope('test'), TODAY)).toBe(1);
    expect(await countSettledOn(deps.db, scope('test'), '2030-05-16')).toBe(0);
    expect(await isComplete(service, 'user-2')).toBe(true);
    expect(await reportedEvents(service)).toEqual([
      [COMPLETED, 'user-1'],
      [COMPLETED, 'user-2'],
    ]);
    expect(
      await deps.db.all<{ action: string }>(`SELECT action FROM audit_entries WHERE action LIKE 'run.%'`),
    ).toMatchObject([{ action: 'run.settle' }, { action: 'run.join' }]);
  });

  it('of several accounts that join one region at the same time, one joins and the others are checked', async () => {
    const service = await openListening();
    const { deps } = service;
    await runConnected(service, 'alice', { external_id: 'user-1', region: 'spring' });
    service.clock.advance(DAY_MS);
    const all = await Promise.all(
      ['user-2', 'user-3', 'user-4', 'user-5'].map((external_id) =>
        startConnected(service, { external_id, region: 'autumn' }),
      ),
    );
    expect(all.map(({ state }) => state).toSorted()).toEqual(['open', 'open', 'open', 'settled']);
    const second = all.find(({ state }) => state === 'open');
    if (!second) throw new Error('All joined.');
    const checked = await captureTestFace(deps, second, 'alice');
    expect(checked).toMatchObject({ state: 'in_review', result: { presented: 'pending' } });
  });

  it('a second account in the region, even with another number, goes to a reviewer, who denies it', async () => {
    const service = await openListening();
    await runConnected(service, 'alice', { external_id: 'user-1', region: 'spring' });
    const second = await runConnected(
      service,
      'alice',
      { external_id: 'user-2', region: 'spring' },
      OTHER_PHONE,
    );
    expect(second).toMatchObject({ state: 'in_review' });
    expect((await userOf(service, 'user-2')).connection).toBe('none');
    expect(await reportedEvents(service)).toEqual([[COMPLETED, 'user-1']]);
    await decide(service, 'same_person');
    expect(await isComplete(service, 'user-2')).toBe(false);
    expect(await userOf(service, 'user-2')).toMatchObject({ connection: 'denied', personId: null });
    expect(await userOf(service, 'user-1')).toMatchObject({ connection: 'connected' });
    expect(await reportedEvents(service)).toEqual([
      [COMPLETED, 'user-1'],
      [DENIED, 'user-2'],
    ]);
  });

  it('a reviewer who tells two people apart completes the run', async () => {
    const service = await openListening();
    await runConnected(service, 'alice', { external_id: 'user-1' });
    await runConnected(service, 'near:alice', { external_id: 'user-2' }, OTHER_PHONE);
    await decide(service, 'different_people');
    expect(hasConnection(await userOf(service, 'user-2'))).toBe(true);
    expect(await reportedEvents(service)).toEqual([
      [COMPLETED, 'user-1'],
      [COMPLETED, 'user-2'],
    ]);
  });
});

describe('rule 2: a skip', () => {
  it('connects and completes again, without a capture', async () => {
    const service = await openListening();
    await runConnected(service, 'alice', { external_id: 'user-1', region: 'spring' });
    const again = await startConnected(service, { external_id: 'user-1', region: 'spring' });
    expect(again).toMatchObject({ state: 'settled' });
    expect(await reportedEvents(service)).toEqual([
      [COMPLETED, 'user-1'],
      [COMPLETED, 'user-1'],
    ]);
  });
});

describe('a run that ends any other way is unfulfillable', () => {
  it.each([
    [
      'declined',
      async (service: TestService, id: string) => decline(service.deps, await sessionOf(service, id)),
    ],
    [
      'attempts used up',
      async (service: TestService, id: string) => {
        for (let n = 0; n < 3; n += 1)
          await captureTestFace(service.deps, await sessionOf(service, id), 'blurred');
      },
    ],
    [
      'expired',
      async (service: TestService) => {
        service.clock.advance(DAY_MS);
        await expireOverdueRuns(service.deps);
      },
    ],
  ])('%s', async (_title, end) => {
    const service = await openListening();
    const { id } = await startConnected(service, { external_id: 'user-1' });
    await end(service, id);
    expect(await reportedEvents(service)).toEqual([[UNFULFILLABLE, 'user-1']]);
    expect((await userOf(service, 'user-1')).connection).toBe('none');
    expect(await isComplete(service, 'user-1')).toBe(false);
  });

  it('leaves a connection that another run has made', async () => {
    const service = await openListening();
    await runConnected(service, 'alice', { external_id: 'user-1' });
    service.clock.advance(2 * DAY_MS);
    await decline(service.deps, await startConnected(service, { external_id: 'user-1' }));
    expect(hasConnection(await userOf(service, 'user-1'))).toBe(true);
  });
});

describe('expired runs', () => {
  it('are ended and announced once, however often they are polled', async () => {
    const service = await openListening();
    const session = await startConnected(service, { external_id: 'user-1' });
    service.clock.advance(DAY_MS - 1);
    expect(await expireOverdueRuns(service.deps)).toBe(0);
    service.clock.advance(1);
    const counts = await Promise.all([expireOverdueRuns(service.deps), expireOverdueRuns(service.deps)]);
    expect(counts.toSorted()).toEqual([0, 1]);
    expect(await expireOverdueRuns(service.deps)).toBe(0);
    expect(await sessionOf(service, session.id)).toMatchObject({ state: 'expired' });
    expect(await reportedEvents(service)).toEqual([[UNFULFILLABLE, 'user-1']]);
  });

  it('wait for their verdict while their frames are judged', async () => {
    const service = await openListening();
    const { id } = await startConnected(service, { external_id: 'user-1' });
    service.clock.advance(DAY_MS);
    const { scope } = await sessionOf(service, id);
    const at = service.clock.now();
    const lease = { nonceHash: Uint8Array.of(1), at, until: at + 1 };
    await service.deps.db.tx((tx) => leaseCheck(tx, scope, id, lease));
    expect(await expireOverdueRuns(service.deps)).toBe(0);
  });

  it('of v3 are not announced', async () => {
    const service = await openListening();
    await startRun(service);
    service.clock.advance(DAY_MS);
    expect(await expireOverdueRuns(service.deps)).toBe(0);
  });
});

describe('the person ends the connection', () => {
  it.each([
    ['by disconnecting', disconnect],
    ['by erasing their data', eraseMe],
  ])('%s: revoked, and no longer complete', async (_title, act) => {
    const service = await openListening();
    await runConnected(service, 'alice', { external_id: 'user-1', region: 'spring' });
    await startConnected(service, { external_id: 'user-2', region: 'autumn' });
    await onOwnPage(service, act);
    for (const reference of ['user-1', 'user-2']) {
      expect(hasConnection(await userOf(service, reference))).toBe(false);
      expect(await userOf(service, reference)).toMatchObject({ connection: 'revoked', personId: null });
      expect(await isComplete(service, reference)).toBe(false);
    }
    expect((await reportedEvents(service)).slice(2).toSorted()).toEqual([
      [REVOKED, 'user-1'],
      [REVOKED, 'user-2'],
    ]);
  });

  it('and may come back with another account', async () => {
    const service = await openListening();
    await runConnected(service, 'alice', { external_id: 'user-1', region: 'spring' });
    await onOwnPage(service, disconnect);
    const back = await runConnected(service, 'alice', { external_id: 'user-2', region: 'spring' });
    expect(back.result).toMatchObject({ presented: 'approved' });
  });

  it('erasure removes the number from the runs', async () => {
    const service = await openListening();
    await runConnected(service, 'alice', { external_id: 'user-1' });
    await onOwnPage(service, eraseMe);
    const rows = await service.deps.db.all('SELECT 1 FROM sessions WHERE proven_phone IS NOT NULL');
    expect(rows).toEqual([]);
    expect(await countRunsOfReference(service.deps.db, service.scope('test'), 'user-1')).toEqual({
      runs: 1,
      approved: 0,
    });
  });
});

describe('v1 invites', () => {
  const register = async (service: TestService, reference: string) => {
    const { invite_url } = await registerUser(service.deps, await demoCaller(service), {
      reference_user_id: reference,
      redirect_url: 'https://survey.example/done?wave=3',
    });
    return invite_url.slice(invite_url.lastIndexOf('/') + 1);
  };
  const open = async (service: TestService, code: string): Promise<string> =>
    (await openInvite(service.deps, code, { device: 'mobile', flowToken: null, address: null })).snapshot
      .session_id;

  it('lead to a run that returns to redirect_url with nothing appended', async () => {
    const service = await openListening();
    const { deps } = service;
    const id = await open(service, await register(service, 'user-1'));
    await giveConsent(deps, await sessionOf(service, id), { accepted: true });
    await requestCode(deps, await sessionOf(service, id), PHONE);
    await confirmCode(deps, await sessionOf(service, id), PHONE.slice(-6));
    const ended = await captureTestFace(deps, await sessionOf(service, id), 'alice');
    expect(ended.result?.return_url).toBe('https://survey.example/done?wave=3');
    expect(hasConnection(await userOf(service, 'user-1', 'v1'))).toBe(true);
    expect(await reportedEvents(service)).toEqual([[COMPLETED, 'user-1']]);
  });

  it('end with the run that was announced as unfulfillable', async () => {
    const service = await openListening();
    const code = await register(service, 'user-1');
    await open(service, code);
    service.clock.advance(DAY_MS);
    await expireOverdueRuns(service.deps);
    await expect(open(service, code)).rejects.toMatchObject({ code: 'session_expired' });
  });

  it('that an operator revokes are unfulfillable, once', async () => {
    const service = await openListening();
    const { deps, clock, company } = service;
    await register(service, 'user-1');
    const row = await deps.db.one<{ id: string }>('SELECT id FROM invites');
    const revoke = () =>
      revokeCompanyInvite(deps.db, clock, {
        companyId: company.company_id,
        inviteId: row?.id ?? '',
        reason: 'withdrawn',
        actor: 'cli',
      });
    expect(await revoke()).toBe(true);
    expect(await revoke()).toBe(false);
    expect(await reportedEvents(service)).toEqual([[UNFULFILLABLE, 'user-1']]);
  });
});

describe('clearing the test partition', () => {
  it('also removes the users of v1 and v2, and leaves those of the live one', async () => {
    const service = await openListening();
    const { deps, clock, company } = service;
    await runConnected(service, 'alice', { external_id: 'user-1' });
    const demo = await demoCaller(service);
    await registerUser(deps, demo, { reference_user_id: 'user-2' });
    const production = await callerOf(service, 'ak_live');
    await registerUser(deps, production, { reference_user_id: 'user-3' });
    const removed = await clearTestData(deps.db, clock, {
      companyId: company.company_id,
      before: null,
      actor: 'cli',
    });
    expect(removed).toMatchObject({ connect_users: 2, sessions: 1, invites: 1, people: 1 });
    const left = await deps.db.all<{ name: string }>('SELECT reference_user_id AS name FROM connect_users');
    expect(left.map(({ name }) => name)).toEqual(['user-3']);
    await expect(verificationStatus(deps, demo, { external_id: 'user-1' })).rejects.toMatchObject({
      code: 'DOES_NOT_EXIST',
    });
  });
});
