/**
 * Settles the console's decisions after their minute. They are found in the store, so that they survive the end of the
 * process.
 */
import { listDueCases, postponeDecision } from '../../store/reviews/leases.ts';
import type { Ports } from '../ports.ts';
import { settlePending } from './reviews.ts';

/** Poll interval; the delay beyond the minute. */
export const DUE_EVERY_MS = 1_000;
/** Maximum per poll. After a long time off, the rest follows with the next polls. */
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
      if (await settlePending(db, clock, { companyId, caseId })) settled += 1;
    } catch (error) {
      failures.push(error);
      await db.tx((tx) => postponeDecision(tx, companyId, caseId, clock.now() + RETRY_MS), { companyId });
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some reviews could not be settled.');
  return settled;
}
