import type { SqlReader } from '../sql/port.ts';

/** The names of what entries of the audit log are by and about. `actor` is null for what changes nothing itself. */
export type AuditName = { id: string; actor: string | null; name: string };

export function listAuditNames(db: SqlReader, limit: number): Promise<AuditName[]> {
  return db.all<AuditName>(
    `SELECT id, actor, name FROM (
       SELECT id, 'operator:' || id AS actor, name FROM operators
       UNION SELECT id, 'kiosk:' || id, name FROM kiosks
       UNION SELECT id, 'phone:' || id, name FROM shift_phones
       UNION SELECT id, 'key:' || id, display FROM keys
       UNION SELECT pair_id, NULL, display FROM keys WHERE pair_id IS NOT NULL
       UNION SELECT lineage_id, NULL, display FROM keys WHERE lineage_id IS NOT NULL
       UNION SELECT k.id, 'key:' || k.id, n.name FROM key_names n JOIN keys k ON k.lineage_id = n.lineage_id
       UNION SELECT k.pair_id, NULL, n.name FROM key_names n JOIN keys k ON k.lineage_id = n.lineage_id
       UNION SELECT id, NULL, name FROM companies
       UNION SELECT id, NULL, name FROM events
       UNION SELECT id, NULL, COALESCE(external_id, origin) FROM verifications
     ) AS named WHERE name IS NOT NULL ORDER BY name, id LIMIT ?`,
    limit,
  );
}
