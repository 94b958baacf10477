import type { Scope } from '../domain/scope.ts';
import { appendAudit } from '../store/audit.ts';
import { countRemaining, erasePerson } from '../store/erasure.ts';
import { insertErasureProof } from '../store/erasure-proofs.ts';
import type { Person } from '../store/people.ts';
import type { SqlTx } from '../store/port.ts';
import { forgetFiltersFor } from '../store/saved-filters.ts';
import { newId } from './ids.ts';

/** Erases a person and writes the proof of it. Returns the proof's id. */
export async function eraseWithProof(
  tx: SqlTx,
  scope: Scope,
  person: Person,
  { at, actor, reason }: { at: number; actor: string; reason: string | null },
): Promise<string> {
  // What operators have kept to look for the person by.
  const filters = await forgetFiltersFor(tx, scope, person);
  const removed = await erasePerson(tx, scope, person.id, person.identities, person.externalIds);
  removed['saved_filters'] = filters;
  const remaining = await countRemaining(tx, scope, person.id);
  if (remaining > 0) throw new Error(`Erasing left ${remaining} rows that name the person.`);
  const id = newId(at);
  await insertErasureProof(tx, scope, {
    id,
    personId: person.id,
    erasedAt: at,
    actor,
    reason,
    removed,
    remaining,
  });
  await appendAudit(tx, {
    at,
    actor,
    action: 'person.erase',
    companyId: scope.companyId,
    partition: scope.partition,
    subject: person.id,
    details: { rows: removed, proof_id: id, ...(reason !== null && { reason }) },
  });
  return id;
}
