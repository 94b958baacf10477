/** A matched person's kept photo, for the reviewer who holds the case. */
import { operatorActor } from '../../domain/operators/actor.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import { findCase } from '../../store/reviews/cases.ts';
import { readGuestPhoto } from '../../store/reviews/guest-photos.ts';
import { findQueueRow } from '../../store/reviews/queue.ts';
import type { Ports } from '../ports/ports.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';
import type { CaseCall } from './decide.ts';

/**
 * Returns the photo that the event of the case keeps, as JPEG, and records in the audit log who saw it.
 * @throws Refusal `not_found`; `case_not_held` unless the operator holds the undecided case
 */
export function viewGuestPhoto(
  { db, clock }: Pick<Ports, 'db' | 'clock'>,
  { scope, caseId, operatorId }: CaseCall,
  personId: string,
): Promise<Uint8Array> {
  return db.tx(async (tx) => {
    const at = clock.now();
    const row = await findQueueRow(tx, scope, caseId);
    if (!row) throw notFound();
    const isHeld = row.claimedBy === operatorId && (row.leaseUntil ?? 0) > at;
    if (!isHeld || row.decision !== null || row.pendingDecision !== null) {
      throw new Refusal('case_not_held');
    }
    const found = await findCase(tx, scope.companyId, caseId);
    const isMatch = found?.suspectIds.includes(personId) === true;
    const { group } = row;
    const photo =
      isMatch && group !== null ? await readGuestPhoto(tx, scope, { personId, group, now: at }) : undefined;
    if (!photo) throw notFound();
    await appendAudit(tx, {
      ...scope,
      at,
      actor: operatorActor(operatorId),
      action: 'review.photo',
      subject: caseId,
      details: { person_id: personId },
    });
    return photo;
  }, scope);
}
