/** Keeps the stand-out cohort complete, inside the transaction that needs it or that takes someone out of it. */
import { COHORT_SIZE } from '../../domain/matching/standout.ts';
import type { Scope } from '../../domain/scope.ts';
import type { FaceEngine } from '../../face/engine.ts';
import { addToCohort, countCohorts, listCohort } from '../../store/matching/cohort.ts';
import type { SqlTx } from '../../store/sql/port.ts';

/** A stranger to compare with: somebody enrolled, or a vector of nobody. */
export type Stranger = { personId: string | null; vector: Float32Array };

/**
 * The cohort to judge a match by: up to 500 enrolled people, and the model's own vectors in the place of those who are
 * missing. The enrolled come first, because people of one event are alike in ways that no shipped vector knows. Null where
 * fewer than 500 are enrolled and the model brings no vectors.
 */
export async function readyCohort(
  tx: SqlTx,
  scope: Scope,
  model: Pick<FaceEngine, 'embeddingModel' | 'cohort'>,
  enrolled: number,
): Promise<Stranger[] | null> {
  const wanted = Math.min(COHORT_SIZE, enrolled);
  let members = await listCohort(tx, scope, model.embeddingModel);
  if (members.length < wanted) {
    await addToCohort(tx, scope, model.embeddingModel, wanted - members.length);
    members = await listCohort(tx, scope, model.embeddingModel);
  }
  const missing = Math.max(0, COHORT_SIZE - members.length);
  if (missing === 0) return members;
  if (!model.cohort) return null;
  return [...members, ...model.cohort.slice(0, missing).map((vector) => ({ personId: null, vector }))];
}

/** After someone was taken out: replaces members, of every model that has a cohort here. */
export async function refillCohorts(tx: SqlTx, scope: Scope): Promise<void> {
  for (const { model, members } of await countCohorts(tx, scope)) {
    if (members < COHORT_SIZE) await addToCohort(tx, scope, model, COHORT_SIZE - members);
  }
}
