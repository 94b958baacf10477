/** The public half of the recovery phrase, stored with the data, so that the phrase opens every backup. */
import type { Actor } from '../../domain/operators/actor.ts';
import { appendAudit } from '../../store/operators/audit.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import type { Clock } from '../clock.ts';
import { makeRecoveryPhrase, recoveryKeyOf } from './recovery-phrase.ts';

export const RECOVERY_SETTING = 'backup.recovery';
export type RecoverySetting = { public_key: string; created_at: string };

/** When the phrase of this installation was created; null if there is none yet. */
export async function recoveryMadeAt(db: SqlReader): Promise<string | null> {
  return (await readSetting<RecoverySetting>(db, RECOVERY_SETTING))?.created_at ?? null;
}

/**
 * Creates a phrase and returns its words once; they are not stored. Later backups open with them; earlier ones keep
 * the words that were valid then.
 */
export async function renewRecoveryPhrase(db: Database, clock: Clock, actor: Actor): Promise<string> {
  const phrase = makeRecoveryPhrase();
  await db.tx(async (tx) => {
    const replaced = (await readSetting<RecoverySetting>(tx, RECOVERY_SETTING)) !== null;
    const setting: RecoverySetting = {
      public_key: recoveryKeyOf(phrase).publicKey.toString('hex'),
      created_at: new Date(clock.now()).toISOString(),
    };
    await writeSetting(tx, RECOVERY_SETTING, setting);
    await appendAudit(tx, {
      at: clock.now(),
      actor,
      action: 'backup.phrase',
      companyId: null,
      partition: null,
      subject: 'installation',
      details: { replaced },
    });
  });
  return phrase;
}

/** Removes a phrase that nobody has seen, because the backup that it was made for failed. */
export async function withdrawRecoveryPhrase(
  db: Database,
  clock: Clock,
  phrase: string,
  actor: Actor,
): Promise<void> {
  const publicKey = recoveryKeyOf(phrase).publicKey.toString('hex');
  await db.tx(async (tx) => {
    const present = await readSetting<RecoverySetting>(tx, RECOVERY_SETTING);
    if (present?.public_key !== publicKey) return;
    await writeSetting(tx, RECOVERY_SETTING, null);
    await appendAudit(tx, {
      at: clock.now(),
      actor,
      action: 'backup.phrase_withdrawn',
      companyId: null,
      partition: null,
      subject: 'installation',
      details: {},
    });
  });
}
