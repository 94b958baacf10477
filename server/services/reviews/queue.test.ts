/** Reviews in the console: one holder per case, a minute to undo, one settlement. */
import { describe, expect, it } from 'vitest';
import { UNDO_MS, LEASE_MS, type ReviewDecisionName } from '../../contract/console/reviews.ts';
import { insertCaseFrames, type CaseFrame } from '../../store/reviews/case-frames.ts';
import { listAuditEntries } from '../../store/operators/audit-query.ts';
import { insertOperator } from '../../store/operators/operators.ts';
import { areDistinct, findOpenCaseOf } from '../../store/reviews/cases.ts';
import { NOW } from '../../../testing/store/rows.ts';
import { NO_SKIP, passOf, run, sessionOf } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { deleteDueCaseFrames } from '../../store/people/retention.ts';
import { erasePerson } from '../../store/people/erasure.ts';
import { insertRunEvent } from '../../store/runs/run-events.ts';
import { settleDueReviews } from './due.ts';
import { decideOwnReview, decideReview } from './reviews.ts';
import { createCompany } from '../companies/companies.ts';
import { changeOperator } from '../operators/change.ts';
import { readReviewCase, readReviewFrame } from './case.ts';
import {
  addReviewNote,
  assignReview,
  claimNextReview,
  claimReview,
  decideReviewLater,
  decideReviewsTogether,
  releaseReview,
  applyReviewsNow,
  undoReview,
  undoReviewsTogether,
} from './decide.ts';
import { readReviewFigures, readReviewPage, readUndoable } from './queue.ts';

const REVIEW = { config: { ...NO_SKIP.config, collision: { action: 'review' } } };
const DAY_MS = 86_400_000;
const PICTURE: CaseFrame = {
  jpeg: Uint8Array.of(0xff, 0xd8, 0xff),
  takenAt: NOW,
  framing: { width: 640, height: 480, eyesX: 320, eyesY: 200, interocularPx: 90, rollRad: 0 },
};

async function withReviewers() {
  const service = await openTestService();
  await service.deps.db.tx(async (tx) => {
    for (const id of ['ana', 'ben']) {
      await insertOperator(tx, {
        id,
        name: id,
        nameKey: id,
        role: 'reviewer',
        origin: 'cli',
        passphraseHash: '',
        passphraseChangedAt: NOW,
        createdAt: NOW,
      });
    }
  });
  return service;
}

/** Alice comes again with another account. */
async function openCase(service: TestService, face = 'alice') {
  await run(service, face);
  const snapshot = await run(service, face, REVIEW);
  const found = await findOpenCaseOf(service.deps.db, service.scope('test'), snapshot.session_id);
  if (!found) throw new Error('There is no case.');
  return { snapshot, caseId: found.id, personId: found.suspectIds[0] ?? '' };
}

function deskOf(service: TestService, operatorId: string) {
  const { deps } = service;
  const scope = service.scope('test');
  const call = (caseId: string) => ({ scope, caseId, operatorId });
  return {
    claim: (caseId: string) => claimReview(deps, call(caseId)),
    next: () => claimNextReview(deps, { scope, operatorId }),
    release: (caseId: string) => releaseReview(deps, call(caseId)),
    decide: (caseId: string, decision: ReviewDecisionName = 'same_person') =>
      decideReviewLater(deps, call(caseId), { decision, reason: 'looked closely' }),
    submit: (caseId: string) =>
      decideReviewLater(deps, call(caseId), {
        decision: 'same_person',
        reason: 'looked closely',
        take_next: true,
      }),
    undo: (caseId: string) => undoReview(deps, call(caseId)),
    decideTogether: (case_ids: string[]) =>
      decideReviewsTogether(
        deps,
        { scope, operatorId },
        { case_ids, decision: 'same_person', reason: 'same group' },
      ),
    apply: (case_ids: string[]) => applyReviewsNow(deps, { scope, operatorId }, { case_ids }),
    undoTogether: (case_ids: string[]) => undoReviewsTogether(deps, { scope, operatorId }, { case_ids }),
    assign: (caseId: string, to: string | null) => assignReview(deps, call(caseId), to),
    note: (caseId: string, text: string) => addReviewNote(deps, call(caseId), text),
    list: (query = {}) => readReviewPage(deps, scope, operatorId, query),
    undoable: () => readUndoable(deps, scope, operatorId),
  };
}

