/** Decisions §5, rule 8: a reviewer decides a waiting run. */
import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../contract/flow.ts';
import type { InitializeRequest } from '../../contract/v3.ts';
import { findPerson, findIdentityOwner } from '../../store/people/people.ts';
import { areDistinct, type Decision, findOpenCaseOf } from '../../store/reviews/cases.ts';
import { countSettledOn } from '../../store/usage/usage.ts';
import { NOW } from '../../../testing/store/rows.ts';
import { passOf, run, sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { readConfirmation } from '../passes/confirmations.ts';
import { decideOwnReview, decideReview, listReviews } from './reviews.ts';

const REVIEW = { config: { collision: { action: 'review' }, skip: { window_hours: 0 } } };
const MAIL = { provider: 'email', identifier: 'second@example.com' } as const;

/** Alice has passed; her second run, with another account, is waiting. */
async function waiting(service: TestService, body: InitializeRequest = {}): Promise<Snapshot> {
  await run(service, 'alice', { external_id: 'first', email: 'first@example.com', group: 'g' });
  return run(service, 'alice', { group: 'g', ...REVIEW, ...body });
}

async function caseOf({ deps, scope }: TestService, snapshot: Snapshot) {
  const found = await findOpenCaseOf(deps.db, scope('test'), snapshot.session_id);
  if (!found) throw new Error('There is no open case.');
  return found;
}

async function decide(service: TestService, snapshot: Snapshot, decision: Decision): Promise<void> {
  const { id: caseId } = await caseOf(service, snapshot);
  const where = { companyId: service.company.company_id, caseId };
  await decideReview(service.deps.db, service.clock, where, {
    decision,
    reason: 'looked',
    actor: 'operator:1',
  });
}

const read = async (service: TestService, { result }: Snapshot) =>
  readConfirmation(service.deps, await service.caller('sk_test'), result?.vyt ?? '');

describe('the decisions', () => {
  it('same person: denied, findings plus reviewer_denied', async () => {
    const service = await openTestService();
    const snapshot = await waiting(service);
    const { suspectIds } = await caseOf(service, snapshot);
    await decide(service, snapshot, 'same_person');
    expect(await read(service, snapshot)).toMatchObject({
      verified: false,
      status: 'denied',
      reasons: ['collision', 'reviewer_denied'],
      group: 'g',
      groups: ['g'],
    });
    expect((await passOf(service, snapshot)).personId).toBe(suspectIds[0]);
  });

  it('different people: approved, and the pair is remembered as distinct', async () => {
    const service = await openTestService();
    await run(service, 'alice');
    const snapshot = await run(service, 'near:alice', { email: MAIL.identifier, ...REVIEW });
    const { suspectIds } = await caseOf(service, snapshot);
    await decide(service, snapshot, 'different_people');
    expect(await read(service, snapshot)).toMatchObject({ verified: true, status: 'approved', reasons: [] });
    const { personId } = await passOf(service, snapshot);
    expect(suspectIds).not.toContain(personId);
    const scope = service.scope('test');
    expect(await areDistinct(service.deps.db, scope, [personId ?? '', suspectIds[0] ?? ''])).toBe(true);
    expect(await areDistinct(service.deps.db, scope, [suspectIds[0] ?? '', personId ?? ''])).toBe(true);
    expect(await findIdentityOwner(service.deps.db, scope, MAIL)).toBe(personId);
  });

  it('different people do not cause each other a review again', async () => {
    const service = await openTestService();
    await run(service, 'alice', { external_id: 'a' });
    const snapshot = await run(service, 'near:alice', { external_id: 'b', ...REVIEW });
    await decide(service, snapshot, 'different_people');
    expect((await run(service, 'near:alice', { external_id: 'b', ...REVIEW })).result?.verified).toBe(true);
    expect((await run(service, 'alice', { external_id: 'a', ...REVIEW })).result?.verified).toBe(true);
  });

  it('same person, allow: approved with reasons, bound to the person', async () => {
    const service = await openTestService();
    const snapshot = await waiting(service, { external_id: 'second', email: MAIL.identifier });
    await decide(service, snapshot, 'same_person_allow');
    expect(await read(service, snapshot)).toMatchObject({
      verified: true,
      status: 'approved',
      reasons: ['collision', 'duplicate_account'],
      groups: ['g'],
    });
    const { personId } = await passOf(service, snapshot);
    expect(await findPerson(service.deps.db, service.scope('test'), personId ?? '')).toMatchObject({
      externalIds: ['first', 'second'],
    });
  });

  it('same person counts as history from then on: linked_denial', async () => {
    const service = await openTestService();
    await decide(service, await waiting(service), 'same_person');
    const again = await run(service, 'alice', {
      group: 'g',
      external_id: 'first',
      config: { skip: { window_hours: 0 } },
    });
    expect((await passOf(service, again)).reasons).toEqual(['linked_denial']);
  });
});

describe('before and after the decision', () => {
  it('the token issued for the waiting run works for 30 minutes from the decision on', async () => {
    const service = await openTestService();
    const snapshot = await waiting(service);
    expect(await refusalOf(read(service, snapshot))).toBe('not_found');
    service.clock.advance(3 * 24 * 3_600_000);
    await decide(service, snapshot, 'same_person_allow');
    expect((await read(service, snapshot)).confirmed_at).toBe(
      new Date(NOW + 3 * 24 * 3_600_000).toISOString(),
    );
  });

  it('a case is decided once, even by two decisions at the same time', async () => {
    const service = await openTestService();
    const snapshot = await waiting(service);
    const { id: caseId } = await caseOf(service, snapshot);
    const where = { companyId: service.company.company_id, caseId };
    const both = await Promise.allSettled(
      (['same_person', 'same_person_allow'] as const).map((decision) =>
        decideReview(service.deps.db, service.clock, where, { decision, reason: 'r', actor: 'operator:1' }),
      ),
    );
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'case_decided' },
    });
    // Either may be first; the verdict is that of the accepted one.
    const winner = both[0]?.status === 'fulfilled' ? 'denied' : 'approved';
    expect((await read(service, snapshot)).status).toBe(winner);
  });

  it("another company's case is not found", async () => {
    const service = await openTestService();
    const { id: caseId } = await caseOf(service, await waiting(service));
    const decided = decideReview(
      service.deps.db,
      service.clock,
      { companyId: 'other', caseId },
      { decision: 'same_person', reason: 'r', actor: 'operator:1' },
    );
    expect(await refusalOf(decided)).toBe('not_found');
  });

  it('the decision meters nothing more', async () => {
    const service = await openTestService();
    const snapshot = await waiting(service);
    await decide(service, snapshot, 'same_person_allow');
    expect(await countSettledOn(service.deps.db, service.scope('test'), '2030-05-15')).toBe(2);
  });

  it('the list shows only open cases, oldest first', async () => {
    const service = await openTestService();
    const first = await waiting(service);
    service.clock.advance(1);
    await run(service, 'alice', { group: 'g', ...REVIEW });
    const companies = [service.company.company_id];
    expect(await listReviews(service.deps.db, companies)).toMatchObject([
      { opened_at: new Date(NOW).toISOString(), is_test: true, reasons: ['collision'], groups: ['g'] },
      { opened_at: new Date(NOW + 1).toISOString() },
    ]);
    await decide(service, first, 'same_person');
    expect(await listReviews(service.deps.db, companies)).toHaveLength(1);
  });

  it('§6: a test run decides its own case, and no run that is not waiting', async () => {
    const service = await openTestService();
    const snapshot = await waiting(service);
    const session = await sessionOf(service, snapshot.session_id);
    const decision = { decision: 'same_person_allow', reason: 'test', actor: 'system' } as const;
    await decideOwnReview(service.deps.db, service.clock, session, decision);
    expect((await read(service, snapshot)).verified).toBe(true);
    expect(await refusalOf(decideOwnReview(service.deps.db, service.clock, session, decision))).toBe(
      'wrong_step',
    );
  });
});
