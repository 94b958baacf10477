/** Who has a session: the page that it is bound to, its device, and what the person there has done. */
import type { Device } from '../../contract/flow.ts';
import type { Scope } from '../../domain/scope.ts';
import { eraseCodes } from '../phone/codes.ts';
import type { SqlTx } from '../sql/port.ts';
import { deleteHandoffsOf } from './handoffs.ts';
import { changeSession } from './session-rows.ts';

/** The first act uses up the `t` of a direct link. One parameter: when. */
const SPEND_DIRECT_TOKEN = `direct_token_used_at =
  CASE WHEN direct_token_hash IS NULL THEN NULL ELSE COALESCE(direct_token_used_at, ?) END`;

/** Of an open session on which no person has acted: no consent, no phone that proved itself with the computer's number. */
const NOBODY_ACTED = `consent_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM handoffs WHERE session_id = sessions.id AND confirmed_at IS NOT NULL)`;

/**
 * Gives the session to the page that opens it. Until the person's first act this takes it from any earlier page, with
 * that page's offers to a phone; then 0, unless the session was released.
 */
export async function bindSession(
  tx: SqlTx,
  scope: Scope,
  id: string,
  claim: { flowTokenHash: Uint8Array; resumeKeyHash: Uint8Array | null; device: Device; at: number },
): Promise<number> {
  const bound = await changeSession(tx, scope, id, {
    set: 'flow_token_hash = ?, resume_key_hash = ?, device = ?, opened_at = ?, proven_phone = NULL',
    values: [claim.flowTokenHash, claim.resumeKeyHash, claim.device, claim.at],
    where: `state = 'open' AND (flow_token_hash IS NULL OR (${NOBODY_ACTED}))`,
  });
  if (bound > 0) await deleteHandoffsOf(tx, id);
  return bound;
}

/** Moves a session to another device of the person; the link alone proves who they are. */
export function rebindSession(
  tx: SqlTx,
  scope: Scope,
  id: string,
  claim: { flowTokenHash: Uint8Array; device: Device; at: number },
): Promise<number> {
  return changeSession(tx, scope, id, {
    set: 'flow_token_hash = ?, device = ?, opened_at = ?',
    values: [claim.flowTokenHash, claim.device, claim.at],
    where: "state = 'open'",
  });
}

/** Unbinds the device that holds it, with the phone codes that it requested and the offers that it made; 0 if that is not allowed. */
export async function unbindSession(
  tx: SqlTx,
  scope: Scope,
  id: string,
  flowTokenHash: Uint8Array,
): Promise<number> {
  const unbound = await changeSession(tx, scope, id, {
    set: `flow_token_hash = NULL, resume_key_hash = NULL, device = NULL, consent_at = NULL,
      consent_version = NULL, consent_language = NULL, photo_until = NULL, retention_days = NULL, proven_phone = NULL,
      findings = '[]', checking_nonce = NULL, checking_until = NULL`,
    where: `flow_token_hash = ? AND state = 'open'
      AND direct_token_used_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM handoffs WHERE session_id = sessions.id AND opened_at IS NOT NULL)`,
    bound: [flowTokenHash],
  });
  if (unbound === 0) return 0;
  await deleteHandoffsOf(tx, id);
  await eraseCodes(tx, scope, id);
  return unbound;
}

/** A code has verified the number. */
export function recordProvenPhone(tx: SqlTx, scope: Scope, id: string, number: string): Promise<number> {
  return changeSession(tx, scope, id, {
    set: 'proven_phone = ?',
    values: [number],
    where: "state = 'open'",
  });
}

/** The run continues on another device, whose person has just proved it: the first act, if there was none before. */
export function recordDevice(
  tx: SqlTx,
  scope: Scope,
  id: string,
  { device, at }: { device: Device; at: number },
): Promise<number> {
  return changeSession(tx, scope, id, {
    set: `device = ?, ${SPEND_DIRECT_TOKEN}`,
    values: [device, at],
  });
}

export function recordConsent(
  tx: SqlTx,
  scope: Scope,
  id: string,
  consent: {
    at: number;
    version: string;
    language: string;
    photoUntil?: number | null;
    retentionDays?: number | null;
  },
): Promise<number> {
  return changeSession(tx, scope, id, {
    set: `consent_at = ?, consent_version = ?, consent_language = ?, photo_until = ?,
      retention_days = ?, ${SPEND_DIRECT_TOKEN}`,
    values: [
      consent.at,
      consent.version,
      consent.language,
      consent.photoUntil ?? null,
      consent.retentionDays ?? null,
      consent.at,
    ],
    where: "state = 'open'",
  });
}
