import type { Scope } from '../../domain/scope.ts';
import { ofScope } from '../rows.ts';
import type { SqlTx } from '../sql/port.ts';
import { announceSession } from './session-rows.ts';

/**
 * Resets an open session for the next person to open its link: no device, no consent, no confirmed data, all attempts.
 * 0 if it was no longer open.
 */
export async function reopenSession(
  tx: SqlTx,
  scope: Scope,
  id: string,
  attemptsLeft: number,
): Promise<number> {
  const reopened = await tx.run(
    `UPDATE sessions SET flow_token_hash = NULL, resume_key_hash = NULL, device = NULL, opened_at = NULL,
       consent_at = NULL, consent_version = NULL, consent_language = NULL, photo_until = NULL,
       retention_days = NULL, proven_phone = NULL, direct_token_used_at = NULL, attempts_left = ?, findings = '[]',
       checking_nonce = NULL, checking_until = NULL
     WHERE company_id = ? AND partition = ? AND id = ? AND state = 'open'`,
    attemptsLeft,
    ...ofScope(scope),
    id,
  );
  if (reopened === 0) return 0;
  // Anything that earlier devices still hold is void.
  await tx.run('DELETE FROM handoffs WHERE session_id = ?', id);
  await tx.run('DELETE FROM continuations WHERE session_id = ?', id);
  await tx.run('DELETE FROM challenges WHERE session_id = ? AND used_at IS NULL', id);
  await tx.run('UPDATE phone_codes SET code = NULL WHERE session_id = ?', id);
  announceSession(tx, id, scope.companyId);
  return reopened;
}
