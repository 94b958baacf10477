import type { Enrolment } from '../../domain/matching/enrolment.ts';
import type { Scope } from '../../domain/scope.ts';
import { MAX_TEMPLATES, placeFor } from '../../domain/matching/template-set.ts';
import {
  bindExternalId,
  bindIdentity,
  insertPerson,
  insertTestFace,
  touchPerson,
} from '../../store/people/people.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import type { Session } from '../../store/runs/sessions.ts';
import { deleteTemplate, insertTemplate, listTemplatesOf } from '../../store/matching/templates.ts';
import { newId } from '../ids.ts';
import { identitiesOf, ownerFacts, personalIdOf } from './owners.ts';

/**
 * Binds identity, external id, metadata and face to the person, a new one if none (decisions §5, rule 9).
 * Returns the person's id.
 */
export async function enrol(
  tx: SqlTx,
  session: Session,
  {
    personId,
    enrolment,
    passId,
    at,
  }: { personId: string | null; enrolment: Enrolment; passId: string; at: number },
): Promise<string> {
  const { scope } = session;
  const id = personId ?? newId(at);
  if (personId === null) await insertPerson(tx, scope, id, at);
  await bindAccount(tx, session, id, at);
  if (enrolment.kind === 'test_face') {
    await insertTestFace(tx, scope, enrolment.name, id);
  } else {
    await keepTemplate(tx, scope, { ...enrolment, personId: id, passId, at });
  }
  return id;
}

/** What the run carried becomes the person's, but for what is somebody else's. */
export async function bindAccount(tx: SqlTx, session: Session, personId: string, at: number): Promise<void> {
  const { scope, request, verificationId } = session;
  await touchPerson(tx, scope, personId, request.metadata, at);
  const externalId = personalIdOf(session);
  if (externalId !== null && (await isFree(tx, session, personId, 'external_id'))) {
    await bindExternalId(tx, scope, { personId, externalId, verificationId, at });
  }
  if (await isFree(tx, session, personId, 'identity')) {
    for (const identity of identitiesOf(session)) await bindIdentity(tx, scope, personId, identity, at);
  }
}

/** One more view of the face, in the place of one that adds less where there are enough. */
async function keepTemplate(
  tx: SqlTx,
  scope: Scope,
  template: Parameters<typeof insertTemplate>[2],
): Promise<void> {
  const kept = await listTemplatesOf(tx, scope, template.model, template.personId);
  if (kept.length >= MAX_TEMPLATES) {
    const place = placeFor(kept, template);
    const goes = place === null ? undefined : kept[place];
    if (!goes) return;
    await deleteTemplate(tx, scope, goes.seq);
  }
  await insertTemplate(tx, scope, template);
}

/**
 * A reviewer may tell two people apart of whom the first owns the account: then the second is enrolled without it. In
 * every other run a foreign owner is a hard denial and never comes this far.
 */
async function isFree(
  tx: SqlTx,
  session: Session,
  personId: string,
  what: 'external_id' | 'identity',
): Promise<boolean> {
  const { identityOwnerId, externalIdOwnerId } = await ownerFacts(tx, session);
  const owner = what === 'identity' ? identityOwnerId : externalIdOwnerId;
  return owner === null || owner === personId;
}
