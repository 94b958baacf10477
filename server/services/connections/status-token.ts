/** What the person brings back from a v2 run: `vy_token` and `vy_status` (contract, v2 rule 1; decisions §4.3). */
import { isVerified } from '../../domain/passes/pass.ts';
import { recordStatusToken } from '../../store/connections/connect-sessions.ts';
import type { Pass } from '../../store/passes/passes.ts';
import type { Database } from '../../store/sql/port.ts';
import type { Session } from '../../store/runs/sessions.ts';
import type { Clock } from '../clock.ts';
import { sha256 } from '../ids.ts';
import type { ConnectSigner } from './signer.ts';

/** Contract, "Limits": counted from when the token was first given out. */
export const STATUS_TOKEN_LIFETIME_MS = 15 * 60_000;

export type VyStatus = 'approved' | 'denied' | 'pending';

/** The run's `vy_token`. Asking again gives the same one, also after the signing key was rotated. */
export function statusTokenOf({ connect }: { connect: ConnectSigner }, session: Session): string {
  const tokens = connect.statusTokensOf(session.id);
  const { statusTokenHash } = session;
  if (statusTokenHash === null) return tokens[0];
  return tokens.find((token) => sha256(token).equals(statusTokenHash)) ?? tokens[0];
}

/** As `statusTokenOf`, and its 15 minutes begin where they have not yet. */
export async function giveOutStatusToken(
  deps: { db: Database; clock: Clock; connect: ConnectSigner },
  session: Session,
): Promise<string> {
  const token = statusTokenOf(deps, session);
  if (session.statusTokenAt === null) {
    const given = { hash: sha256(token), at: deps.clock.now() };
    await deps.db.tx((tx) => recordStatusToken(tx, session.scope, session.id, given));
  }
  return token;
}

/** How a run that ended stands: `pending` while a reviewer has it, `approved` only where access may be given. */
export function vyStatusOf(session: Pick<Session, 'state'>, pass: Pass | undefined): VyStatus {
  if (session.state === 'in_review') return 'pending';
  return pass && isVerified(pass) ? 'approved' : 'denied';
}
