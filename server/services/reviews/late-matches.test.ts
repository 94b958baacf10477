/** Decisions §5, rules 5 to 8: one person with several runs in review is not approved several times as somebody new. */
import { expect, test } from 'vitest';
import type { Snapshot } from '../../contract/flow.ts';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { insertOperator } from '../../store/operators/operators.ts';
import { findOpenCaseOf, findCase, type Decision } from '../../store/reviews/cases.ts';
import { insertTemplate } from '../../store/matching/templates.ts';
import { leaseCase } from '../../store/reviews/leases.ts';
import { insertEvent } from '../../store/venue/events.ts';
import { passOf, run, sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, type TestService } from '../../../testing/service/temp-service.ts';
import { venueEvent } from '../../../testing/store/rows.ts';
import { configOf } from '../companies/run-config.ts';
import { newId } from '../ports/ids.ts';
import { runOf } from '../settling/settlement.ts';
import { decideReviewLater } from './decide.ts';
import { reopenForLateMatches } from './late-matches.ts';
import { settleDueReviews } from './due.ts';
import { decideReview } from './reviews.ts';

const MINUTE_MS = 60_000;
const UNTRUSTED = {
  group: 'night',
  config: { capture: { trust: 'review_untrusted' }, limit: { kind: 'total', max: 1 } },
};

async function caseOf({ deps, scope }: TestService, { session_id: id }: Snapshot) {
  const found = await findOpenCaseOf(deps.db, scope('test'), id);
  if (!found) throw new Error('There is no open case.');
  return found;
}

async function decide(service: TestService, snapshot: Snapshot, decision: Decision): Promise<boolean> {
  const { deps, clock, company } = service;
  const where = { companyId: company.company_id, caseId: (await caseOf(service, snapshot)).id };
  return decideReview(deps.db, clock, where, { decision, reason: 'looked', actor: 'operator:1' });
}

test('a second run of a person whom a review has just let in returns to the queue, with that person', async () => {
  const service = await openTestService();
  const first = await run(service, 'alice', { ...UNTRUSTED, external_id: 'a' });
  const second = await run(service, 'alice', { ...UNTRUSTED, external_id: 'b' });
  const other = await run(service, 'bob', { ...UNTRUSTED, external_id: 'c' });
  expect(await decide(service, first, 'different_people')).toBe(true);
  const { personId } = await passOf(service, first);
  expect(await decide(service, second, 'different_people')).toBe(false);
  expect(await caseOf(service, second)).toMatchObject({
    reasons: ['capture_untrusted', 'limit_reached', 'collision', 'duplicate_account'],
    groups: ['night'],
    suspectIds: [personId],
    decision: null,
  });
  expect((await sessionOf(service, second.session_id)).state).toBe('in_review');
  // Nobody else is affected, and the reviewer who has now seen both decides.
  expect(await decide(service, other, 'different_people')).toBe(true);
  expect(await decide(service, second, 'same_person')).toBe(true);
  expect((await passOf(service, second)).status).toBe('denied');
});

test('an approval without anyone to compare with is no exception', async () => {
  const service = await openTestService();
  const first = await run(service, 'alice', { ...UNTRUSTED, external_id: 'a' });
  const second = await run(service, 'alice', { ...UNTRUSTED, external_id: 'b' });
  expect(await decide(service, first, 'same_person_allow')).toBe(true);
  expect(await decide(service, second, 'same_person_allow')).toBe(false);
  // Of a person whom the reviewer has seen, it is their decision.
  expect(await decide(service, second, 'same_person_allow')).toBe(true);
});

