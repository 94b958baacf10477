/** Test faces: names that replace the camera in the test partition (decisions §6). */
import type { PersonFinding, Snapshot, TestDecision } from '../../contract/flow.ts';
import { type FacePool, testFaceIn } from '../../domain/matching/face-pool.ts';
import type { LivenessOutcome } from '../../domain/settling/settle.ts';
import { findTestFace } from '../../store/people/people.ts';
import type { Session } from '../../store/runs/sessions.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { authoriseStep, readSnapshot } from '../runs/flow.ts';
import type { Decision } from '../../store/reviews/cases.ts';
import { decideOwnReview } from '../reviews/reviews.ts';
import { poolOfRun } from '../matching/face-pool.ts';
import { ticketKeyIn, ticketOfRun } from '../matching/sealed-faces.ts';
import { settleChecked } from '../settling/settlement.ts';
import { snapshotOf, type SnapshotDeps } from '../runs/sessions/session-view.ts';

const NEAR = 'near:';

const FAILING: Readonly<Record<string, { spoofSuspected: boolean; findings: PersonFinding[] }>> = {
  spoof: { spoofSuspected: true, findings: ['try_again'] },
  blurred: { spoofSuspected: false, findings: ['blurred'] },
};

/** Risk scores of test faces. Nothing was measured, so the name determines them. */
const PASSING_SCORE = 0;
const FAILING_SCORE = 90;

/**
 * The same name is the same person, different names are different people; `near:x` is a near match of `x`; `spoof` and
 * `blurred` fail the check.
 * @param flowToken carries the key of a face that is sealed with its ticket
 * @throws Refusal `test_partition_only` on a live session
 */
export async function captureTestFace(
  deps: SnapshotDeps,
  session: Session,
  face: string,
  flowToken: string | null = null,
): Promise<Snapshot> {
  if (session.scope.partition !== 'test') throw new Refusal('test_partition_only');
  const verification = await authoriseStep(deps, session, 'capture');
  const name = face.trim();
  const failing = Object.hasOwn(FAILING, name) ? FAILING[name] : undefined;
  const liveness: LivenessOutcome = failing
    ? { passed: false, selfMismatch: false, spoofSuspected: failing.spoofSuspected, attemptsLeftAfter: 0 }
    : { passed: true };
  const settled = await settleChecked(
    deps,
    { session, verification },
    {
      liveness,
      findings: failing?.findings ?? [],
      // A test face has no stills to sign, so the place where it was chosen counts.
      isTrusted: session.device === 'kiosk',
      guard: async () => true,
      identify: async (tx) => {
        const { pool, isSealed } = await poolOfRun(tx, session);
        if (isSealed) {
          const named = { name, key: ticketKeyIn(flowToken) };
          return { ...(await ofTicket(tx, session, pool, named)), score: scoreOf(failing) };
        }
        const own = testFaceIn(pool, name);
        const twin = testFaceIn(pool, name.startsWith(NEAR) ? name.slice(NEAR.length) : `${NEAR}${name}`);
        const near = await findTestFace(tx, session.scope, twin);
        return {
          personId: (await findTestFace(tx, session.scope, own)) ?? null,
          nearIds: near === undefined ? [] : [near],
          enrolment: { kind: 'test_face', name: own },
          score: scoreOf(failing),
        };
      },
    },
  );
  return snapshotOf(deps, settled.session, { verification, ...settled });
}

const scoreOf = (failing: object | undefined): number => (failing ? FAILING_SCORE : PASSING_SCORE);

/** A name is no face, so nothing is sealed: it belongs to the ticket, whose first name is its guest's, as a face would. */
async function ofTicket(
  tx: SqlTx,
  session: Session,
  pool: FacePool,
  { name, key }: { name: string; key: Uint8Array | null },
) {
  const ticket = await ticketOfRun(tx, session);
  const own = testFaceIn(pool, `${name}\n${ticket?.id ?? ''}`);
  return {
    personId: ticket === undefined ? null : ((await findTestFace(tx, session.scope, own)) ?? null),
    nearIds: [],
    enrolment: { kind: 'test_face' as const, name: own },
    seal: ticket && key && ticket.personId === null ? { ticketId: ticket.id, key } : null,
  };
}

const DECISIONS: Record<TestDecision, Decision> = {
  approve: 'different_people',
  deny: 'same_person',
  approve_flagged: 'same_person_allow',
};

/**
 * Decides a test run in review, as a reviewer would.
 * @throws Refusal `test_partition_only`, `wrong_step` if nothing is in review
 */
export async function reviewTestRun(
  deps: SnapshotDeps,
  session: Session,
  decision: TestDecision,
): Promise<Snapshot> {
  if (session.scope.partition !== 'test') throw new Refusal('test_partition_only');
  await decideOwnReview(deps.db, deps.clock, session, {
    decision: DECISIONS[decision],
    reason: 'test-review',
    actor: 'system',
  });
  return readSnapshot(deps, session.id);
}
