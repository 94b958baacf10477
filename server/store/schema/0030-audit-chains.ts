import type { Migration } from './migration.ts';

/**
 * Entries used to form one chain. From the next one on, each company has its own chain, and so does the installation,
 * because companies write at the same time on PostgreSQL. Every new chain begins at the end of the old one.
 */
export const auditChains: Migration = {
  version: 30,
  name: 'audit chains',
  sql: `
INSERT INTO settings (name, value)
  SELECT 'audit_chains_since', seq || '' FROM (SELECT MAX(seq) AS seq FROM audit_entries) AS last WHERE seq IS NOT NULL;
`,
};
