/** A second opinion: two reviewers who decide the same, without seeing each other's decision, or an admin. */
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  LEASE_MS,
  UNDO_MS,
  type ReviewDecisionName,
  type ReviewsDecide,
} from '../../contract/console/reviews.ts';
import { insertOperator } from '../../store/operators/operators.ts';
import { findOpenCaseOf, reopenCase } from '../../store/reviews/cases.ts';
import { assignCase } from '../../store/reviews/leases.ts';
import { erasePerson } from '../../store/people/erasure.ts';
import { NOW } from '../../../testing/store/rows.ts';
import { NO_SKIP, passOf, run, sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { changeMatching } from '../matching/settings.ts';
import { changeOperator } from '../operators/change.ts';
import { readReviewCase } from './case.ts';
import {
  assignReview,
  claimNextReview,
  claimReview,
  decideReviewLater,
  decideReviewsTogether,
  undoReview,
} from './decide.ts';
import { readAgreement, readReviewPage, readUndoable } from './queue.ts';
import { settleDueReviews } from './due.ts';

const REVIEW = { config: { ...NO_SKIP.config, collision: { action: 'review' } } };
const ROLES = { ana: 'reviewer', ben: 'reviewer', cleo: 'reviewer', ada: 'admin' } as const;
type Name = keyof typeof ROLES;

/** Alice comes again with another account. */
async function opened(names: readonly Name[] = ['ana', 'ben', 'cleo', 'ada']) {
  const service = await openTestService();
  await service.deps.db.tx(async (tx) => {
    for (const id of names) {
      await insertOperator(tx, {
        id,
        name: id,
        nameKey: id,
        role: ROLES[id],
        origin: 'cli',
        passphraseHash: '',
        passphraseChangedAt: NOW,
        createdAt: NOW,
      });
    }
  });
  await run(service, 'alice');
  const snapshot = await run(service, 'alice', REVIEW);
  const found = await findOpenCaseOf(service.deps.db, service.scope('test'), snapshot.session_id);
  if (!found) throw new Error('There is no case.');
  return { service, snapshot, caseId: found.id, ...deskOf(service, found.id) };
}

function deskOf(service: TestService, caseId: string) {
  const { deps } = service;
  const scope = service.scope('test');
  const call = (operatorId: Name) => ({ scope, caseId, operatorId });
  const claim = (name: Name) => claimReview(deps, call(name));
  const decide = (name: Name, decision: ReviewDecisionName, second_opinion = false) =>
    decideReviewLater(deps, call(name), { decision, reason: `${name} looked`, second_opinion });
  return {
    claim,
    decide,
    next: (operatorId: Name) => claimNextReview(deps, { scope, operatorId }),
    undo: (name: Name) => undoReview(deps, call(name)),
    assign: (name: Name, to: Name) => assignReview(deps, call(name), to),
    read: () => readReviewCase(deps, scope, caseId),
    take: async (name: Name, decision: ReviewDecisionName, second = false) => {
      await claim(name);
      return (await decide(name, decision, second)).decided;
    },
  };
}

async function settle({ clock, deps }: TestService): Promise<void> {
  clock.advance(UNDO_MS);
  await settleDueReviews(deps);
}

/** As a measured case; test faces have no similarity. */
const measured = ({ deps }: TestService, caseId: string, similarity: number) =>
  deps.db.tx((tx) =>
    tx.run(
      `UPDATE review_cases SET similarities = ?, near_threshold = 0.45, same_threshold = 0.55 WHERE id = ?`,
      JSON.stringify([similarity]),
      caseId,
    ),
  );

const doubtfulBelow = ({ deps }: TestService, second_opinion_below: number) =>
  changeMatching(deps, { second_opinion_below, reason: 'relatives expected' }, 'operator:ada');

test('a decision with a second opinion settles nothing until another reviewer decides the same', async () => {
  const { service, snapshot, take, read } = await opened();
  const first = await take('ana', 'same_person', true);
  expect(first).toMatchObject({ pending: null, decided: null, held_by: null, opinion_by: ['ana'] });
  await settle(service);
  expect((await sessionOf(service, snapshot.session_id)).state).toBe('in_review');
  expect(await take('ben', 'same_person')).toMatchObject({ pending: { decision: 'same_person', by: 'ben' } });
  await settle(service);
  expect((await passOf(service, snapshot)).status).toBe('denied');
  expect((await read()).opinions).toMatchObject([
    { by: 'ana', decision: 'same_person', reason: 'ana looked' },
  ]);
});

test('the second reviewer learns nothing of the first decision', async () => {
  const { service, read, take } = await opened();
  await take('ana', 'same_person_allow', true);
  const seen = await read();
  const page = await readReviewPage(service.deps, service.scope('test'), 'ben', {});
  for (const shown of [{ ...seen, item: { ...seen.item } }, page]) {
    expect(JSON.stringify(shown)).not.toMatch(/same_person_allow|ana looked/);
  }
  expect(seen.item.opinion_by).toEqual(['ana']);
});

test('a reviewer who gave an opinion does not get the case again, not even by an assignment', async () => {
  const { service, caseId, claim, next, take, assign } = await opened();
  await assign('ana', 'ana');
  await take('ana', 'same_person', true);
  expect(await refusalOf(claim('ana'))).toBe('opinion_given');
  expect(await next('ana')).toEqual({ case_id: null });
  const reviewer = { scope: service.scope('test'), operatorId: 'ana' };
  const together: ReviewsDecide = { case_ids: [caseId], decision: 'same_person', reason: 'again' };
  expect(await refusalOf(decideReviewsTogether(service.deps, reviewer, together))).toBe('opinion_given');
  expect(await refusalOf(assign('ben', 'ana'))).toBe('opinion_given');
  expect(await next('ben')).toEqual({ case_id: caseId });
});

test('two reviewers who differ leave it to an admin, who sees both opinions', async () => {
  const { service, snapshot, claim, read, take } = await opened();
  await take('ana', 'same_person', true);
  const differing = await take('ben', 'different_people');
  expect(differing).toMatchObject({ pending: null, opinion_by: ['ana', 'ben'] });
  expect(await refusalOf(claim('cleo'))).toBe('opinion_given');
  expect((await read()).opinions.map(({ by, decision }) => [by, decision])).toEqual([
    ['ana', 'same_person'],
    ['ben', 'different_people'],
  ]);
  await take('ada', 'different_people');
  await settle(service);
  expect((await passOf(service, snapshot)).status).toBe('approved');
  const [entry] = await listAuditEntries(service.deps.db, { action: 'review.decide' }, null, 1);
  expect(entry?.details).toContain('"opinions":[{"by":"ana","decision":"same_person"}');
});

test('an admin decides between two opinions, also if one is their own', async () => {
  const { service, snapshot, take } = await opened(['ben', 'ada']);
  await take('ada', 'same_person', true);
  await take('ben', 'different_people');
  expect(await take('ada', 'same_person')).toMatchObject({ pending: { by: 'ada' } });
  await settle(service);
  expect((await passOf(service, snapshot)).status).toBe('denied');
  const { items } = await readAgreement(service.deps, service.scope('test'), { id: 'ada', role: 'admin' });
  expect(items.map(({ name, decided, differed }) => [name, decided, differed])).toEqual([['ben', 1, 1]]);
});

test('a case with two opinions goes to admins alone, also if it is assigned to somebody else', async () => {
  const { service, caseId, assign, next, take } = await opened();
  await take('ana', 'same_person', true);
  await take('ben', 'different_people');
  expect(await refusalOf(assign('ada', 'cleo'))).toBe('opinion_given');
  await assign('ben', 'ada');
  // As if Cleo had been an admin when it was assigned to her.
  await service.deps.db.tx((tx) => assignCase(tx, service.scope('test'), caseId, 'cleo'));
  expect(await next('cleo')).toEqual({ case_id: null });
  expect(await next('ada')).toEqual({ case_id: caseId });
});

test('an admin who loses the role decides no longer between two', async () => {
  const { service, caseId, claim, decide, read, take } = await opened();
  await service.deps.db.tx((tx) => tx.run("UPDATE operators SET role = 'admin' WHERE id = 'cleo'"));
  await take('ana', 'same_person', true);
  await take('ben', 'different_people');
  await take('ada', 'different_people');
  const why = { reason: 'moved to the door', actor: 'operator:cleo' } as const;
  await changeOperator(service.deps, 'ada', { role: 'reviewer' }, why);
  expect((await read()).item).toMatchObject({ pending: null, held_by: null, opinion_by: ['ana', 'ben'] });
  await changeOperator(service.deps, 'ada', { role: 'admin' }, why);
  await claim('ada');
  await changeOperator(service.deps, 'ada', { role: 'reviewer' }, why);
  expect(await refusalOf(decide('ada', 'same_person'))).toBe('case_not_held');
  expect(await refusalOf(claim('ada'))).toBe('opinion_given');
  const [entry] = await listAuditEntries(service.deps.db, { action: 'review.release' }, null, 1);
  expect(entry?.subject).toBe(caseId);
});

test('an opinion about other faces counts no longer', async () => {
  const { service, caseId, take, read } = await opened();
  await take('ana', 'different_people', true);
  await service.deps.db.tx((tx) =>
    reopenCase(tx, service.scope('test'), caseId, {
      reasons: ['collision'],
      groups: [],
      suspectIds: ['somebody-new'],
      likeness: null,
    }),
  );
  expect((await read()).item.opinion_by).toEqual([]);
  expect(await take('ana', 'same_person', true)).toMatchObject({ opinion_by: ['ana'] });
});

test('an opinion is taken back until somebody else has the case', async () => {
  const { service, undo, claim, take, read } = await opened();
  await take('ana', 'same_person', true);
  const { items } = await readUndoable(service.deps, service.scope('test'), 'ana');
  expect(items).toEqual([]);
  expect(await undo('ana')).toMatchObject({ opinion_by: [], held_by: { operator_id: 'ana' } });
  await take('ana', 'same_person', true);
  await claim('ben');
  expect(await refusalOf(undo('ana'))).toBe('undo_too_late');
  service.clock.advance(LEASE_MS);
  expect(await undo('ana')).toMatchObject({ opinion_by: [] });
  expect((await read()).item.opinion_by).toEqual([]);
});

test('a similarity below the setting needs a second opinion, one above does not', async () => {
  const { service, caseId, take } = await opened();
  await doubtfulBelow(service, 0.6);
  await measured(service, caseId, 0.59);
  expect(await take('ana', 'different_people')).toMatchObject({ pending: null, opinion_by: ['ana'] });
  const other = await opened();
  await doubtfulBelow(other.service, 0.6);
  await measured(other.service, other.caseId, 0.6);
  expect(await other.take('ana', 'different_people')).toMatchObject({ pending: { by: 'ana' } });
});

test('cases decided together need it, too', async () => {
  const { service, caseId } = await opened();
  await doubtfulBelow(service, 0.6);
  await measured(service, caseId, 0.5);
  const reviewer = { scope: service.scope('test'), operatorId: 'ana' };
  const together: ReviewsDecide = { case_ids: [caseId], decision: 'same_person', reason: 'one party' };
  const { items } = await decideReviewsTogether(service.deps, reviewer, together);
  expect(items).toMatchObject([{ pending: null, opinion_by: ['ana'] }]);
});

test('a reviewer who is alone decides alone, and is told so when they ask', async () => {
  const { service, caseId, claim, decide, take } = await opened(['ana']);
  await doubtfulBelow(service, 0.6);
  await measured(service, caseId, 0.5);
  await claim('ana');
  expect(await refusalOf(decide('ana', 'same_person', true))).toBe('no_second_reviewer');
  expect(await take('ana', 'same_person')).toMatchObject({ pending: { by: 'ana' } });
});

test('the opinion of a reviewer who is disabled is dropped, and open pages are told', async () => {
  const { service, read, take } = await opened();
  await take('ana', 'same_person', true);
  const told = vi.fn<() => void>();
  onTestFinished(service.deps.db.follow('case', told, service.company.company_id));
  await changeOperator(service.deps, 'ana', { disabled: true }, {
    id: 'ada',
    actor: 'operator:ada',
  } as never);
  expect((await read()).item.opinion_by).toEqual([]);
  expect(told).toHaveBeenCalled();
});

test('of two reviewers who decide at the same time, both opinions count', async () => {
  const { claim, decide, read, undo } = await opened();
  await claim('ana');
  const [first, second] = await Promise.allSettled([decide('ana', 'same_person', true), claim('ben')]);
  expect(first.status).toBe('fulfilled');
  // Whichever came first: ben has the case, or can take it now.
  if (second.status === 'rejected') await claim('ben');
  const both = await Promise.allSettled([decide('ben', 'same_person'), undo('ana')]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect((await read()).item).toMatchObject({ pending: { by: 'ben' }, opinion_by: ['ana'] });
});

test('erasing the person removes the words of each opinion', async () => {
  const { service, snapshot, take } = await opened();
  await take('ana', 'same_person', true);
  await take('ben', 'same_person');
  await settle(service);
  const { personId } = await passOf(service, snapshot);
  const nobodyElse = { id: personId ?? '', identities: [], externalIds: [] };
  await service.deps.db.tx((tx) => erasePerson(tx, service.scope('test'), nobodyElse, NOW));
  expect(await service.deps.db.all('SELECT reason FROM review_opinions')).toEqual([{ reason: null }]);
});

test('a reviewer sees how often others differed from their own decisions, and only an admin everybody’s', async () => {
  const { service, take } = await opened();
  await take('ana', 'same_person', true);
  await take('ben', 'different_people');
  await take('ada', 'different_people');
  await settle(service);
  const next = await run(service, 'alice', REVIEW);
  const again = await findOpenCaseOf(service.deps.db, service.scope('test'), next.session_id);
  const desk = deskOf(service, again?.id ?? '');
  await desk.take('ana', 'same_person', true);
  await desk.take('cleo', 'same_person');
  await settle(service);
  const read = (id: Name) => readAgreement(service.deps, service.scope('test'), { id, role: ROLES[id] });
  const linesOf = async (id: Name) =>
    (await read(id)).items.map(({ name, decided, differed }) => [name, decided, differed]);
  expect(await linesOf('ana')).toEqual([['ana', 2, 1]]);
  expect(await linesOf('cleo')).toEqual([['cleo', 1, 0]]);
  expect(await linesOf('ada')).toEqual([
    ['ana', 2, 1],
    ['ben', 1, 0],
    ['cleo', 1, 0],
  ]);
  service.clock.advance(91 * 86_400_000);
  expect(await linesOf('ada')).toEqual([]);
});