const stateOf = async (service: TestService, id: string) => (await sessionOf(service, id)).state;

const otherCompany = async ({ deps }: TestService) => {
  const { company_id: id } = await createCompany(deps.db, deps.clock, {
    name: 'Another venue',
    actor: 'cli',
  });
  return { id };
};

const nobodyElse = (id: string) => ({ id, identities: [], externalIds: [] });

describe('the queue shows who is compared', () => {
  it('a picture and a name of both, while pictures are kept', async () => {
    const service = await withReviewers();
    const { caseId, personId } = await openCase(service);
    const { deps } = service;
    const scope = service.scope('test');
    const list = async () => (await deskOf(service, 'ana').list()).items;
    expect(await list()).toMatchObject([
      { test_face: 'alice', frame: null, match: { person_id: personId, frame: null } },
    ]);
    await deps.db.tx((tx) => insertCaseFrames(tx, scope, caseId, [PICTURE, PICTURE]));
    expect(await list()).toMatchObject([{ frame: { case_id: caseId, index: 0, framing: { width: 640 } } }]);
  });

  it('the earlier case of the match gives its picture', async () => {
    const service = await withReviewers();
    const ana = deskOf(service, 'ana');
    const first = await openCase(service);
    await service.deps.db.tx((tx) => insertCaseFrames(tx, service.scope('test'), first.caseId, [PICTURE]));
    await ana.claim(first.caseId);
    await ana.decide(first.caseId);
    service.clock.advance(UNDO_MS);
    await settleDueReviews(service.deps);
    await run(service, 'alice', REVIEW);
    const [item] = (await ana.list()).items;
    expect(item?.match).toMatchObject({
      person_id: first.personId,
      frame: { case_id: first.caseId, index: 0 },
    });
  });
});

