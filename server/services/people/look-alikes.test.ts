/** Two people who look alike are told apart, by a reviewer's decision or by hand. */
import { expect, test } from 'vitest';
import { operatorActor } from '../../domain/operators/actor.ts';
import { findOpenCaseOf } from '../../store/reviews/cases.ts';
import { findExternalIdOwner, findTestFace } from '../../store/people/people.ts';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { NO_SKIP, passOf, run, sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { decideReview } from '../reviews/reviews.ts';
import { readReviewCase } from '../reviews/case.ts';
import { changeLookAlike, readLookAlikes } from './look-alikes.ts';
import { eraseOnePerson } from './erasure.ts';

const REVIEW = { config: { ...NO_SKIP.config, collision: { action: 'review' } } };
const BY = { reason: 'twins, both at the desk', actor: operatorActor('ana') };

async function twins() {
  const service = await openTestService();
  const scope = service.scope('test');
  await run(service, 'alice', { external_id: 'seat-a' });
  await run(service, 'bea', { external_id: 'seat-b', email: 'bea@example.org' });
  const { db } = service.deps;
  const a = (await findExternalIdOwner(db, scope, 'seat-a'))?.personId ?? '';
  const b = (await findExternalIdOwner(db, scope, 'seat-b'))?.personId ?? '';
  const tell = (other: string, told_apart = true) =>
    changeLookAlike(service.deps, scope, a, { other, told_apart, ...BY });
  return { service, scope, a, b, tell };
}

const namesOf = async (service: TestService, id: string) =>
  (await readLookAlikes(service.deps, service.scope('test'), id)).items.map(({ name }) => name);

test('two people are told apart by hand, and both profiles say so', async () => {
  const { service, a, b, tell } = await twins();
  await tell('seat-b');
  expect(await namesOf(service, a)).toEqual(['seat-b']);
  expect(await namesOf(service, b)).toEqual(['seat-a']);
  const [entry] = await listAuditEntries(service.deps.db, { action: 'person.told_apart' }, null, 1);
  expect(entry?.details).toContain(b);
  await tell('seat-b', false);
  expect(await namesOf(service, b)).toEqual([]);
});

test('the other one is found by ID, account, address or test face, and nobody is told apart from themselves', async () => {
  const { service, a, b, tell } = await twins();
  for (const name of [b, 'seat-b', ' BEA@example.org ', 'bea']) {
    await tell(name);
    expect(await namesOf(service, a)).toEqual(['seat-b']);
    await tell(name, false);
  }
  expect(await refusalOf(tell('seat-a'))).toBe('same_person');
  expect(await refusalOf(tell('nobody'))).toBe('person_unknown');
});

test('a case says whom the matched person was told apart from', async () => {
  const { service, scope, tell } = await twins();
  await tell('seat-b');
  const { session_id: sessionId } = await run(service, 'alice', { ...REVIEW, external_id: 'seat-c' });
  const found = await findOpenCaseOf(service.deps.db, scope, sessionId);
  const detail = await readReviewCase(service.deps, scope, found?.id ?? '');
  expect(detail.suspects).toMatchObject([{ look_alikes: ['seat-b'] }]);
});

test('after a reviewer has told two apart, exactly these two come to no review again', async () => {
  const service = await openTestService();
  const scope = service.scope('test');
  await run(service, 'alice', { external_id: 'seat-a', group: 'friday' });
  const first = await run(service, 'near:alice', { ...REVIEW, external_id: 'seat-b', group: 'friday' });
  const found = await findOpenCaseOf(service.deps.db, scope, first.session_id);
  await decideReview(
    service.deps.db,
    service.clock,
    { companyId: scope.companyId, caseId: found?.id ?? '' },
    { decision: 'different_people', ...BY },
  );
  for (const face of ['alice', 'near:alice']) {
    const seat = face === 'alice' ? 'seat-a' : 'seat-b';
    const again = await run(service, face, { ...REVIEW, external_id: seat, group: 'saturday' });
    expect((await sessionOf(service, again.session_id)).state).toBe('settled');
    expect((await passOf(service, again)).status).toBe('approved');
  }
  const stranger = await run(service, 'near:alice', { ...REVIEW, external_id: 'seat-c', group: 'saturday' });
  expect((await sessionOf(service, stranger.session_id)).state).toBe('in_review');
});

test('erasing one ends it for both', async () => {
  const { service, scope, a, b, tell } = await twins();
  await tell(b);
  await eraseOnePerson(service.deps, scope, b, 'cli');
  expect(await namesOf(service, a)).toEqual([]);
  expect(await findTestFace(service.deps.db, scope, 'bea')).toBeUndefined();
});

test('another company’s person, or one of the other partition, is unknown', async () => {
  const { service, a } = await twins();
  const live = changeLookAlike(service.deps, service.scope('live'), a, { other: a, told_apart: true, ...BY });
  expect(await refusalOf(live)).toBe('not_found');
});
