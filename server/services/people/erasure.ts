/** Erasing a person: everything except a record of the erasure (product, "Privacy"). */
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import { findPerson } from '../../store/people/people.ts';
import { refillCohorts } from '../matching/cohort.ts';
import { endConnectionsOf } from '../connections/connections.ts';
import type { Ports } from '../ports.ts';
import type { FaceIndex } from '../matching/face-index.ts';
import { eraseWithProof } from './erasure-proof.ts';

/**
 * Returns the ID of the record; null if the scope has no such person. Ends connections of v1 and v2: revoked if the
 * person asked for it, denied if the company did, so that integrations learn of every end. When the call returns, the
 * index no longer contains the face, and the database's log no older state of the rows.
 */
export async function eraseOnePerson(
  { db, clock, faceIndex }: Pick<Ports, 'db' | 'clock'> & { faceIndex: FaceIndex },
  scope: Scope,
  personId: string,
  actor: Actor,
  reason: string | null = null,
): Promise<string | null> {
  const proofId = await db.tx(async (tx) => {
    const person = await findPerson(tx, scope, personId);
    if (!person) return null;
    const at = clock.now();
    // While the person still exists, to find their users.
    await endConnectionsOf(tx, scope, personId, actor === 'person' ? 'revoked' : 'denied', at);
    const id = await eraseWithProof(tx, scope, person, { at, actor, reason });
    await refillCohorts(tx, scope);
    return id;
  });
  await faceIndex.catchUp(scope);
  if (proofId !== null) await db.truncateLog();
  return proofId;
}
