/** What is stored of the recovery phrase, with the data: the key that its backups are sealed for, and the one that signs them. */
import type { Actor } from '../../domain/operators/actor.ts';
import { changeSetting } from '../../store/operators/audit.ts';
import type { Database, SqlReader } from '../../store/sql/port.ts';
import { readSetting } from '../../store/settings.ts';
import type { Clock } from '../ports/clock.ts';
import { makeRecoveryPhrase, recoveryKeyOf } from './recovery-phrase.ts';

export const RECOVERY_SETTING = 'backup.recovery';
export type RecoverySetting = {
  public_key: string;
  /** Secret, like everything in the database. Undefined for a phrase from before backups were signed. */
  signing_key?: string;
  created_at: string;
};

export type RecoveryState = { madeAt: string; isSigning: boolean };

/** The phrase of this installation; null if there is none yet. */
export async function readRecovery(db: SqlReader): Promise<RecoveryState | null> {
  const setting = await readSetting<RecoverySetting>(db, RECOVERY_SETTING);
  return setting && { madeAt: setting.created_at, isSigning: setting.signing_key !== undefined };
}

/** When the phrase of this installation was created; null if there is none yet. */
export async function recoveryMadeAt(db: SqlReader): Promise<string | null> {
  return (await readRecovery(db))?.madeAt ?? null;
}

/**
 * Whether these are the newest words; null if there are none yet.
 * @throws Refusal `wrong_phrase` if no phrase at all has these words
 */
export async function isRecoveryPhrase(db: SqlReader, phrase: string): Promise<boolean | null> {
  const setting = await readSetting<RecoverySetting>(db, RECOVERY_SETTING);
  if (setting === null) return null;
  const { signed, unsigned } = recoveryKeyOf(phrase);
  return [signed, unsigned].some(({ publicKey }) => publicKey.toString('hex') === setting.public_key);
}

/**
 * Creates a phrase and returns its words once; they are not stored. Later backups open with them; earlier ones keep
 * the words that were valid then.
 */
export async function renewRecoveryPhrase(db: Database, clock: Clock, actor: Actor): Promise<string> {
  const phrase = makeRecoveryPhrase();
  await db.tx(async (tx) => {
    const replaced = (await readSetting<RecoverySetting>(tx, RECOVERY_SETTING)) !== null;
    const { signed, signingKey } = recoveryKeyOf(phrase);
    const setting: RecoverySetting = {
      public_key: signed.publicKey.toString('hex'),
      signing_key: signingKey.toString('hex'),
      created_at: new Date(clock.now()).toISOString(),
    };
    await changeSetting(tx, RECOVERY_SETTING, setting, {
      at: clock.now(),
      actor,
      action: 'backup.phrase',
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
  const publicKey = recoveryKeyOf(phrase).signed.publicKey.toString('hex');
  await db.tx(async (tx) => {
    const present = await readSetting<RecoverySetting>(tx, RECOVERY_SETTING);
    if (present?.public_key !== publicKey) return;
    await changeSetting(tx, RECOVERY_SETTING, null, {
      at: clock.now(),
      actor,
      action: 'backup.phrase_withdrawn',
    });
  });
}
