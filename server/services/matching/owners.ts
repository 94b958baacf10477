import { type Identity, sameIdentity } from '../../domain/identity.ts';
import type { Facts, PersonFact } from '../../domain/settling/settle.ts';
import type { Scope } from '../../domain/scope.ts';
import { listPassesOf } from '../../store/passes/passes.ts';
import { awaitsFirstFace } from '../../store/people/imports.ts';
import { findExternalIdOwner, findIdentityOwner, findPerson } from '../../store/people/people.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import type { Session } from '../../store/runs/sessions.ts';

/** A person's history as settling reads it; undefined if the person no longer exists. */
export async function personFact(
  db: SqlReader,
  scope: Scope,
  personId: string,
): Promise<PersonFact | undefined> {
  const person = await findPerson(db, scope, personId);
  if (!person) return undefined;
  return {
    id: person.id,
    externalIds: person.externalIds,
    passes: await listPassesOf(db, scope, personId),
    ...(person.block && { block: person.block }),
  };
}

/** Credentials of a run: the one that its backend seeded, and the verified phone. */
export function identitiesOf({ request, provenPhone }: Session): Identity[] {
  const phone: Identity | null = provenPhone === null ? null : { provider: 'phone', identifier: provenPhone };
  const seeded = request.identity;
  if (!seeded) return phone ? [phone] : [];
  return phone && !sameIdentity(seeded, phone) ? [seeded, phone] : [seeded];
}

/** Only v3's `external_id` names a person; those of v1 and v2 name an account within a pool (decisions §5, rule 6). */
export const personalIdOf = ({ generation, request }: Session): string | null =>
  generation === 'v3' ? request.externalId : null;

/** Represents an owner whom no face can match: the run's credentials belong to two people. */
const TWO_OWNERS = 'two-owners';

/** The owners of a run's credentials and its external ID. Gathered once per settlement, and passed on. */
export type Owners = Pick<Facts, 'identityOwnerId' | 'externalIdOwnerId'>;

export const NO_OWNERS: Owners = { identityOwnerId: null, externalIdOwnerId: null };

export async function ownerFacts(db: SqlReader, session: Session): Promise<Owners> {
  const { scope } = session;
  const owners = new Set<string>();
  for (const identity of identitiesOf(session)) {
    const owner = await findIdentityOwner(db, scope, identity);
    if (owner !== undefined) owners.add(owner);
  }
  const [identityOwnerId = null] = owners;
  const personalId = personalIdOf(session);
  const externalIdOwner = personalId === null ? undefined : await findExternalIdOwner(db, scope, personalId);
  return {
    identityOwnerId: owners.size > 1 ? TWO_OWNERS : identityOwnerId,
    externalIdOwnerId: externalIdOwner?.personId ?? null,
  };
}

/**
 * An imported person who has had no face yet, if the run's credentials name nobody else: the first face that is nobody's becomes
 * theirs.
 */
export async function importedOwner(
  db: SqlReader,
  scope: Scope,
  { identityOwnerId, externalIdOwnerId: owner }: Owners,
): Promise<string | null> {
  if (owner === null || (identityOwnerId !== null && identityOwnerId !== owner)) return null;
  return (await awaitsFirstFace(db, scope, owner)) ? owner : null;
}
