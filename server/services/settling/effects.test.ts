/** The effects of a settlement on a real database: findings, reviews, bindings, audit (decisions §5, rules 6 to 9). */
import { describe, expect, it } from 'vitest';
import { verifyAudit } from '../../store/operators/audit.ts';
import { listPassesOf } from '../../store/passes/passes.ts';
import { findIdentityOwner, findPerson, findTestFace } from '../../store/people/people.ts';
import { listOpenCases } from '../../store/reviews/cases.ts';
import { findSession } from '../../store/runs/sessions.ts';
import { countSettledOn } from '../../store/usage/usage.ts';
import { NO_SKIP, passOf, run, startRun } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { decline, giveConsent } from '../runs/flow.ts';
import { initialize } from '../runs/initialize.ts';
import { confirmCode, requestCode } from '../runs/phone-step.ts';
import { captureTestFace } from '../capture/test-capture.ts';

const metered = ({ deps, scope }: TestService) => countSettledOn(deps.db, scope('test'), '2030-05-15');

describe('rule 2: a skip after a check', () => {
  it('binds the credential that the run brought, so that nobody else can bring it', async () => {
    const service = await openTestService();
    const email = 'alice@example.com';
    const first = await run(service, 'alice');
    const again = await run(service, 'alice', { email });
    expect((await passOf(service, again)).id).toBe((await passOf(service, first)).id);
    const started = initialize(service.deps, await service.caller('sk_test'), { email });
    expect(await refusalOf(started)).toBe('identity_already_claimed');
  });

  it('before a capture binds nothing: no face has shown that the second credential is theirs', async () => {
    const service = await openTestService();
    const [email, phone] = ['alice@example.com', '+12105550123'];
    await run(service, 'alice', { email, external_id: 'a' });
    const config = { phone: { required: true } };
    const session = await startRun(service, { email, external_id: 'a', config });
    await requestCode(service.deps, session, phone);
    expect((await confirmCode(service.deps, session, '550123')).state).toBe('settled');
    expect(
      await findIdentityOwner(service.deps.db, session.scope, { provider: 'phone', identifier: phone }),
    ).toBeUndefined();
  });
});

describe('rule 6 and 7: findings', () => {
  it('the same person passes once per group', async () => {
    const service = await openTestService();
    expect((await run(service, 'alice', { group: 'g', external_id: 'a' })).result?.verified).toBe(true);
    expect((await run(service, 'alice', { group: 'h' })).result?.verified).toBe(true);
    const again = await passOf(service, await run(service, 'alice', { group: 'h', ...NO_SKIP }));
    expect(again).toMatchObject({ status: 'denied', reasons: ['collision'], group: 'h', groups: ['h'] });
  });

  it('include_groups: included groups are read, never written', async () => {
    const service = await openTestService();
    await run(service, 'alice', { group: 'h' });
    const body = { group: 'g', include_groups: ['h', 'h', 'g'] };
    const hit = await passOf(service, await run(service, 'alice', body));
    expect(hit).toMatchObject({ status: 'denied', reasons: ['collision'], group: 'g', groups: ['h'] });
    expect((await run(service, 'bob', body)).result?.verified).toBe(true);
    expect((await run(service, 'bob', { group: 'h' })).result?.verified).toBe(true);
  });

  it('flag: approved with reasons, shown as flagged, and metered', async () => {
    const service = await openTestService();
    const config = { collision: { action: 'flag' }, skip: { window_hours: 0 } };
    await run(service, 'alice', { config });
    const second = await run(service, 'alice', { config });
    expect(second.result).toMatchObject({ verified: true, presented: 'flagged', vyc: 1 });
    expect((await passOf(service, second)).reasons).toEqual(['collision_company']);
    expect(await metered(service)).toBe(2);
  });

  it('review: the run waits, a case opens, there is no confirmation yet, and it is metered', async () => {
    const service = await openTestService();
    const config = { collision: { action: 'review' }, skip: { window_hours: 0 } };
    await run(service, 'alice', { config });
    const waiting = await run(service, 'alice', { config });
    expect(waiting).toMatchObject({ state: 'in_review', result: { verified: false, presented: 'pending' } });
    await expect(passOf(service, waiting)).rejects.toThrow('no pass');
    expect(await listOpenCases(service.deps.db, service.company.company_id)).toMatchObject([
      { sessionId: waiting.session_id, reasons: ['collision_company'], enrolment: { name: 'alice' } },
    ]);
    expect(await metered(service)).toBe(2);
  });

  it('near:alice is a near match of alice, both ways: only a review uses it', async () => {
    const service = await openTestService();
    const config = { collision: { action: 'review' } };
    await run(service, 'alice');
    expect((await run(service, 'near:alice', { config })).state).toBe('in_review');
    expect((await run(service, 'near:alice')).result?.verified).toBe(true);
    await run(service, 'near:bob');
    expect((await run(service, 'bob', { config })).state).toBe('in_review');
  });
});

