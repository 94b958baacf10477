import type { SqlReader } from '../sql/port.ts';

export const KEPT_SECRETS = [
  'api_key',
  'webhook_secret',
  'result_token_key',
  'person_pseudonym_key',
  'direct_link_key',
  'ticket_code_key',
  'human_code_key',
  'kiosk_token',
  'passphrase',
  'quick_pin',
  'second_factor',
  'recovery_code',
  'metrics_token',
] as const;
export type KeptSecret = (typeof KEPT_SECRETS)[number];

export type SecretCount = { kind: KeptSecret; count: number; oldestAt: number; newestAt: number };

/** The last entry about an operator with one of these actions. */
const lastAt = (operator: string, actions: string): string =>
  `(SELECT MAX(a.at) FROM audit_entries a WHERE a.subject = ${operator} AND a.action IN (${actions}))`;

/** How many secrets of each kind are in use, over all companies, and how old they are. Epoch milliseconds. */
export function countSecrets(db: SqlReader, nowMs: number): Promise<SecretCount[]> {
  return db.all<SecretCount>(
    `SELECT kind, COUNT(*) AS count, MIN(at) AS "oldestAt", MAX(at) AS "newestAt" FROM (
       SELECT 'api_key' AS kind, created_at AS at FROM keys
         WHERE revoked_at IS NULL AND (ends_at IS NULL OR ends_at > ?)
       UNION ALL
       SELECT 'webhook_secret', created_at FROM webhook_secrets WHERE ends_at IS NULL OR ends_at > ?
       UNION ALL
       SELECT CASE WHEN purpose LIKE 'unique-human-id:%' THEN 'person_pseudonym_key'
           WHEN purpose LIKE 'vyt%' THEN 'result_token_key' WHEN purpose = 'tickets' THEN 'ticket_code_key'
           WHEN purpose LIKE 'human-code:%' THEN 'human_code_key' ELSE 'direct_link_key' END, created_at
         FROM signing_keys
       UNION ALL
       SELECT 'kiosk_token', paired_at FROM kiosks
         WHERE token_hash IS NOT NULL AND revoked_at IS NULL AND paired_at IS NOT NULL
       UNION ALL
       SELECT 'passphrase', passphrase_changed_at FROM operators WHERE disabled_at IS NULL
       UNION ALL
       SELECT 'quick_pin', COALESCE(${lastAt('operators.id', "'operator.pin_set'")}, created_at)
         FROM operators WHERE disabled_at IS NULL AND pin_hash IS NOT NULL
       UNION ALL
       SELECT 'second_factor', enrolled_at FROM second_factors
       UNION ALL
       SELECT 'recovery_code', COALESCE(${lastAt('f.operator_id', "'operator.second_factor_on', 'operator.recovery_codes'")}, f.enrolled_at)
         FROM recovery_codes c JOIN second_factors f ON f.operator_id = c.operator_id WHERE c.used_at IS NULL
       UNION ALL
       SELECT 'metrics_token', at FROM audit_entries WHERE action = 'metrics_token.make' AND seq = (
         SELECT MAX(seq) FROM audit_entries WHERE action IN ('metrics_token.make', 'metrics_token.revoke'))) AS kept
     GROUP BY kind`,
    nowMs,
    nowMs,
  );
}

/** When the settings were last changed with which a credential is stored. */
export async function lastAuditAt(
  db: SqlReader,
  action: 'sms.change' | 'oidc.change',
): Promise<number | null> {
  const row = await db.one<{ at: number | null }>(
    'SELECT MAX(at) AS at FROM audit_entries WHERE action = ?',
    action,
  );
  return row?.at ?? null;
}