test('a decision of the console that is due returns to the queue, too, once', async () => {
  const service = await openTestService();
  const { deps, clock } = service;
  const scope = service.scope('test');
  const operatorId = 'ana';
  await deps.db.tx((tx) =>
    insertOperator(tx, {
      id: operatorId,
      name: 'Ana',
      nameKey: 'ana',
      role: 'reviewer',
      origin: 'console',
      passphraseHash: '$',
      passphraseChangedAt: clock.now(),
      createdAt: clock.now(),
    }),
  );
  const first = await run(service, 'alice', { ...UNTRUSTED, external_id: 'a' });
  const second = await run(service, 'alice', { ...UNTRUSTED, external_id: 'b' });
  for (const snapshot of [first, second]) {
    const { id: caseId } = await caseOf(service, snapshot);
    const at = clock.now();
    await deps.db.tx((tx) => leaseCase(tx, scope, caseId, { operatorId, at, leaseUntil: at + MINUTE_MS }));
    const decision = { decision: 'different_people', reason: 'nobody like them' } as const;
    await decideReviewLater(deps, { scope, caseId, operatorId }, decision);
    // Decisions of one moment are due in any order.
    clock.advance(1);
  }
  clock.advance(MINUTE_MS);
  await settleDueReviews(deps);
  expect((await passOf(service, first)).status).toBe('approved');
  expect(await caseOf(service, second)).toMatchObject({ pending: null, decision: null });
  expect(await settleDueReviews(deps)).toBe(0);
  const opened = (await listAuditEntries(deps.db, { action: 'review.open' }, null, 10)).length;
  expect(opened).toBe(3);
});

test('a face is compared with people who became known since the case opened, by the thresholds of its search', async () => {
  const service = await openTestService();
  const { deps, clock } = service;
  const scope = service.scope('test');
  const { personId } = await passOf(service, await run(service, 'bob', { group: 'night' }));
  const waiting = await run(service, 'alice', UNTRUSTED);
  const found = await caseOf(service, waiting);
  const at = clock.now();
  const model = 'm';
  const face = {
    personId: personId ?? '',
    passId: newId(at),
    model,
    vector: Float32Array.from([1, 0]),
    quality: 1,
    at,
  };
  await deps.db.tx((tx) => insertTemplate(tx, scope, face), scope);
  const session = await sessionOf(service, waiting.session_id);
  const reopens = (vector: number[], openedAt: number) => {
    const opened = {
      ...found,
      openedAt,
      likeness: { similarities: [], near: 0.4, same: 0.5 },
      enrolment: { kind: 'template', model, vector: Float32Array.from(vector), quality: 1 } as const,
    };
    return deps.db.tx((tx) => reopenForLateMatches(tx, opened, runOf(session, configOf(session), at)), scope);
  };
  expect(await reopens([1, 0], at + 1)).toBe(false);
  expect(await reopens([0.49, 0.87], at)).toBe(false);
  expect(await reopens([0.51, 0.86], at)).toBe(true);
  expect(await findCase(deps.db, scope.companyId, found.id)).toMatchObject({
    suspectIds: [personId],
    reasons: ['capture_untrusted', 'limit_reached', 'collision'],
  });
});

test('in an event’s pool, whom the organiser knew before counts from their first face there, and no other pool’s face does', async () => {
  const service = await openTestService();
  const { deps, clock, company } = service;
  const scope = service.scope('test');
  const event = venueEvent(scope, company.default_verification_id, 'night', { faces: 'event' });
  await deps.db.tx((tx) => insertEvent(tx, event));
  const { personId } = await passOf(service, await run(service, 'bob', { group: 'night' }));
  clock.advance(MINUTE_MS);
  const waiting = await run(service, 'alice', UNTRUSTED);
  const opened = {
    ...(await caseOf(service, waiting)),
    likeness: { similarities: [], near: 0.4, same: 0.5 },
    enrolment: { kind: 'template', model: 'm', vector: Float32Array.of(1, 0), quality: 1 } as const,
  };
  clock.advance(MINUTE_MS);
  const at = clock.now();
  const session = await sessionOf(service, waiting.session_id);
  const enrol = (eventId?: string) =>
    deps.db.tx(
      (tx) =>
        insertTemplate(
          tx,
          { ...scope, ...(eventId !== undefined && { eventId }) },
          {
            ...{ personId: personId ?? '', passId: newId(at), model: 'm', quality: 1, at },
            vector: Float32Array.of(1, 0),
          },
        ),
      scope,
    );
  const reopens = () =>
    deps.db.tx((tx) => reopenForLateMatches(tx, opened, runOf(session, configOf(session), at)), scope);
  await enrol();
  expect(await reopens()).toBe(false);
  await enrol('night');
  expect(await reopens()).toBe(true);
});
