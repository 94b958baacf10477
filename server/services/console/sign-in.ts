import { olderThan } from '../../domain/clock.ts';
import { operatorNameKey } from '../../domain/operator-name.ts';
import { appendAudit } from '../../store/audit.ts';
import { findOperator, findOperatorByNameKey, touchSignedIn } from '../../store/operators.ts';
import {
  deleteSessionsOverBefore,
  endOperatorSession,
  endSessionsOf,
  findSessionByToken,
} from '../../store/operator-sessions.ts';
import type { ServiceDeps } from '../deps.ts';
import { sha256 } from '../ids.ts';
import { operatorActor } from './deps.ts';
import { ConsoleError } from './errors.ts';
import { verifySecret } from './hashing.ts';
import { claimAttempt, forgiveFailures } from './lock-out.ts';
import { openSession, resumeSession, type SessionOrigin, type SignedIn } from './session-life.ts';

/** How long sessions that are over stay readable to an administrator of the database. */
const KEEP_OVER_MS = 30 * 24 * 3_600_000;

type Deps = Pick<ServiceDeps, 'db' | 'clock'>;

const FAILED = 'The name or the passphrase is not right.';

/**
 * Opens a session; the one that the browser had before is ended, so that no planted cookie survives.
 * An unknown name costs the same work and gets the same answer as a wrong passphrase.
 * @throws ConsoleError `sign_in_failed`, `locked_out`, `busy`
 */
export async function signIn(
  deps: Deps & Pick<ServiceDeps, 'deletions'>,
  request: { name: string; passphrase: string },
  origin: SessionOrigin & { previousToken: string | null },
): Promise<{ token: string; signedIn: SignedIn }> {
  const { db, clock } = deps;
  await claimAttempt(db, request.name, clock.now());
  const found = await findOperatorByNameKey(db, operatorNameKey(request.name));
  const operator = found?.disabledAt === null ? found : undefined;
  const fits = await verifySecret(operator?.passphraseHash ?? null, request.passphrase);
  if (!operator || !fits) throw new ConsoleError('sign_in_failed', FAILED);
  const token = await db.tx(async (tx) => {
    const now = clock.now();
    // Between the check and now, an admin may have disabled or reset them.
    const fresh = await findOperator(tx, operator.id);
    if (fresh?.disabledAt !== null || fresh.passphraseHash !== operator.passphraseHash) {
      throw new ConsoleError('sign_in_failed', FAILED);
    }
    await forgiveFailures(tx, request.name);
    const deletionTime = deps.deletions.deletionTime();
    if (deletionTime !== null) await deleteSessionsOverBefore(tx, olderThan(deletionTime, KEEP_OVER_MS));
    if (origin.previousToken !== null) {
      const previous = await findSessionByToken(tx, sha256(origin.previousToken));
      if (previous) await endOperatorSession(tx, previous.operatorId, previous.id, now, 'signed in again');
    }
    await touchSignedIn(tx, operator.id, now);
    await appendAudit(tx, {
      at: now,
      actor: operatorActor(operator.id),
      action: 'operator.sign_in',
      companyId: null,
      partition: null,
      subject: operator.id,
      details: { address: origin.address, device: origin.device },
    });
    return openSession(tx, operator.id, origin, now);
  });
  return { token, signedIn: await resumeSession(deps, token, { isActivity: false }) };
}

/** Ends this session, or with `everywhere` all of the operator's. */
export async function signOut(
  { db, clock }: Deps,
  signedIn: SignedIn,
  { everywhere }: { everywhere: boolean },
): Promise<void> {
  await db.tx(async (tx) => {
    const now = clock.now();
    const { operator, sessionId, actor } = signedIn;
    if (everywhere) await endSessionsOf(tx, operator.id, null, now, 'signed out everywhere');
    else await endOperatorSession(tx, operator.id, sessionId, now, 'signed out');
    await appendAudit(tx, {
      at: now,
      actor,
      action: everywhere ? 'operator.sign_out_everywhere' : 'operator.sign_out',
      companyId: null,
      partition: null,
      subject: operator.id,
      details: {},
    });
  });
}
