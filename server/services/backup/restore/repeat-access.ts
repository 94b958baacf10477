/**
 * What opens Gatehouse to others stays as it was before a restore: otherwise a stolen tablet, a leaked key or someone who left
 * would be let in again, and the key that an integration uses since would be refused (docs/how-to/back-up-and-restore.md).
 */
import {
  type AccessKey,
  type AccessKiosk,
  addKeyAgain,
  type ClosedAccess,
  disableOperatorAgain,
  endKeyAgain,
  isActiveAdmin,
  listAccessKeys,
  listAccessKiosks,
  listDisabledOperators,
  listRevokedInvites,
  pairKioskAgain,
  revokeInviteAgain,
} from '../../../store/backup/access.ts';
import { countAdmins } from '../../../store/operators/operators.ts';
import { revokeKiosk } from '../../../store/venue/kiosks.ts';
import type { Database, SqlReader, SqlTx } from '../../../store/sql/port.ts';
import { readSetting, writeSetting } from '../../../store/settings.ts';
import { type Had, readHad } from './had-access.ts';
import { RECOVERY_SETTING, type RecoverySetting } from '../recovery-setting.ts';

/** Who had access to the data that a restore replaces. */
export type Access = {
  keys: AccessKey[];
  kiosks: AccessKiosk[];
  /** Disabled ones. */
  operators: ClosedAccess[];
  /** Revoked ones. */
  invites: ClosedAccess[];
  phrase: RecoverySetting | null;
  had: Had;
};

/** Null if the data is damaged or a much older version wrote it: it is replaced anyway. */
export const readAccess = (db: SqlReader): Promise<Access | null> => readWhole(db).catch(() => null);

async function readWhole(db: SqlReader): Promise<Access> {
  return {
    keys: await listAccessKeys(db),
    kiosks: await listAccessKiosks(db),
    operators: await listDisabledOperators(db),
    invites: await listRevokedInvites(db),
    phrase: await readSetting<RecoverySetting>(db, RECOVERY_SETTING),
    had: await readHad(db),
  };
}

/** @returns how many keys, kiosks, operators, invites and phrases of the backup it changed or added */
export async function repeatAccess(db: Database, access: Access | null, at: number): Promise<number> {
  if (access === null) return 0;
  return db.tx(async (tx) => {
    let changed = 0;
    for (const key of access.keys) changed += await repeatKey(tx, key);
    for (const kiosk of access.kiosks) changed += await repeatKiosk(tx, kiosk, at);
    for (const operator of access.operators) {
      if (!(await isLastAdmin(tx, operator.id))) changed += await disableOperatorAgain(tx, operator);
    }
    for (const invite of access.invites) changed += await revokeInviteAgain(tx, invite);
    return changed + (await repeatPhrase(tx, access.phrase));
  });
}

/**
 * Keys of a company that the backup does not have are left out. An end is never moved to a later time: the backup may be
 * newer than the data that it replaces.
 */
async function repeatKey(tx: SqlTx, key: AccessKey): Promise<number> {
  const added = await addKeyAgain(tx, key);
  const end = key.revokedAt ?? key.endsAt;
  return end === null ? added : Math.max(added, await endKeyAgain(tx, key, end));
}

/** One that was added since has to be paired again. Of two pairings, the one that changed last applies. */
const repeatKiosk = (tx: SqlTx, kiosk: AccessKiosk, at: number): Promise<number> =>
  kiosk.revokedAt === null ? pairKioskAgain(tx, kiosk) : revokeKiosk(tx, kiosk.companyId, kiosk.id, at);

/** Someone has to be able to sign in. */
const isLastAdmin = async (tx: SqlTx, id: string): Promise<boolean> =>
  (await isActiveAdmin(tx, id)) && (await countAdmins(tx)) === 1;

/** The words that were written down last open the backups to come. */
async function repeatPhrase(tx: SqlTx, phrase: RecoverySetting | null): Promise<number> {
  const restored = await readSetting<RecoverySetting>(tx, RECOVERY_SETTING);
  if (phrase === null || (restored !== null && restored.created_at >= phrase.created_at)) return 0;
  await writeSetting(tx, RECOVERY_SETTING, phrase);
  return 1;
}