describe('only one reviewer at a time has a case', () => {
  it('the second reviewer learns who has the case', async () => {
    const service = await withReviewers();
    const { caseId } = await openCase(service);
    const [ana, ben] = [deskOf(service, 'ana'), deskOf(service, 'ben')];
    expect(await ana.claim(caseId)).toMatchObject({ held_by: { operator_id: 'ana' } });
    expect(await refusalOf(ben.claim(caseId))).toBe('case_held');
    expect(await refusalOf(ben.decide(caseId))).toBe('case_held');
    expect(await ben.next()).toEqual({ case_id: null });
  });

  it.each<[string, Parameters<typeof changeOperator>[2]]>([
    ['is disabled', { disabled: true }],
    ['becomes staff', { role: 'staff' }],
    ['is limited to other companies', { companyIds: ['another'] }],
  ])('a reviewer who %s loses the case at once, and another one can take it', async (_what, change) => {
    const service = await withReviewers();
    const { caseId } = await openCase(service);
    const [ana, ben] = [deskOf(service, 'ana'), deskOf(service, 'ben')];
    await ana.claim(caseId);
    const of = change.companyIds === undefined ? change : { companyIds: [(await otherCompany(service)).id] };
    await changeOperator(service.deps, 'ana', of, { reason: 'left the venue', actor: 'cli' });
    expect(await ben.claim(caseId)).toMatchObject({ held_by: { operator_id: 'ben' } });
  });

  it('a decision of a reviewer who is disabled before it takes effect is dropped, and the case is free', async () => {
    const service = await withReviewers();
    const { caseId, snapshot } = await openCase(service);
    const [ana, ben] = [deskOf(service, 'ana'), deskOf(service, 'ben')];
    await ana.claim(caseId);
    await ana.decide(caseId);
    await changeOperator(
      service.deps,
      'ana',
      { disabled: true },
      { reason: 'account was stolen', actor: 'cli' },
    );
    service.clock.advance(UNDO_MS);
    expect(await settleDueReviews(service.deps)).toBe(0);
    expect((await sessionOf(service, snapshot.session_id)).state).toBe('in_review');
    expect(await ben.claim(caseId)).toMatchObject({ pending: null, held_by: { operator_id: 'ben' } });
    const [released] = await listAuditEntries(service.deps.db, { action: 'review.release' }, null, 1);
    expect(released).toMatchObject({ actor: 'cli', subject: caseId });
  });

  it('a reviewer who is disabled while their request is in progress gets no case', async () => {
    const service = await withReviewers();
    const { caseId } = await openCase(service);
    const [ana, ben] = [deskOf(service, 'ana'), deskOf(service, 'ben')];
    const disable = () =>
      changeOperator(service.deps, 'ana', { disabled: true }, { reason: 'left the venue', actor: 'cli' });
    await Promise.all([refusalOf(ana.claim(caseId)), disable()]);
    expect(await refusalOf(ana.claim(caseId))).toBe('case_not_held');
    expect(await ana.next()).toEqual({ case_id: null });
    expect(await refusalOf(ana.decideTogether([caseId]))).toBe('case_not_held');
    expect(await ben.next()).toEqual({ case_id: caseId });
  });

  it('a reviewer whose name changes, or who becomes an admin, keeps the case', async () => {
    const service = await withReviewers();
    const { caseId } = await openCase(service);
    const [ana, ben] = [deskOf(service, 'ana'), deskOf(service, 'ben')];
    await ana.claim(caseId);
    const why = { reason: 'married', actor: 'cli' as const };
    await changeOperator(service.deps, 'ana', { name: 'Ana Ruiz', role: 'admin' }, why);
    expect(await refusalOf(ben.claim(caseId))).toBe('case_held');
  });

  it('a lease ends after ten minutes, unless it is renewed', async () => {
    const service = await withReviewers();
    const { caseId } = await openCase(service);
    const [ana, ben] = [deskOf(service, 'ana'), deskOf(service, 'ben')];
    await ana.claim(caseId);
    service.clock.advance(LEASE_MS - 1);
    await ana.claim(caseId);
    service.clock.advance(LEASE_MS - 1);
    expect(await refusalOf(ben.claim(caseId))).toBe('case_held');
    service.clock.advance(1);
    expect(await refusalOf(ana.decide(caseId))).toBe('case_not_held');
    expect(await ben.next()).toEqual({ case_id: caseId });
    expect(await refusalOf(ana.claim(caseId))).toBe('case_held');
  });

  it('a released case is free for others; nobody can release another reviewer’s case', async () => {
    const service = await withReviewers();
    const { caseId } = await openCase(service);
    const [ana, ben] = [deskOf(service, 'ana'), deskOf(service, 'ben')];
    await ana.claim(caseId);
    expect(await ben.release(caseId)).toMatchObject({ held_by: { operator_id: 'ana' } });
    expect(await ana.release(caseId)).toMatchObject({ held_by: null });
    expect(await ben.next()).toEqual({ case_id: caseId });
  });

  it('next is the oldest free case', async () => {
    const service = await withReviewers();
    const first = await openCase(service, 'alice');
    service.clock.advance(1_000);
    const second = await openCase(service, 'bob');
    expect(await deskOf(service, 'ana').next()).toEqual({ case_id: first.caseId });
    expect(await deskOf(service, 'ben').next()).toEqual({ case_id: second.caseId });
  });

  it('two reviewers who work through one queue at once never decide the same case', async () => {
    const service = await withReviewers();
    const opened: string[] = [];
    for (const face of ['alice', 'bob', 'carol', 'dave', 'erin', 'frank'])
      opened.push((await openCase(service, face)).caseId);
    /** Takes the next case or, every other time, the first of the list, which the other one may have. */
    const workThrough = async (operatorId: string): Promise<string[]> => {
      const desk = deskOf(service, operatorId);
      const own: string[] = [];
      for (let turn = 0; ; turn += 1) {
        const listed = turn % 2 === 0 ? undefined : (await desk.list()).items[0]?.case_id;
        const id = listed ?? (await desk.next()).case_id;
        if (id === null) return own;
        try {
          await desk.claim(id);
          await desk.decide(id);
          own.push(id);
        } catch (error) {
          expect(['case_held', 'case_decided']).toContain((error as { code?: string }).code);
        }
      }
    };
    const decided = await Promise.all([workThrough('ana'), workThrough('ben')]);
    expect(decided.flat().toSorted()).toEqual(opened.toSorted());
  });

  it('submit and next decides a case and takes the next in one transaction', async () => {
    const service = await withReviewers();
    const first = await openCase(service, 'alice');
    service.clock.advance(1_000);
    const second = await openCase(service, 'bob');
    const ana = deskOf(service, 'ana');
    await ana.claim(first.caseId);
    const { decided, next } = await ana.submit(first.caseId);
    expect(decided).toMatchObject({ case_id: first.caseId, pending: { by: 'ana' } });
    expect(next).toMatchObject({
      case_id: second.caseId,
      detail: { item: { case_id: second.caseId, held_by: { operator_id: 'ana' } } },
    });
    expect((await ana.submit(second.caseId)).next).toBeNull();
  });

  it('a refused decision takes no next case', async () => {
    const service = await withReviewers();
    const first = await openCase(service, 'alice');
    service.clock.advance(1_000);
    const second = await openCase(service, 'bob');
    const [ana, ben] = [deskOf(service, 'ana'), deskOf(service, 'ben')];
    await ana.claim(first.caseId);
    expect(await refusalOf(ben.submit(first.caseId))).toBe('case_held');
    expect(await ben.next()).toEqual({ case_id: second.caseId });
  });

  it('each act about a case announces it, and renewing a lease announces nothing', async () => {
    const service = await withReviewers();
    const { caseId } = await openCase(service);
    const ana = deskOf(service, 'ana');
    let told = 0;
    const unfollow = service.deps.db.follow('case', () => (told += 1), service.company.company_id);
    const acts: [string, () => Promise<unknown>, number][] = [
      ['assigned', () => ana.assign(caseId, 'ben'), 1],
      ['to nobody', () => ana.assign(caseId, null), 1],
      ['claimed', () => ana.claim(caseId), 1],
      ['renewed', () => ana.claim(caseId), 0],
      ['decided', () => ana.submit(caseId), 1],
      ['undone', () => ana.undo(caseId), 1],
      ['released', () => ana.release(caseId), 1],
    ];
    for (const [what, act, times] of acts) {
      told = 0;
      await act();
      expect([what, told]).toEqual([what, times]);
      service.clock.advance(10);
    }
    unfollow();
  });

  it('a case of another partition is not found', async () => {
    const service = await withReviewers();
    const { caseId } = await openCase(service);
    const scope = service.scope('live');
    expect(await refusalOf(claimReview(service.deps, { scope, caseId, operatorId: 'ana' }))).toBe(
      'not_found',
    );
    expect(await refusalOf(readReviewCase(service.deps, scope, caseId))).toBe('not_found');
  });
});

