/**
 * Settles the console's decisions after their minute. They are found in the store, so that they survive the end of the
 * process.
 */
import { operatorActor } from '../../domain/operators/actor.ts';
import { findCase } from '../../store/reviews/cases.ts';
import { listDueCases, nextDecisionAt, postponeDecision } from '../../store/reviews/leases.ts';
import type { Ports } from '../ports/ports.ts';
import { settleCase } from './reviews.ts';

/** Maximum at once. After a long time off, the rest follows a second later. */
const AT_ONCE = 50;
/** Delay before a decision that cannot be settled is retried, so that it neither blocks others nor fills the log. */
const RETRY_MS = 60_000;

type Deps = Pick<Ports, 'db' | 'clock'>;

/**
 * Settles what is due, each in its own transaction. Returns how many there were.
 * @throws AggregateError after the rest was settled, if some could not be
 */
export async function settleDueReviews({ db, clock }: Deps): Promise<number> {
  const failures: unknown[] = [];
  let settled = 0;
  for (const { id: caseId, companyId } of await listDueCases(db, clock.now(), AT_ONCE)) {
    try {
      if (await settlePending({ db, clock }, { companyId, caseId })) settled += 1;
    } catch (error) {
      failures.push(error);
      await db.tx((tx) => postponeDecision(tx, companyId, caseId, clock.now() + RETRY_MS), { companyId });
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some reviews could not be settled.');
  return settled;
}

/** One that is due waits for another node, which may just have died, or for the next turn. */
const OVERDUE_AGAIN_MS = 1_000;

/** In how many milliseconds to look for the next decision that takes effect; undefined if none waits. */
export async function nextDecisionInMs({ db, clock }: Deps): Promise<number | undefined> {
  const at = await nextDecisionAt(db);
  if (at === undefined) return undefined;
  const inMs = at - clock.now();
  return inMs > 0 ? inMs : OVERDUE_AGAIN_MS;
}

/**
 * Settles a reviewer's decision from the console when it is due. Returns false if it was undone meanwhile or another
 * process has settled it.
 */
async function settlePending(
  { db, clock }: Deps,
  where: { companyId: string; caseId: string },
): Promise<boolean> {
  return db.tx(
    async (tx) => {
      const at = clock.now();
      const found = await findCase(tx, where.companyId, where.caseId);
      if (!found?.pending || found.decision !== null || found.pending.effectiveAt > at) return false;
      const { decision, reason, by } = found.pending;
      await settleCase(tx, found, { decision, reason, actor: operatorActor(by) }, at);
      return true;
    },
    { companyId: where.companyId },
  );
}
