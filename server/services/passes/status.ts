/** The single status word for a session's state and its pass. */
import type { SessionStatus, ShownIdentity } from '../../contract/console/sessions.ts';
import { type Role, isAtLeast } from '../../contract/console/common.ts';
import type { Identity } from '../../domain/identity.ts';
import { maskIdentity } from '../../domain/phone/code.ts';
import type { SessionRow } from '../../store/runs/session-list.ts';

export function statusOf(
  { state, outcome, expiresAt }: Pick<SessionRow, 'state' | 'outcome' | 'expiresAt'>,
  nowMs: number,
): SessionStatus {
  if (state === 'open') return nowMs >= expiresAt ? 'expired' : 'open';
  // A settled session whose pass was deleted, as test data is cleared by age.
  return state === 'settled' ? (outcome ?? 'cancelled') : state;
}

/** The status of a pass alone, in the same words. */
export function statusOfPass(pass: {
  status: 'approved' | 'denied';
  declined: boolean;
  revokedAt: number | null;
  lockedAt: number | null;
  reasons: readonly string[];
}): SessionStatus {
  if (pass.status === 'denied') return pass.declined ? 'declined' : 'denied';
  if (pass.revokedAt !== null) return 'revoked';
  if (pass.lockedAt !== null) return 'locked';
  return pass.reasons.length > 0 ? 'flagged' : 'approved';
}

/** The credential of a session; masked for staff. */
export function shownIdentity(
  row: Pick<SessionRow, 'identityProvider' | 'identityIdentifier' | 'identityGiven' | 'provenPhone'>,
  role: Role,
): ShownIdentity | null {
  const identity = identityOf(row);
  if (!identity) return null;
  const { provider, identifier } = identity;
  return { provider, identifier: isAtLeast(role, 'reviewer') ? identifier : maskIdentity(identity) };
}

function identityOf({
  identityProvider,
  identityIdentifier,
  identityGiven,
  provenPhone,
}: Pick<
  SessionRow,
  'identityProvider' | 'identityIdentifier' | 'identityGiven' | 'provenPhone'
>): Identity | null {
  if (identityProvider !== null && identityIdentifier !== null) {
    return { provider: identityProvider, identifier: identityGiven ?? identityIdentifier };
  }
  return provenPhone === null ? null : { provider: 'phone', identifier: provenPhone };
}
