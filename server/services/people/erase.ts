/** Erasing people from the console, and the records of erasures. */
import type { Actor } from '../../domain/operators/actor.ts';
import type { ErasurePage, ErasureProof, ErasureQuery, PersonErase } from '../../contract/console/people.ts';
import { pageLimit, toPage } from '../../domain/cursor.ts';
import type { Scope } from '../../domain/scope.ts';
import { shortId } from '../../domain/short-id.ts';
import {
  type ErasureProofRow,
  findErasureProof,
  listErasureProofs,
} from '../../store/people/erasure-proofs.ts';
import type { SqlReader } from '../../store/sql/port.ts';
import { fromJson } from '../../store/rows.ts';
import type { Ports } from '../ports.ts';
import type { FaceIndex } from '../matching/face-index.ts';
import { eraseOnePerson } from './erasure.ts';
import { iso } from '../times.ts';
import { ConsoleError, notFound } from '../errors.ts';
import { placeOf } from '../lists.ts';

/** @throws ConsoleError `confirmation_mismatch`, `not_found` */
export async function erasePersonInConsole(
  deps: Pick<Ports, 'db' | 'clock'> & { faceIndex: FaceIndex },
  scope: Scope,
  id: string,
  { reason, confirm }: PersonErase,
  actor: Actor,
): Promise<ErasureProof> {
  if (confirm.trim().toLowerCase() !== shortId(id)) {
    throw new ConsoleError('confirmation_mismatch', { id: shortId(id) });
  }
  const proofId = await eraseOnePerson(deps, scope, id, actor, reason);
  if (proofId === null) throw notFound();
  return readErasureProof(deps.db, scope, proofId);
}

/** @throws ConsoleError `not_found` */
export async function readErasureProof(db: SqlReader, scope: Scope, id: string): Promise<ErasureProof> {
  const row = await findErasureProof(db, scope, id);
  if (!row) throw notFound();
  return toProof(row);
}

/** Newest first. @throws ConsoleError `invalid_cursor` */
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
