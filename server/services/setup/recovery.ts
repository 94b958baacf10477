/**
 * The way back into an installed app whose admins have lost their passphrases: it has no command line. Open while the app was
 * started for it, for this machine only, and closed by the first use. The recovery phrase, which opens every backup, is the proof.
 */
import type { RecoverableAdmins, RecoveryRequest } from '../../contract/console/access.ts';
import { listOperators } from '../../store/operators/operators.ts';
import { findSecondFactor } from '../../store/operators/second-factors.ts';
import { isRecoveryPhrase } from '../backup/recovery-setting.ts';
import { Refusal, notFound } from '../../refusals/refusal.ts';
import { resetOperator, resetOperatorFactor } from '../operators/operators.ts';
import type { Ports } from '../ports/ports.ts';

type Deps = Pick<Ports, 'db' | 'clock' | 'randomInt' | 'recovery'>;
type Origin = { isLocal: boolean };

const PROOF = { actor: 'recovery phrase', reason: 'recovery phrase' } as const;

export const isRecoveryOpen = ({ recovery }: Pick<Ports, 'recovery'>, { isLocal }: Origin): boolean =>
  isLocal && recovery.isOpen;

/** @throws Refusal `recovery_closed`, `recovery_without_phrase`, `wrong_recovery_phrase` */
export async function recoverableAdmins(
  deps: Deps,
  phrase: string,
  origin: Origin,
): Promise<RecoverableAdmins> {
  await prove(deps, phrase, origin);
  const admins = (await listOperators(deps.db)).filter(
    ({ role, disabledAt }) => role === 'admin' && disabledAt === null,
  );
  return {
    admins: await Promise.all(
      admins.map(async ({ id, name }) => ({
        operator_id: id,
        name,
        has_second_factor: (await findSecondFactor(deps.db, id)) !== undefined,
      })),
    ),
  };
}

/**
 * Sets a new passphrase, and removes the second factor if that is lost, too. Nobody is signed in by it.
 * @throws Refusal as above, and `not_found`, `weak_passphrase`
 */
export async function recoverAdmin(
  deps: Deps,
  { phrase, operator_id: id, passphrase, remove_second_factor: removesFactor }: RecoveryRequest,
  origin: Origin,
): Promise<void> {
  const { admins } = await recoverableAdmins(deps, phrase, origin);
  const admin = admins.find(({ operator_id }) => operator_id === id);
  if (!admin) throw notFound();
  await resetOperator(deps, id, { passphrase, ...PROOF });
  if (removesFactor && admin.has_second_factor) await resetOperatorFactor(deps, id, PROOF);
  deps.recovery.isOpen = false;
}

/** The phrase has 256 random bits, so guesses need no limit. */
async function prove(deps: Deps, phrase: string, origin: Origin): Promise<void> {
  if (!isRecoveryOpen(deps, origin)) throw new Refusal('recovery_closed');
  const isRight = await isRecoveryPhrase(deps.db, phrase).catch((error: unknown) => {
    if (error instanceof Refusal) return false;
    throw error;
  });
  if (isRight === null) throw new Refusal('recovery_without_phrase');
  if (!isRight) throw new Refusal('wrong_recovery_phrase');
}