describe('a decision is applied at once', () => {
  it('by its reviewer alone, and is then final', async () => {
    const service = await withReviewers();
    const { caseId, snapshot } = await openCase(service);
    const [ana, ben] = [deskOf(service, 'ana'), deskOf(service, 'ben')];
    await ana.claim(caseId);
    await ana.decide(caseId, 'same_person_allow');
    expect(await refusalOf(ben.apply([caseId]))).toBe('case_decided');
    expect(await stateOf(service, snapshot.session_id)).toBe('in_review');
    expect((await ana.apply([caseId])).items).toMatchObject([{ decided: { decision: 'same_person_allow' } }]);
    expect(await stateOf(service, snapshot.session_id)).toBe('settled');
    expect(await refusalOf(ana.undo(caseId))).toBe('undo_too_late');
    expect(await refusalOf(ana.apply([caseId]))).toBe('case_decided');
    expect(await refusalOf(ana.apply(['none']))).toBe('not_found');
  });
});

describe('several cases are decided together', () => {
  it('with one reason, and taken back in one call', async () => {
    const service = await withReviewers();
    const ids = [(await openCase(service, 'alice')).caseId, (await openCase(service, 'bob')).caseId];
    const ana = deskOf(service, 'ana');
    const { items } = await ana.decideTogether(ids);
    expect(items).toMatchObject(ids.map((case_id) => ({ case_id, pending: { by: 'ana' } })));
    expect((await ana.undoTogether(ids)).items).toMatchObject([{ pending: null }, { pending: null }]);
    await ana.decideTogether(ids);
    service.clock.advance(UNDO_MS);
    expect(await settleDueReviews(service.deps)).toBe(2);
    expect((await ana.list({ state: 'decided' })).items).toMatchObject([
      { decided: { decision: 'same_person', reason: 'same group' } },
      { decided: { decision: 'same_person', reason: 'same group' } },
    ]);
    expect(await refusalOf(ana.undoTogether(ids))).toBe('undo_too_late');
  });

  it('not where a face can’t be seen', async () => {
    const service = await withReviewers();
    const ids = [(await openCase(service, 'alice')).caseId, (await openCase(service, 'bob')).caseId];
    // As a case of a camera looks once its pictures are deleted.
    await service.deps.db.tx((tx) =>
      tx.run('UPDATE review_cases SET test_face = NULL WHERE id = ?', ids[1]!),
    );
    const ana = deskOf(service, 'ana');
    expect(await refusalOf(ana.decideTogether(ids))).toBe('cases_unseen');
    expect((await ana.list({ state: 'free' })).items).toHaveLength(2);
    expect((await ana.decideTogether([ids[0]!])).items).toHaveLength(1);
  });

  it('and undone together are free for others, where a single one stays with its reviewer', async () => {
    const service = await withReviewers();
    const ids = [(await openCase(service, 'alice')).caseId, (await openCase(service, 'bob')).caseId];
    const [ana, ben] = [deskOf(service, 'ana'), deskOf(service, 'ben')];
    await ana.decideTogether(ids);
    expect((await ana.undoTogether(ids)).items).toMatchObject([{ held_by: null }, { held_by: null }]);
    expect(await ben.next()).toEqual({ case_id: ids[0] });
    await ana.decideTogether([ids[1]!]);
    expect((await ana.undoTogether([ids[1]!])).items).toMatchObject([{ held_by: { operator_id: 'ana' } }]);
  });

  it('all or none: not with other findings, and not if another reviewer holds one', async () => {
    const service = await withReviewers();
    const first = await openCase(service, 'alice');
    const second = await openCase(service, 'bob');
    await run(service, 'carl', { group: 'g' });
    const other = await run(service, 'carl', { ...REVIEW, group: 'g' });
    const inGroup = await findOpenCaseOf(service.deps.db, service.scope('test'), other.session_id);
    const [ana, ben] = [deskOf(service, 'ana'), deskOf(service, 'ben')];
    expect(await refusalOf(ana.decideTogether([first.caseId, inGroup?.id ?? '']))).toBe('cases_not_alike');
    await ben.claim(second.caseId);
    expect(await refusalOf(ana.decideTogether([first.caseId, second.caseId]))).toBe('case_held');
    expect((await ana.list({ state: 'free' })).items.map(({ case_id }) => case_id)).toEqual([
      first.caseId,
      inGroup?.id,
    ]);
  });

  it('by one of two reviewers who do so at once', async () => {
    const service = await withReviewers();
    const ids = [(await openCase(service, 'alice')).caseId, (await openCase(service, 'bob')).caseId];
    const outcomes = await Promise.all(
      ['ana', 'ben'].map((name) => refusalOf(deskOf(service, name).decideTogether(ids))),
    );
    expect(outcomes.sort()).toEqual(['(not refused)', 'case_decided']);
  });
});

