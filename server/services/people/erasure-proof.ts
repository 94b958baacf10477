import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { abandonRun, listRunsNaming } from '../../store/people/erased-runs.ts';
import { countRemaining, erasePerson } from '../../store/people/erasure.ts';
import { insertErasureProof } from '../../store/people/erasure-proofs.ts';
import type { Person } from '../../store/people/people.ts';
import { removeControls } from '../../store/reviews/controls.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import { forgetFiltersFor } from '../../store/operators/saved-filters.ts';
import { findSession } from '../../store/runs/sessions.ts';
import { completeRun } from '../connections/connections.ts';
import { newId } from '../ports/ids.ts';
import { externalIdsOf, queueEvent } from '../webhooks/events.ts';

/** Erases a person and writes the record of it. */
export async function eraseWithProof(
  tx: SqlTx,
  scope: Scope,
  person: Person,
  { at, actor, reason }: { at: number; actor: Actor; reason: string | null },
): Promise<string> {
  // Operators' saved filters for the person.
  const filters = await forgetFiltersFor(tx, scope, person);
  // A control case shows nobody whom an integrator knows.
  const isOfControl = (await removeControls(tx, { personId: person.id })) > 0;
  const ended = await endRunsOf(tx, scope, person, at);
  const removed = await erasePerson(tx, scope, person, at);
  removed['saved_filters'] = filters;
  removed['ended_runs'] = ended;
  const remaining = await countRemaining(tx, scope, person);
  if (remaining > 0) throw new Error(`Erasing left ${remaining} rows that name the person.`);
  if (!isOfControl)
    await queueEvent(tx, scope, {
      type: 'person.erased',
      at,
      data: () => externalIdsOf(person.externalIds),
    });
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
    ...scope,
    at,
    actor,
    action: 'person.erase',
    subject: person.id,
    details: { rows: removed, proof_id: id, ...(reason !== null && { reason }) },
  });
  return id;
}

/** Ends open runs and runs in review of the person, because they can no longer have a result. */
async function endRunsOf(tx: SqlTx, scope: Scope, person: Person, at: number): Promise<number> {
  let ended = 0;
  for (const { id, state, ownerId } of await listRunsNaming(tx, scope, person)) {
    const isTheirs = ownerId === null || ownerId === person.id;
    const session = isTheirs && state !== 'settled' ? await findSession(tx, id) : undefined;
    if (!session || (await abandonRun(tx, scope, id, at)) === 0) continue;
    await completeRun(tx, session, { kind: 'unfulfillable' }, at);
    ended += 1;
  }
  return ended;
}
