import type { Facts, PersonFact } from '../domain/settle.ts';
import type { Scope } from '../domain/scope.ts';
import { listPassesOf } from '../store/passes.ts';
import { findExternalIdOwner, findIdentityOwner, findPerson } from '../store/people.ts';
import type { SqlReader } from '../store/port.ts';
import type { Session } from '../store/sessions.ts';

/** A person's history as settling reads it; undefined where the person is gone. */
export async function personFact(
  db: SqlReader,
  scope: Scope,
  personId: string,
): Promise<PersonFact | undefined> {
  const person = await findPerson(db, scope, personId);
  if (!person) return undefined;
  return { id: person.id, externalIds: person.externalIds, passes: await listPassesOf(db, scope, personId) };
}

/** Whom the run's credential and external id belong to already. */
export async function ownerFacts(
  db: SqlReader,
  { scope, request }: Session,
): Promise<Pick<Facts, 'identityOwnerId' | 'externalIdOwnerId'>> {
  const identityOwner = request.identity ? await findIdentityOwner(db, scope, request.identity) : undefined;
  const externalIdOwner =
    request.externalId === null ? undefined : await findExternalIdOwner(db, scope, request.externalId);
  return { identityOwnerId: identityOwner ?? null, externalIdOwnerId: externalIdOwner?.personId ?? null };
}