describe('a case can be assigned', () => {
  it('comes first to its reviewer, to no other as the next one, and can still be taken by hand', async () => {
    const service = await withReviewers();
    const first = await openCase(service, 'alice');
    service.clock.advance(1_000);
    const second = await openCase(service, 'bob');
    const [ana, ben] = [deskOf(service, 'ana'), deskOf(service, 'ben')];
    expect(await ana.assign(second.caseId, 'ben')).toMatchObject({ assigned_to: { operator_id: 'ben' } });
    expect((await ben.list({ state: 'mine' })).items).toMatchObject([{ case_id: second.caseId }]);
    expect(await ana.next()).toEqual({ case_id: first.caseId });
    await ana.decide(first.caseId);
    expect(await ana.next()).toEqual({ case_id: null });
    expect(await ben.next()).toEqual({ case_id: second.caseId });
    await ben.release(second.caseId);
    expect(await ana.claim(second.caseId)).toMatchObject({ held_by: { operator_id: 'ana' } });
  });

  it('which hands it over: the one who assigns it no longer holds it, a third reviewer does', async () => {
    const service = await withReviewers();
    const { caseId } = await openCase(service);
    const [ana, ben] = [deskOf(service, 'ana'), deskOf(service, 'ben')];
    await ana.claim(caseId);
    expect(await ana.assign(caseId, 'ana')).toMatchObject({ held_by: { operator_id: 'ana' } });
    expect(await ana.assign(caseId, 'ben')).toMatchObject({ held_by: null });
    expect(await ben.claim(caseId)).toMatchObject({ held_by: { operator_id: 'ben' } });
    expect(await ana.assign(caseId, 'ana')).toMatchObject({ held_by: { operator_id: 'ben' } });
  });

  it('only to an operator who can review it; without such an assignee it is anybody’s', async () => {
    const service = await withReviewers();
    const { caseId } = await openCase(service);
    const [ana, ben] = [deskOf(service, 'ana'), deskOf(service, 'ben')];
    expect(await refusalOf(ana.assign(caseId, 'nobody'))).toBe('not_a_reviewer');
    await ana.assign(caseId, 'ana');
    await service.deps.db.tx((tx) => tx.run("UPDATE operators SET disabled_at = 1 WHERE id = 'ana'"));
    expect(await ben.next()).toEqual({ case_id: caseId });
    await ben.release(caseId);
    await service.deps.db.tx((tx) =>
      tx.run("UPDATE operators SET disabled_at = NULL, all_companies = 0 WHERE id = 'ana'"),
    );
    expect(await ben.next()).toEqual({ case_id: caseId });
    await ben.release(caseId);
    expect(await refusalOf(ben.assign(caseId, 'ana'))).toBe('not_a_reviewer');
    expect(await ben.assign(caseId, null)).toMatchObject({ assigned_to: null });
    await ben.claim(caseId);
    await ben.decide(caseId);
    expect(await refusalOf(ben.assign(caseId, 'ben'))).toBe('case_decided');
  });
});