describe('rule 9: the effects of an approval', () => {
  it('binds identity, external_id and metadata to one new person', async () => {
    const service = await openTestService();
    const { deps } = service;
    const scope = service.scope('test');
    await run(service, 'alice', {
      email: 'Alice@example.com',
      external_id: 'acct',
      metadata: { team: 'red', rank: 1 },
    });
    const id = (await findTestFace(deps.db, scope, 'alice'))!;
    expect(await findPerson(deps.db, scope, id)).toMatchObject({
      externalIds: ['acct'],
      identities: [{ provider: 'email', identifier: 'alice@example.com' }],
      metadata: { team: 'red', rank: 1 },
    });
    expect(await listPassesOf(deps.db, scope, id)).toMatchObject([
      { externalId: 'acct', identity: { provider: 'email', identifier: 'alice@example.com' } },
    ]);
  });

  it('newer metadata replaces fields of the same name and keeps the others', async () => {
    const service = await openTestService();
    await run(service, 'alice', { external_id: 'acct', metadata: { team: 'red', rank: 1 } });
    await run(service, 'alice', { external_id: 'acct', metadata: { team: 'blue' } });
    const id = (await findTestFace(service.deps.db, service.scope('test'), 'alice'))!;
    expect((await findPerson(service.deps.db, service.scope('test'), id))?.metadata).toEqual({
      team: 'blue',
      rank: 1,
    });
  });

  it('a denial binds nothing', async () => {
    const service = await openTestService();
    const { deps } = service;
    const session = await startRun(service, { email: 'alice@example.com' });
    for (let n = 0; n < 3; n++) await captureTestFace(deps, session, 'spoof');
    const mail = { provider: 'email', identifier: 'alice@example.com' } as const;
    expect(await findIdentityOwner(deps.db, service.scope('test'), mail)).toBeUndefined();
    expect(await findTestFace(deps.db, service.scope('test'), 'spoof')).toBeUndefined();
  });

  it('every verdict is in the audit log, which verifies and does not name the person', async () => {
    const service = await openTestService();
    await run(service, 'alice', {
      email: 'alice@example.com',
      external_id: 'acct',
      metadata: { a: 'secret' },
    });
    await run(service, 'alice');
    await decline(service.deps, await startRun(service));
    const rows = await service.deps.db.all<{ action: string; details: string }>(
      "SELECT action, details FROM audit_entries WHERE action LIKE 'run.%' ORDER BY seq",
    );
    expect(rows.map(({ action }) => action)).toEqual(['run.settle', 'run.skip', 'run.settle']);
    expect(JSON.stringify(rows)).not.toMatch(/alice|acct|secret/);
    expect(await verifyAudit(service.deps.db)).toMatchObject({ brokenAt: null });
  });
});

describe('test faces exist only in the test partition', () => {
  it('a live session is refused', async () => {
    const service = await openTestService();
    const { deps } = service;
    const { session_id: id } = await initialize(deps, await service.caller('pk_live'), {});
    const live = (await findSession(deps.db, id ?? ''))!;
    await giveConsent(deps, live, { accepted: true });
    const consented = (await findSession(deps.db, live.id))!;
    expect(await refusalOf(captureTestFace(deps, consented, 'alice'))).toBe('test_partition_only');
  });
});
