/** What the person returns with from a v2 run: `vy_token` and `vy_status` (contract, v2 rule 1; decisions §4.3). */
import { isVerified } from '../../domain/passes/pass.ts';
import { recordStatusToken } from '../../store/connections/connect-sessions.ts';
import type { Pass } from '../../store/passes/passes.ts';
import type { SqlTx } from '../../store/sql/port.ts';
import type { Session } from '../../store/runs/sessions.ts';
import { isHashOf, sha256 } from '../ports/ids.ts';
import type { ConnectSigner } from './signer.ts';

/** Contract, "Limits": counted from when the token was issued. */
export const STATUS_TOKEN_LIFETIME_MS = 15 * 60_000;

type VyStatus = 'approved' | 'denied' | 'pending';

/** The run's `vy_token`. Always returns the same one, even after the signing key was rotated. */
export function statusTokenOf({ connect }: { connect: ConnectSigner }, session: Session): string {
  const tokens = connect.statusTokensOf(session.id);
  const { statusTokenHash } = session;
  if (statusTokenHash === null) return tokens[0];
  return tokens.find((token) => isHashOf(statusTokenHash, token)) ?? tokens[0];
}

/**
 * Issues the token of a v2 run, in the transaction that ends the run: its 15 minutes begin then. Other generations
 * have none.
 */
export async function issueStatusToken(
  deps: { connect: ConnectSigner },
  tx: SqlTx,
  session: Session,
  at: number,
): Promise<void> {
  if (session.generation !== 'v2') return;
  const hash = sha256(statusTokenOf(deps, session));
  await recordStatusToken(tx, session.scope, session.id, { hash, at });
}

/** The status of a run that ended: `pending` during a review, `approved` only if access may be granted. */
export function vyStatusOf(session: Pick<Session, 'state'>, pass: Pass | undefined): VyStatus {
  if (session.state === 'in_review') return 'pending';
  return pass && isVerified(pass) ? 'approved' : 'denied';
}