describe('a decision has no effect within its minute', () => {
  it('and then settles the run, once', async () => {
    const service = await withReviewers();
    const { caseId, snapshot } = await openCase(service);
    const ana = deskOf(service, 'ana');
    await ana.claim(caseId);
    expect((await ana.decide(caseId)).decided).toMatchObject({
      held_by: null,
      pending: { decision: 'same_person', by: 'ana', remaining_ms: UNDO_MS },
    });
    service.clock.advance(UNDO_MS - 1);
    expect(await settleDueReviews(service.deps)).toBe(0);
    expect(await stateOf(service, snapshot.session_id)).toBe('in_review');
    service.clock.advance(1);
    expect(await refusalOf(ana.undo(caseId))).toBe('undo_too_late');
    expect(await Promise.all([settleDueReviews(service.deps), settleDueReviews(service.deps)])).toContain(1);
    expect(await stateOf(service, snapshot.session_id)).toBe('settled');
    expect(await passOf(service, snapshot)).toMatchObject({
      status: 'denied',
      reasons: ['collision_company', 'reviewer_denied'],
    });
    expect((await ana.list({ state: 'decided' })).items).toMatchObject([
      { decided: { decision: 'same_person', reason: 'looked closely', by: 'ana' } },
    ]);
  });

  it('undo restores the case, held by the reviewer who decided', async () => {
    const service = await withReviewers();
    const { caseId, snapshot } = await openCase(service);
    const [ana, ben] = [deskOf(service, 'ana'), deskOf(service, 'ben')];
    await ana.claim(caseId);
    await ana.decide(caseId);
    expect(await refusalOf(ben.undo(caseId))).toBe('undo_too_late');
    expect((await ana.undoable()).items).toMatchObject([{ case_id: caseId }]);
    expect(await ana.undo(caseId)).toMatchObject({ pending: null, held_by: { operator_id: 'ana' } });
    service.clock.advance(2 * UNDO_MS);
    expect(await settleDueReviews(service.deps)).toBe(0);
    expect(await stateOf(service, snapshot.session_id)).toBe('in_review');
    expect((await ana.list()).items).toMatchObject([{ case_id: caseId, decided: null }]);
    expect(await ana.undoable()).toEqual({ items: [] });
  });

  it('nobody else can decide it meanwhile: not the console, the command line or the test page', async () => {
    const service = await withReviewers();
    const { caseId, snapshot } = await openCase(service);
    const [ana, ben] = [deskOf(service, 'ana'), deskOf(service, 'ben')];
    await ana.claim(caseId);
    await ana.decide(caseId);
    for (const again of [() => ana.decide(caseId), () => ben.claim(caseId), () => ben.decide(caseId)]) {
      expect(await refusalOf(again())).toBe('case_decided');
    }
    const { db, clock } = service.deps;
    const other = { decision: 'different_people', reason: 'no', actor: 'cli' } as const;
    const { companyId } = service.scope('test');
    expect(await refusalOf(decideReview(db, clock, { companyId, caseId }, other))).toBe('case_decided');
    const session = await sessionOf(service, snapshot.session_id);
    expect(await refusalOf(decideOwnReview(db, clock, session, other))).toBe('case_decided');
  });

  it('lists the last capture’s signs of a photo or screen, and none if no picture was judged', async () => {
    const service = await withReviewers();
    const { deps } = service;
    const scope = service.scope('test');
    const { snapshot, caseId } = await openCase(service);
    expect((await readReviewCase(deps, scope, caseId)).signs).toBeNull();
    const attempt = (findings: string[]) =>
      deps.db.tx((tx) =>
        insertRunEvent(tx, scope, snapshot.session_id, {
          at: NOW,
          kind: 'attempt',
          details: { passed: true, findings, score_parts: { spoof: 9 } },
        }),
      );
    await attempt(['nose_did_not_turn']);
    await attempt(['too_dark', 'straight_rim', 'fine_regular_pattern']);
    const { signs } = await readReviewCase(deps, scope, caseId);
    expect(signs).toEqual(['fine_regular_pattern', 'straight_rim']);
  });

  it('different people are remembered as such', async () => {
    const service = await withReviewers();
    const { caseId, snapshot, personId } = await openCase(service);
    const ana = deskOf(service, 'ana');
    await ana.claim(caseId);
    await ana.decide(caseId, 'different_people');
    service.clock.advance(UNDO_MS);
    await settleDueReviews(service.deps);
    const other = (await passOf(service, snapshot)).personId ?? '';
    expect(await areDistinct(service.deps.db, service.scope('test'), [personId, other])).toBe(true);
    const detail = await readReviewCase(service.deps, service.scope('test'), caseId);
    expect(detail.suspects).toMatchObject([{ told_apart_from: 1 }]);
  });

  it('the match may have been erased meanwhile', async () => {
    const service = await withReviewers();
    const { caseId, snapshot, personId } = await openCase(service);
    const ana = deskOf(service, 'ana');
    await ana.claim(caseId);
    await ana.decide(caseId, 'different_people');
    await service.deps.db.tx((tx) => erasePerson(tx, service.scope('test'), nobodyElse(personId), 0));
    const detail = await readReviewCase(service.deps, service.scope('test'), caseId);
    expect(detail.suspects).toMatchObject([{ person_id: personId, erased: true, history: [] }]);
    service.clock.advance(UNDO_MS);
    await settleDueReviews(service.deps);
    expect(await passOf(service, snapshot)).toMatchObject({ status: 'approved' });
  });
});

