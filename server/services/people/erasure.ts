/** Erasing a person: everything but a proof that it was done (product, "Privacy"). */
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import { findPerson } from '../../store/people/people.ts';
import { refillCohorts } from '../matching/cohort.ts';
import { endConnectionsOf } from '../connections/connections.ts';
import type { ServiceDeps } from '../deps.ts';
import { eraseWithProof } from './erasure-proof.ts';

/**
 * Returns the id of the proof, null where the scope has no such person. Connections of v1 and v2 end with it: revoked
 * where the person asked for it, denied where the company did, so that an integration hears of every end. The index
 * forgets the face before the call returns, and the database's log holds no older state of the rows by then.
 */
export async function eraseOnePerson(
  { db, clock, faceIndex }: Pick<ServiceDeps, 'db' | 'clock' | 'faceIndex'>,
  scope: Scope,
  personId: string,
  actor: Actor,
  reason: string | null = null,
): Promise<string | null> {
  const proofId = await db.tx(async (tx) => {
    const person = await findPerson(tx, scope, personId);
    if (!person) return null;
    const at = clock.now();
    // While the person is still there to find their users by.
    await endConnectionsOf(tx, scope, personId, actor === 'person' ? 'revoked' : 'denied', at);
    const id = await eraseWithProof(tx, scope, person, { at, actor, reason });
    await refillCohorts(tx, scope);
    return id;
  });
  await faceIndex.catchUp(scope);
  if (proofId !== null) await db.truncateLog();
  return proofId;
}
