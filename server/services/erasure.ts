/** Erasing a person: everything but a proof that it was done (product, "Privacy"). */
import type { Scope } from '../domain/scope.ts';
import { appendAudit } from '../store/audit.ts';
import { erasePerson } from '../store/erasure.ts';
import { findPerson } from '../store/people.ts';
import type { ServiceDeps } from './deps.ts';

/** False where the scope has no such person. The index forgets the face before the call returns. */
export async function eraseOnePerson(
  { db, clock, gallery }: Pick<ServiceDeps, 'db' | 'clock' | 'gallery'>,
  scope: Scope,
  personId: string,
  actor: string,
): Promise<boolean> {
  const erased = await db.tx(async (tx) => {
    const person = await findPerson(tx, scope, personId);
    if (!person) return false;
    const touched = await erasePerson(tx, scope, personId, person.identities);
    await appendAudit(tx, {
      at: clock.now(),
      actor,
      action: 'person.erase',
      companyId: scope.companyId,
      partition: scope.partition,
      subject: personId,
      details: { rows: touched },
    });
    return true;
  });
  gallery.forget(scope, personId);
  return erased;
}
