/** The console's decisions whose minute is over. Found in the store, so that one survives whatever ends the process. */
import { listDueCases, postponeDecision } from '../../store/reviews/leases.ts';
import type { ServiceDeps } from '../deps.ts';
import { settlePending } from './reviews.ts';

/** How often the service looks; what a reviewer waits for beyond the minute. */
export const DUE_EVERY_MS = 1_000;
/** At most so many at one look: after a long time off, the rest comes with the next ones. */
const AT_ONCE = 50;
/** A decision that cannot be settled must hold up no other, nor fill the log every second. */
const RETRY_MS = 60_000;

type Deps = Pick<ServiceDeps, 'db' | 'clock'>;

/**
 * Settles what is due, each in a transaction of its own. Returns how many there were.
 * @throws AggregateError after the rest was settled, where some could not be
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
