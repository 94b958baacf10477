/** What a reviewer decided about a control case: kept apart from everything real, and told afterwards. */
import { AGREEMENT_DAYS } from '../../../contract/console/reviews.ts';
import type { ControlRate, ControlTold } from '../../../contract/console/controls.ts';
import { operatorOf, type Actor } from '../../../domain/operators/actor.ts';
import { type ControlAnswer, isRight } from '../../../domain/reviews/controls.ts';
import type { Scope } from '../../../domain/scope.ts';
import { shareOf } from '../../../domain/statistics.ts';
import { appendAudit } from '../../../store/operators/audit.ts';
import type { Decision, StoredCase } from '../../../store/reviews/cases.ts';
import {
  countControlResults,
  insertControlResult,
  listControlResults,
  removeControls,
} from '../../../store/reviews/controls.ts';
import { listOpinions } from '../../../store/reviews/opinions.ts';
import type { SqlReader, SqlTx } from '../../../store/sql/port.ts';
import { iso } from '../../wire/values.ts';

const DAY_MS = 86_400_000;
/** As many as the page shows. */
const MOST_TOLD = 10;

/**
 * Settles a control case: each operator who decided gets a result, and every row that was made for the case is removed. No pass,
 * person, webhook or count of anybody else is touched.
 */
export async function settleControl(
  tx: SqlTx,
  { scope, id }: StoredCase,
  answer: ControlAnswer,
  { decision, actor, at }: { decision: Decision; actor: Actor; at: number },
): Promise<void> {
  const decisions = new Map<string, Decision>();
  for (const opinion of await listOpinions(tx, scope, id))
    decisions.set(opinion.operatorId, opinion.decision);
  const last = operatorOf(actor);
  // The command line names nobody whom it could measure.
  if (last !== null) decisions.set(last, decision);
  for (const [operatorId, decided] of decisions) {
    const isWrong = !isRight(answer, decided);
    const result = { caseId: id, operatorId, answer, decision: decided, isWrong, decidedAt: at };
    await insertControlResult(tx, scope, result);
  }
  await removeControls(tx, { caseId: id });
  await appendAudit(tx, {
    ...scope,
    at,
    actor,
    action: 'review.control',
    subject: id,
    details: { decision: isRight(answer, decision) ? 'right' : 'wrong', chose: decision, answer },
  });
}

/** Of one reviewer or, for admins, of all: how often they erred, and the reader's own latest control cases. */
export async function readControlRates(
  db: SqlReader,
  scope: Scope,
  { id, isAdmin, now }: { id: string; isAdmin: boolean; now: number },
): Promise<{ controls: ControlRate[]; told: ControlTold[] }> {
  const since = now - AGREEMENT_DAYS * DAY_MS;
  const counts = await countControlResults(db, scope, since);
  const own = await listControlResults(db, scope, { operatorId: id, since, limit: MOST_TOLD });
  return {
    controls: counts
      .filter(({ operatorId }) => isAdmin || operatorId === id)
      .map(({ operatorId, name, decided, wrong }) => {
        const { low, high } = shareOf(wrong, decided);
        return { operator_id: operatorId, name, decided, wrong, low, high };
      }),
    told: own.map(({ caseId, decidedAt, decision, answer, isWrong }) => ({
      case_id: caseId,
      decided_at: iso(decidedAt),
      decision,
      answer,
      wrong: isWrong,
    })),
  };
}
