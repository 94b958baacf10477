/**
 * What opens Gatehouse to others stays as it was before a restore: otherwise a stolen tablet, a leaked key or someone who left
 * would be let in again, and the key that an integration uses since would be refused (docs/how-to/back-up-and-restore.md).
 */
import type { Partition } from '../../../domain/scope.ts';
import { countAdmins } from '../../../store/operators/operators.ts';
import { revokeKiosk } from '../../../store/venue/kiosks.ts';
import type { Database, SqlReader, SqlTx } from '../../../store/sql/port.ts';
import { readSetting, writeSetting } from '../../../store/settings.ts';
import { RECOVERY_SETTING, type RecoverySetting } from '../recovery-setting.ts';

type Key = {
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
type Kiosk = {
  id: string;
  companyId: string;
  revokedAt: number | null;
  tokenHash: Uint8Array | null;
  publicKey: Uint8Array | null;
  pairedAt: number | null;
  changedAt: number;
};
type Closed = { id: string; at: number };

/** Who had access to the data that a restore replaces. */
export type Access = {
  keys: Key[];
  kiosks: Kiosk[];
  /** Disabled ones. */
  operators: Closed[];
  /** Revoked ones. */
  invites: Closed[];
  phrase: RecoverySetting | null;
};

/** Null if the data is damaged or a much older version wrote it: it is replaced anyway. */
export const readAccess = (db: SqlReader): Promise<Access | null> => readWhole(db).catch(() => null);

async function readWhole(db: SqlReader): Promise<Access> {
  return {
    keys: await db.all<Key>(
      `SELECT id, pair_id AS pairId, lineage_id AS lineageId, company_id AS companyId, partition, kind, hash, display,
         created_at AS createdAt, ends_at AS endsAt, revoked_at AS revokedAt, reason FROM keys ORDER BY created_at, id`,
    ),
    kiosks: await db.all<Kiosk>(
      `SELECT id, company_id AS companyId, revoked_at AS revokedAt, token_hash AS tokenHash, public_key AS publicKey,
         paired_at AS pairedAt, changed_at AS changedAt FROM kiosks ORDER BY created_at, id`,
    ),
    operators: await db.all<Closed>(
      'SELECT id, disabled_at AS at FROM operators WHERE disabled_at IS NOT NULL',
    ),
    invites: await db.all<Closed>('SELECT id, revoked_at AS at FROM invites WHERE revoked_at IS NOT NULL'),
    phrase: await readSetting<RecoverySetting>(db, RECOVERY_SETTING),
  };
}

/** @returns how many keys, kiosks, operators, invites and phrases of the backup it changed or added */
export async function repeatAccess(db: Database, access: Access | null, at: number): Promise<number> {
  if (access === null) return 0;
  return db.tx(async (tx) => {
    let changed = 0;
    for (const key of access.keys) changed += await repeatKey(tx, key);
    for (const kiosk of access.kiosks) changed += await repeatKiosk(tx, kiosk, at);
    for (const { id, at: disabledAt } of access.operators) {
      if (await isLastAdmin(tx, id)) continue;
      changed += await tx.run(
        'UPDATE operators SET disabled_at = ? WHERE id = ? AND disabled_at IS NULL',
        disabledAt,
        id,
      );
    }
    for (const { id, at: revokedAt } of access.invites)
      changed += await tx.run(
        'UPDATE invites SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
        revokedAt,
        id,
      );
    return changed + (await repeatPhrase(tx, access.phrase));
  });
}

/**
 * Keys of a company that the backup does not have are left out. An end is never moved to a later time: the backup may be
 * newer than the data that it replaces.
 */
async function repeatKey(tx: SqlTx, key: Key): Promise<number> {
  const added = await tx.run(
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
  const end = key.revokedAt ?? key.endsAt;
  if (end === null) return added;
  const ended = await tx.run(
    `UPDATE keys SET ends_at = ?, revoked_at = ?, reason = ?
     WHERE id = ? AND revoked_at IS NULL AND (ends_at IS NULL OR ends_at > ?)`,
    key.endsAt,
    key.revokedAt,
    key.reason,
    key.id,
    end,
  );
  return Math.max(added, ended);
}

/** One that was added since has to be paired again. Of two pairings, the one that changed last applies. */
async function repeatKiosk(tx: SqlTx, kiosk: Kiosk, at: number): Promise<number> {
  const { id, companyId, revokedAt, tokenHash, publicKey, pairedAt, changedAt } = kiosk;
  if (revokedAt !== null) return revokeKiosk(tx, companyId, id, at);
  return tx.run(
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
}

/** Someone has to be able to sign in. */
async function isLastAdmin(tx: SqlTx, id: string): Promise<boolean> {
  const admin = await tx.one(
    `SELECT 1 AS found FROM operators WHERE id = ? AND role = 'admin' AND disabled_at IS NULL AND all_companies = 1`,
    id,
  );
  return admin !== undefined && (await countAdmins(tx)) === 1;
}

/** The words that were written down last open the backups to come. */
async function repeatPhrase(tx: SqlTx, phrase: RecoverySetting | null): Promise<number> {
  const restored = await readSetting<RecoverySetting>(tx, RECOVERY_SETTING);
  if (phrase === null || (restored !== null && restored.created_at >= phrase.created_at)) return 0;
  await writeSetting(tx, RECOVERY_SETTING, phrase);
  return 1;
}
