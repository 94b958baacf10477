import type { Migration } from './migration.ts';

/** What each call of the interface was, by the Request-Id of its reply. */
export const requestLog: Migration = {
  version: 57,
  name: 'request log',
  sql: `
CREATE TABLE request_log (
  id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL REFERENCES companies (id) ON DELETE CASCADE,
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  at INTEGER NOT NULL,
  operation TEXT NOT NULL,
  status INTEGER NOT NULL,
  key_id TEXT,
  session_id TEXT REFERENCES sessions (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX request_log_at ON request_log (at);
CREATE INDEX request_log_company ON request_log (company_id);
CREATE INDEX request_log_session ON request_log (session_id) WHERE session_id IS NOT NULL;
`,
};
