/** Who had access to the data that a restore replaces, and the same in the restored data. */
import type { Partition } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

export type AccessKey = {
  id: string;
  pairId: string;
  lineageId: string;
  companyId: string;
  partition: Partition;
  kind: string;
  hash: Uint8Array;
  display: string;
  createdAt: number;
  endsAt: number | null;
  revokedAt: number | null;
  reason: string | null;
};
export type AccessKiosk = {
  id: string;
  companyId: string;
  revokedAt: number | null;
  tokenHash: Uint8Array | null;
  publicKey: Uint8Array | null;
  pairedAt: number | null;
  changedAt: number;
};
/** A disabled operator or a revoked invite. */
export type ClosedAccess = { id: string; at: number };

export const listAccessKeys = (db: SqlReader): Promise<AccessKey[]> =>
  db.all<AccessKey>(
    `SELECT id, pair_id AS pairId, lineage_id AS lineageId, company_id AS companyId, partition, kind, hash, display,
       created_at AS createdAt, ends_at AS endsAt, revoked_at AS revokedAt, reason FROM keys ORDER BY created_at, id`,
  );

export const listAccessKiosks = (db: SqlReader): Promise<AccessKiosk[]> =>
  db.all<AccessKiosk>(
    `SELECT id, company_id AS companyId, revoked_at AS revokedAt, token_hash AS tokenHash, public_key AS publicKey,
       paired_at AS pairedAt, changed_at AS changedAt FROM kiosks ORDER BY created_at, id`,
  );

export const listDisabledOperators = (db: SqlReader): Promise<ClosedAccess[]> =>
  db.all<ClosedAccess>('SELECT id, disabled_at AS at FROM operators WHERE disabled_at IS NOT NULL');

export const listRevokedInvites = (db: SqlReader): Promise<ClosedAccess[]> =>
  db.all<ClosedAccess>('SELECT id, revoked_at AS at FROM invites WHERE revoked_at IS NOT NULL');

/** Adds a key unless it is there. 0 also for a key of a company that the restored data does not have. */
export const addKeyAgain = (tx: SqlTx, key: AccessKey): Promise<number> =>
  tx.run(
    `INSERT INTO keys (id, pair_id, lineage_id, company_id, partition, kind, hash, display, created_at)
     SELECT ?, ?, ?, id, ?, ?, ?, ?, ? FROM companies WHERE id = ? ON CONFLICT DO NOTHING`,
    key.id,
    key.pairId,
    key.lineageId,
    key.partition,
    key.kind,
    key.hash,
    key.display,
    key.createdAt,
    key.companyId,
  );

/** Ends a key at `end`. An end is never moved to a later time. */
export const endKeyAgain = (tx: SqlTx, key: AccessKey, end: number): Promise<number> =>
  tx.run(
    `UPDATE keys SET ends_at = ?, revoked_at = ?, reason = ?
     WHERE id = ? AND revoked_at IS NULL AND (ends_at IS NULL OR ends_at > ?)`,
    key.endsAt,
    key.revokedAt,
    key.reason,
    key.id,
    end,
  );

/** Gives a kiosk the device that it was paired with, unless its own pairing is newer. */
export const pairKioskAgain = (
  tx: SqlTx,
  { id, companyId, tokenHash, publicKey, pairedAt, changedAt }: AccessKiosk,
): Promise<number> =>
  tx.run(
    `UPDATE kiosks SET token_hash = ?, public_key = ?, paired_at = ?, changed_at = ?
     WHERE company_id = ? AND id = ? AND revoked_at IS NULL AND token_hash IS DISTINCT FROM ? AND changed_at <= ?`,
    tokenHash,
    publicKey,
    pairedAt,
    changedAt,
    companyId,
    id,
    tokenHash,
    changedAt,
  );

export const disableOperatorAgain = (tx: SqlTx, { id, at }: ClosedAccess): Promise<number> =>
  tx.run('UPDATE operators SET disabled_at = ? WHERE id = ? AND disabled_at IS NULL', at, id);

export const revokeInviteAgain = (tx: SqlTx, { id, at }: ClosedAccess): Promise<number> =>
  tx.run('UPDATE invites SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL', at, id);

/** Whether the operator is an admin of all companies who can sign in. */
export const isActiveAdmin = async (tx: SqlTx, id: string): Promise<boolean> =>
  (await tx.one(
    `SELECT 1 AS found FROM operators WHERE id = ? AND role = 'admin' AND disabled_at IS NULL AND all_companies = 1`,
    id,
  )) !== undefined;

/** Its device has to be paired again, and a code that waits for one ends. */
export const disableKiosk = (tx: SqlTx, id: string, at: number): Promise<number> =>
  tx.run(
    `UPDATE kiosks SET token_hash = NULL, public_key = NULL, paired_at = NULL, pairing_code_hash = NULL,
       pairing_expires_at = NULL, session_id = NULL, command_id = NULL, command = NULL, command_at = NULL, changed_at = ?
     WHERE id = ? AND revoked_at IS NULL AND (token_hash IS NOT NULL OR pairing_code_hash IS NOT NULL)`,
    at,
    id,
  );
