/** Erasing a person: everything except a record of the erasure (product, "Privacy"). */
import type { Actor } from '../../domain/operators/actor.ts';
import type { Scope } from '../../domain/scope.ts';
import { findPerson } from '../../store/people/people.ts';
import { refillCohorts } from '../matching/cohort.ts';
import { endConnectionsOf } from '../connections/connections.ts';
import type { Ports } from '../ports/ports.ts';
import type { FaceIndex } from '../matching/face-index.ts';
import { eraseWithProof } from './erasure-proof.ts';
import type { ErasurePage, ErasureProof, ErasureQuery, PersonErase } from '../../contract/console/people.ts';
import { pageLimit, toPage } from '../../domain/cursor.ts';
import { shortId } from './people.ts';
import {
  type ErasureProofRow,
  findErasureProof,
  listErasureProofs,
} from '../../store/people/erasure-proofs.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { fromJson } from '../../store/rows.ts';
import { iso, placeOf } from '../wire/values.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';

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

// Erasing people from the console, and the records of erasures.

/** @throws Refusal `confirmation_mismatch`, `not_found` */
export async function erasePersonInConsole(
  deps: Pick<Ports, 'db' | 'clock'> & { faceIndex: FaceIndex },
  scope: Scope,
  id: string,
  { reason, confirm }: PersonErase,
  actor: Actor,
): Promise<ErasureProof> {
  if (confirm.trim().toLowerCase() !== shortId(id)) {
    throw new Refusal('confirmation_mismatch', { args: { id: shortId(id) } });
  }
  const proofId = await eraseOnePerson(deps, scope, id, actor, reason);
  if (proofId === null) throw notFound();
  return readErasureProof(deps.db, scope, proofId);
}

/** @throws Refusal `not_found` */
export async function readErasureProof(db: SqlReader, scope: Scope, id: string): Promise<ErasureProof> {
  const row = await findErasureProof(db, scope, id);
  if (!row) throw notFound();
  return toProof(row);
}

/** Newest first. @throws Refusal `invalid_cursor` */
export async function listProofs(db: SqlReader, scope: Scope, query: ErasureQuery): Promise<ErasurePage> {
  const limit = pageLimit(query);
  const place = placeOf(query.cursor, ['number', 'string']);
  const after = place && { erasedAt: place[0], id: place[1] };
  const sought = query.q?.trim().toLowerCase() ?? '';
  const rows = await listErasureProofs(db, scope, sought === '' ? null : sought, after, limit + 1);
  return toPage(rows, limit, ({ erasedAt, id }) => [erasedAt, id], toProof);
}

function toProof(row: ErasureProofRow): ErasureProof {
  return {
    proof_id: row.id,
    person_id: row.personId,
    short_id: shortId(row.personId),
    company_id: row.companyId,
    partition: row.partition,
    erased_at: iso(row.erasedAt),
    actor: row.actor,
    actor_name: row.actorName,
    reason: row.reason,
    removed: fromJson<Record<string, number>>(row.removed),
    remaining: row.remaining,
    audit_seq: row.auditSeq,
    audit_hash: row.auditHash && Buffer.from(row.auditHash).toString('hex'),
  };
}
