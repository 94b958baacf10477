import type { Migration } from './migration.ts';

/** Humans-only codes, one for each pass of an event. */
export const humanCodes: Migration = {
  version: 61,
  name: 'human codes',
  sql: `
-- id is a hash of the serial, which is sealed; both are needed to give the same code again. The link to the pass and the
-- serial end with the person or the event. No time of making, which would say whose code it was.
CREATE TABLE human_codes (
  id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL REFERENCES companies (id),
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
  key_version INTEGER NOT NULL,
  pass_id TEXT REFERENCES passes (id) ON DELETE SET NULL,
  serial TEXT,
  redeemed_at INTEGER
) STRICT;
CREATE UNIQUE INDEX human_codes_pass ON human_codes (pass_id, event_id);
CREATE INDEX human_codes_event ON human_codes (event_id, company_id, partition, key_version, redeemed_at);
CREATE INDEX human_codes_scope ON human_codes (company_id, partition);
`,
};