describe('pictures', () => {
  it('are available while the case is open and for thirty days after', async () => {
    const service = await withReviewers();
    const { caseId } = await openCase(service);
    const { deps, clock } = service;
    const scope = service.scope('test');
    await deps.db.tx((tx) => insertCaseFrames(tx, scope, caseId, [PICTURE]));
    const look = () => refusalOf(readReviewFrame(deps, scope, { caseId, index: 0 }));
    clock.advance(400 * DAY_MS);
    expect(await look()).toBe('(not refused)');
    const ana = deskOf(service, 'ana');
    await ana.claim(caseId);
    await ana.decide(caseId);
    clock.advance(UNDO_MS);
    await settleDueReviews(deps);
    clock.advance(30 * DAY_MS - 1);
    expect(await look()).toBe('(not refused)');
    clock.advance(1);
    expect(await look()).toBe('not_found');
    expect((await readReviewCase(deps, scope, caseId)).frames).toEqual([]);
    expect(await deps.db.tx((tx) => deleteDueCaseFrames(tx, clock.deletionTime(), 10))).toBe(1);
  });

  it('of the match are those of their own earlier case, as long as it keeps them', async () => {
    const service = await withReviewers();
    const first = await openCase(service);
    const { deps } = service;
    const scope = service.scope('test');
    await deps.db.tx((tx) => insertCaseFrames(tx, scope, first.caseId, [PICTURE]));
    const ana = deskOf(service, 'ana');
    await ana.claim(first.caseId);
    await ana.decide(first.caseId, 'same_person_allow');
    service.clock.advance(UNDO_MS);
    await settleDueReviews(deps);
    const { caseId } = await openCase(service);
    const detail = await readReviewCase(deps, scope, caseId);
    expect(detail).toMatchObject({ test_face: 'alice', frames: [] });
    expect(detail.suspects[0]?.frames).toMatchObject([{ case_id: first.caseId, index: 0 }]);
    expect(detail.suspects[0]?.history.length).toBeGreaterThan(1);
    service.clock.advance(30 * DAY_MS);
    expect((await readReviewCase(deps, scope, caseId)).suspects[0]?.frames).toEqual([]);
  });
});

