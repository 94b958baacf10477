import { type Enrolment, furtherViews, MAX_TEMPLATES, placeFor } from '../../domain/matching/template-set.ts';
import type { FacePool } from '../../domain/matching/face-pool.ts';
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
import { newId } from '../ports/ids.ts';
import { poolOfRun } from './face-pool.ts';
import { identitiesOf, type Owners, personalIdOf } from './owners.ts';
import { keepSealed, type TicketSeal } from './sealed-faces.ts';

/**
 * Binds identity, external ID, metadata and face to the person, a new one if none (decisions §5, rule 9). Returns the
 * person's ID. The face goes into the pool of the run.
 */
export async function enrol(
  tx: SqlTx,
  session: Session,
  {
    personId,
    owners,
    enrolment,
    seal,
    passId,
    at,
  }: {
    personId: string | null;
    owners: Owners;
    enrolment: Enrolment | null;
    /** With which the face is kept sealed; null if it is not kept. Left out where faces are not sealed. */
    seal?: TicketSeal | null | undefined;
    passId: string;
    at: number;
  },
): Promise<string> {
  const { scope } = session;
  const id = personId ?? newId(at);
  if (personId === null) await insertPerson(tx, scope, id, at);
  await bindAccount(tx, session, { personId: id, owners, at });
  const { pool, untilMs } = await poolOfRun(tx, session);
  // A review can be decided after the event's faces have ended.
  if (enrolment === null || seal === null || (untilMs !== null && untilMs <= at)) return id;
  if (enrolment.kind === 'test_face') {
    await insertTestFace(tx, scope, enrolment.name, id);
  } else {
    const { views = [], ...first } = enrolment;
    if (seal !== undefined) {
      await keepSealed(tx, pool, seal, { ...first, views, personId: id, passId, at });
      return id;
    }
    await keepTemplate(tx, pool, { ...first, personId: id, passId, at });
    if (personId === null)
      for (const vector of furtherViews(first.vector, views))
        await keepTemplate(tx, pool, { ...first, vector, personId: id, passId, at });
  }
  return id;
}

/**
 * Records the visit, the metadata of the run, and for how long the person agreed that their face is kept. What they agreed to at
 * an event with faces of its own says nothing of a face that the organiser keeps.
 */
export async function recordVisit(tx: SqlTx, session: Session, personId: string, at: number): Promise<void> {
  const { scope, request, consentAt } = session;
  const { untilMs } = await poolOfRun(tx, session);
  await touchPerson(tx, scope, personId, {
    metadata: request.metadata,
    retentionDays: untilMs === null ? session.retentionDays : null,
    agreedAt: consentAt ?? at,
    at,
  });
}

/**
 * Binds the run's credentials to the person, except those that belong to someone else. A reviewer may tell two people
 * apart of whom the first owns the account: the second is then enrolled without it. In every other run a foreign owner
 * is a hard denial, so it does not get here.
 */
export async function bindAccount(
  tx: SqlTx,
  session: Session,
  { personId, owners, at }: { personId: string; owners: Owners; at: number },
): Promise<void> {
  const isFree = (owner: string | null) => owner === null || owner === personId;
  const { scope, verificationId } = session;
  await recordVisit(tx, session, personId, at);
  const externalId = personalIdOf(session);
  if (externalId !== null && isFree(owners.externalIdOwnerId)) {
    await bindExternalId(tx, scope, { personId, externalId, verificationId, at });
  }
  if (isFree(owners.identityOwnerId)) {
    for (const identity of identitiesOf(session)) await bindIdentity(tx, scope, personId, identity, at);
  }
}

/** One more view of the face, replacing one that adds less if the set is full. */
async function keepTemplate(
  tx: SqlTx,
  pool: FacePool,
  template: Parameters<typeof insertTemplate>[2],
): Promise<void> {
  const kept = await listTemplatesOf(tx, pool, template.model, template.personId);
  if (kept.length >= MAX_TEMPLATES) {
    const place = placeFor(kept, template);
    const goes = place === null ? undefined : kept[place];
    if (!goes) return;
    await deleteTemplate(tx, pool, goes.seq);
  }
  await insertTemplate(tx, pool, template);
}
