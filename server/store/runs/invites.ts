import type { Generation } from '../../contract/operations.ts';
import type { Partition, Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { fromJson, inScope, insertRow, ofScope, toJson } from '../rows.ts';
import type { SessionRequest } from '../../domain/runs/session-request.ts';

/** A durable link: claimable until redeemed or revoked (contract, initialize rule 5). */
export type Invite = {
  id: string;
  scope: Scope;
  verificationId: string;
  keyId: string | null;
  request: SessionRequest;
  /** The session in which it was last resumed. */
  sessionId: string | null;
  createdAt: number;
  revokedAt: number | null;
  /** v1 invites create v1 runs for their user. */
  generation: Generation;
  connectUserId: string | null;
};

type Row = Omit<Invite, 'scope' | 'request'> & { companyId: string; partition: Partition; request: string };

const COLUMNS = `id, company_id AS companyId, partition, verification_id AS verificationId, key_id AS keyId, request,
  session_id AS sessionId, created_at AS createdAt, revoked_at AS revokedAt, generation,
  connect_user_id AS connectUserId`;

const fromRow = ({ secrets }: SqlReader, { companyId, partition, request, ...row }: Row): Invite => ({
  ...row,
  scope: { companyId, partition },
  request: fromJson<SessionRequest>(secrets.open('invites.request', [row.id], request)),
});

export async function insertInvite(tx: SqlTx, invite: Invite, codeHash: Uint8Array): Promise<void> {
  await insertRow(tx, 'invites', {
    id: invite.id,
    code_hash: codeHash,
    ...inScope(invite.scope),
    verification_id: invite.verificationId,
    key_id: invite.keyId,
    request: tx.secrets.seal('invites.request', [invite.id], toJson(invite.request)),
    created_at: invite.createdAt,
    generation: invite.generation,
    connect_user_id: invite.connectUserId,
  });
}

/** By the hash of the code in its link: the code itself grants access, and determines its scope. */
export async function findInviteByCode(db: SqlReader, codeHash: Uint8Array): Promise<Invite | undefined> {
  const row = await db.one<Row>(`SELECT ${COLUMNS} FROM invites WHERE code_hash = ?`, codeHash);
  return row && fromRow(db, row);
}

export async function listInvites(db: SqlReader, companyId: string): Promise<Invite[]> {
  const rows = await db.all<Row>(
    `SELECT ${COLUMNS} FROM invites WHERE company_id = ? ORDER BY created_at, id`,
    companyId,
  );
  return rows.map((row) => fromRow(db, row));
}

export function setInviteSession(tx: SqlTx, scope: Scope, id: string, sessionId: string): Promise<number> {
  return tx.run(
    'UPDATE invites SET session_id = ? WHERE company_id = ? AND partition = ? AND id = ? AND revoked_at IS NULL',
    sessionId,
    ...ofScope(scope),
    id,
  );
}

/** 1 for the call that revoked it. */
export function revokeInvite(tx: SqlTx, companyId: string, id: string, at: number): Promise<number> {
  return tx.run(
    'UPDATE invites SET revoked_at = ? WHERE company_id = ? AND id = ? AND revoked_at IS NULL',
    at,
    companyId,
    id,
  );
}