it('an erased person leaves neither pictures nor notes in their cases', async () => {
  const service = await withReviewers();
  const { caseId, personId } = await openCase(service);
  const { db } = service.deps;
  const scope = service.scope('test');
  await db.tx((tx) => insertCaseFrames(tx, scope, caseId, [PICTURE]));
  const ana = deskOf(service, 'ana');
  await ana.claim(caseId);
  await ana.note(caseId, 'looks like her sister');
  await ana.decide(caseId);
  service.clock.advance(UNDO_MS);
  await settleDueReviews(service.deps);
  const touched = await db.tx((tx) => erasePerson(tx, scope, nobodyElse(personId), 0));
  expect(touched).toMatchObject({ case_frames: 1, review_notes: 1 });
});

describe('the queue', () => {
  it('has the oldest first, page by page, by state', async () => {
    const service = await withReviewers();
    const cases: string[] = [];
    for (const face of ['a', 'b', 'c']) {
      cases.push((await openCase(service, face)).caseId);
      service.clock.advance(60_000);
    }
    const ana = deskOf(service, 'ana');
    await ana.claim(cases[1]!);
    const ids = async (query: object) => (await ana.list(query)).items.map((item) => item.case_id);
    expect(await ids({})).toEqual(cases);
    expect(await ids({ state: 'mine' })).toEqual([cases[1]]);
    expect(await ids({ state: 'free' })).toEqual([cases[0], cases[2]]);
    expect(await ids({ reason: 'collision' })).toEqual([]);
    expect(await ids({ reason: 'collision_company' })).toEqual(cases);
    const page = await ana.list({ limit: 2 });
    expect(await ids({ limit: 2, cursor: page.next_cursor })).toEqual([cases[2]]);
    expect(await readReviewFigures(service.deps, service.scope('test'))).toMatchObject({
      waiting: 3,
      held: 1,
      oldest_ms: 180_000,
      decided_hour: 0,
    });
  });

  it('every step is in the audit log, but not the text of notes', async () => {
    const service = await withReviewers();
    const { caseId } = await openCase(service);
    const ana = deskOf(service, 'ana');
    await ana.claim(caseId);
    await ana.claim(caseId);
    await ana.note(caseId, 'looks like her sister');
    await ana.decide(caseId);
    await ana.undo(caseId);
    await ana.release(caseId);
    const entries = await service.deps.db.all<{ action: string; details: string }>(
      'SELECT action, details FROM audit_entries WHERE subject = ? ORDER BY seq',
      caseId,
    );
    expect(entries.map(({ action }) => action)).toEqual([
      'review.claim',
      'review.note',
      'review.choose',
      'review.undo',
      'review.release',
    ]);
    expect(JSON.stringify(entries)).not.toContain('sister');
    const { notes } = await readReviewCase(service.deps, service.scope('test'), caseId);
    expect(notes).toMatchObject([{ by: 'ana', text: 'looks like her sister' }]);
  });
});
