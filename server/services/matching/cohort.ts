/** Keeping the stand-out cohort complete, inside the transaction that needs it or takes someone out of it. */
import { COHORT_SIZE } from '../../domain/matching/standout.ts';
import type { Scope } from '../../domain/scope.ts';
import { addToCohort, type CohortMember, countCohorts, listCohort } from '../../store/matching/cohort.ts';
import type { SqlTx } from '../../store/sql/port.ts';

/**
 * The cohort to judge by, filled up where members are missing; null where too few are enrolled. A member who was erased
 * is gone from it with their templates, whoever erased them.
 */
export async function readyCohort(
  tx: SqlTx,
  scope: Scope,
  model: string,
  enrolled: number,
): Promise<CohortMember[] | null> {
  if (enrolled < COHORT_SIZE) return null;
  const cohort = await listCohort(tx, scope, model);
  if (cohort.length >= COHORT_SIZE) return cohort;
  await addToCohort(tx, scope, model, COHORT_SIZE - cohort.length);
  const filled = await listCohort(tx, scope, model);
  return filled.length >= COHORT_SIZE ? filled : null;
}

/** After someone was taken out: replaces members, of every model that has a cohort here. */
export async function refillCohorts(tx: SqlTx, scope: Scope): Promise<void> {
  for (const { model, members } of await countCohorts(tx, scope)) {
    if (members < COHORT_SIZE) await addToCohort(tx, scope, model, COHORT_SIZE - members);
  }
}
