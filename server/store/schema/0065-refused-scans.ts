import type { Migration } from './migration.ts';

/** Scans that let nobody in, which the ticket's own system has not been told yet. */
export const refusedScans: Migration = {
  version: 65,
  name: 'refused scans',
  sql: `
CREATE TABLE ticket_refused_scans (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  source_id TEXT NOT NULL REFERENCES ticket_sources (id) ON DELETE CASCADE,
  ticket_id TEXT NOT NULL REFERENCES tickets (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  nonce TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX ticket_refused_scans_source ON ticket_refused_scans (source_id, company_id, partition, seq);
CREATE INDEX ticket_refused_scans_scope ON ticket_refused_scans (company_id, partition);
CREATE INDEX ticket_refused_scans_ticket ON ticket_refused_scans (ticket_id);
`,
};
