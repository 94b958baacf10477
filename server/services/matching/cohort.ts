/** Keeps the stand-out cohort complete, inside the transaction that needs it or that removes someone from it. */
import { COHORT_SIZE } from '../../domain/matching/matching.ts';
import type { FacePool } from '../../domain/matching/face-pool.ts';
import type { Scope } from '../../domain/scope.ts';
import type { FaceEngine } from '../../face/engine.ts';
import { addToCohort, countCohorts, listCohort, listFirstOfPool } from '../../store/matching/cohort.ts';
import type { SqlTx } from '../../store/sql/port.ts';

/** A different person to compare with: an enrolled one, or a synthetic vector. */
export type Stranger = { personId: string | null; vector: Float32Array };

/**
 * The cohort for judging a match: up to 500 enrolled people, supplemented with the model's own vectors. Enrolled
 * people come first, because people at one event are similar in ways that no bundled vector covers. Null if fewer than
 * 500 are enrolled and the model has no vectors.
 */
export async function readyCohort(
  tx: SqlTx,
  pool: FacePool,
  model: Pick<FaceEngine, 'embeddingModel' | 'cohort'>,
  enrolled: number,
): Promise<Stranger[] | null> {
  const members = await membersOf(tx, pool, model.embeddingModel, Math.min(COHORT_SIZE, enrolled));
  const missing = Math.max(0, COHORT_SIZE - members.length);
  if (missing === 0) return members;
  if (!model.cohort) return null;
  return [...members, ...model.cohort.slice(0, missing).map((vector) => ({ personId: null, vector }))];
}

async function membersOf(tx: SqlTx, pool: FacePool, model: string, wanted: number): Promise<Stranger[]> {
  const { eventId } = pool;
  if (eventId !== undefined) return listFirstOfPool(tx, { ...pool, eventId }, model, wanted);
  const members = await listCohort(tx, pool, model);
  if (members.length >= wanted) return members;
  await addToCohort(tx, pool, model, wanted - members.length);
  return listCohort(tx, pool, model);
}

/** After a person was removed: replaces them in the cohort of every model here. */
export async function refillCohorts(tx: SqlTx, scope: Scope): Promise<void> {
  for (const { model, members } of await countCohorts(tx, scope)) {
    if (members < COHORT_SIZE) await addToCohort(tx, scope, model, COHORT_SIZE - members);
  }
}
