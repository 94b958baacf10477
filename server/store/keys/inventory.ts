import type { SqlReader } from '../sql/port.ts';

export const KEPT_SECRETS = [
  'api_key',
  'webhook_secret',
  'result_token_key',
  'person_pseudonym_key',
  'direct_link_key',
  'kiosk_token',
  'passphrase',
  'second_factor',
] as const;
export type KeptSecret = (typeof KEPT_SECRETS)[number];

export type SecretCount = { kind: KeptSecret; count: number; oldestAt: number; newestAt: number };

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
           WHEN purpose LIKE 'vyt%' THEN 'result_token_key' ELSE 'direct_link_key' END, created_at
         FROM signing_keys
       UNION ALL
       SELECT 'kiosk_token', paired_at FROM kiosks
         WHERE token_hash IS NOT NULL AND revoked_at IS NULL AND paired_at IS NOT NULL
       UNION ALL
       SELECT 'passphrase', passphrase_changed_at FROM operators WHERE disabled_at IS NULL
       UNION ALL
       SELECT 'second_factor', enrolled_at FROM second_factors) AS kept
     GROUP BY kind`,
    nowMs,
    nowMs,
  );
}
