/** Erasing a person: everything but a proof that it was done (product, "Privacy"). */
import type { Scope } from '../domain/scope.ts';
import { appendAudit } from '../store/audit.ts';
import { erasePerson } from '../store/erasure.ts';
import { findPerson } from '../store/people.ts';
import { endConnectionsOf } from './connections.ts';
import { refillCohorts } from './cohort.ts';
import type { ServiceDeps } from './deps.ts';

/**
 * False where the scope has no such person. Connections of v1 and v2 end with it: revoked where the person asked for it,
 * denied where the company did, so that an integration hears of every end. The index forgets the face before the call
 * returns.
 */
export async function eraseOnePerson(
  { db, clock, gallery }: Pick<ServiceDeps, 'db' | 'clock' | 'gallery'>,
  scope: Scope,
  personId: string,
  actor: string,
): Promise<boolean> {
  const erased = await db.tx(async (tx) => {
    const person = await findPerson(tx, scope, personId);
    if (!person) return false;
    const at = clock.now();
    // While the person is still there to find their users by.
    await endConnectionsOf(tx, scope, personId, actor === 'person' ? 'revoked' : 'denied', at);
    const touched = await erasePerson(tx, scope, personId, person.identities);
    await refillCohorts(tx, scope);
    await appendAudit(tx, {
      at,
      actor,
      action: 'person.erase',
      companyId: scope.companyId,
      partition: scope.partition,
      subject: personId,
      details: { rows: touched },
    });
    return true;
  });
  await gallery.catchUp(scope);
  return erased;
}
