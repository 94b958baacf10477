import type Sqlite from 'better-sqlite3';
import { indexedEntries, nameWords, type SearchableMetadata } from '../../domain/people/search.ts';
import type { Migration } from './migration.ts';

/** The status of a pass in the console's list of sessions; each has exactly one. `p` is a row of `passes`. */
const outcomeOf = (p: string): string => `CASE
    WHEN ${p}.status = 'denied' THEN CASE WHEN ${p}.declined = 1 THEN 'declined' ELSE 'denied' END
    WHEN ${p}.revoked_at IS NOT NULL THEN 'revoked'
    WHEN ${p}.locked_at IS NOT NULL THEN 'locked'
    WHEN ${p}.reasons <> '[]' THEN 'flagged'
    ELSE 'approved' END`;

/**
 * Additions for finding people and showing a run's timeline: search by metadata and name, events of runs, records of
 * erasures.
 */
export const peopleAndSessions: Migration = {
  version: 9,
  name: 'people-and-sessions',
  sql: `
-- Written with people.metadata, in the same transaction; gone with the person.
CREATE TABLE person_metadata (
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  PRIMARY KEY (company_id, partition, key, value, person_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX person_metadata_person ON person_metadata (person_id);

CREATE TABLE person_names (
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL,
  word TEXT NOT NULL,
  person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  PRIMARY KEY (company_id, partition, word, person_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX person_names_person ON person_names (person_id);

CREATE INDEX people_seen ON people (company_id, partition, last_seen_at, id);

-- What happened in a run and is written nowhere else: consent, attempts with what was found, calls. Nothing personal.
CREATE TABLE run_events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  details TEXT NOT NULL
) STRICT;
CREATE INDEX run_events_session ON run_events (session_id, seq);

-- That somebody was erased, and how much of them: never what it was.
CREATE TABLE erasure_proofs (
  id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL,
  partition TEXT NOT NULL CHECK (partition IN ('live', 'test')),
  person_id TEXT NOT NULL,
  erased_at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT,
  removed TEXT NOT NULL,
  remaining INTEGER NOT NULL
) STRICT;
CREATE INDEX erasure_proofs_scope ON erasure_proofs (company_id, partition, erased_at, id);
CREATE INDEX erasure_proofs_person ON erasure_proofs (company_id, partition, person_id);

-- A session's outcome stands on the session too, so that any outcome is found without reading the others. Triggers keep
-- it in step, whatever changes the pass.
ALTER TABLE sessions ADD COLUMN outcome TEXT;
CREATE INDEX sessions_pass ON sessions (pass_id) WHERE pass_id IS NOT NULL;
UPDATE sessions SET outcome = (SELECT ${outcomeOf('p')} FROM passes p WHERE p.id = sessions.pass_id)
  WHERE pass_id IS NOT NULL;
CREATE TRIGGER passes_outcome_inserted AFTER INSERT ON passes BEGIN
  UPDATE sessions SET outcome = ${outcomeOf('NEW')} WHERE pass_id = NEW.id;
END;
CREATE TRIGGER passes_outcome_updated AFTER UPDATE OF status, reasons, declined, locked_at, revoked_at ON passes BEGIN
  UPDATE sessions SET outcome = ${outcomeOf('NEW')} WHERE pass_id = NEW.id;
END;
CREATE TRIGGER sessions_outcome AFTER UPDATE OF pass_id ON sessions WHEN NEW.pass_id IS NOT NULL BEGIN
  UPDATE sessions SET outcome = (SELECT ${outcomeOf('p')} FROM passes p WHERE p.id = NEW.pass_id) WHERE id = NEW.id;
END;
CREATE INDEX sessions_outcome_list ON sessions (company_id, partition, state, outcome, created_at, id);
CREATE INDEX sessions_group ON sessions (company_id, partition, group_id, created_at, id) WHERE group_id IS NOT NULL;
CREATE INDEX sessions_verification ON sessions (company_id, partition, verification_id, created_at, id);
CREATE INDEX sessions_generation ON sessions (company_id, partition, generation, created_at, id);
CREATE INDEX sessions_external ON sessions (company_id, partition, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX sessions_identity ON sessions (company_id, partition, identity_identifier)
  WHERE identity_identifier IS NOT NULL;
CREATE INDEX sessions_phone ON sessions (company_id, partition, proven_phone) WHERE proven_phone IS NOT NULL;
`,
  fill: fillSearch,
};

type Row = { id: string; companyId: string; partition: string; metadata: string };

/** Makes all existing people searchable. */
function fillSearch(connection: Sqlite.Database): void {
  const people = connection
    .prepare<[], Row>(
      `SELECT id, company_id AS companyId, partition, metadata FROM people WHERE metadata <> '{}'`,
    )
    .all();
  const entry = connection.prepare('INSERT OR IGNORE INTO person_metadata VALUES (?, ?, ?, ?, ?)');
  const name = connection.prepare('INSERT OR IGNORE INTO person_names VALUES (?, ?, ?, ?)');
  for (const { id, companyId, partition, metadata } of people) {
    const known = JSON.parse(metadata) as SearchableMetadata;
    for (const [key, value] of indexedEntries(known)) entry.run(companyId, partition, key, value, id);
    for (const word of nameWords(known)) name.run(companyId, partition, word, id);
  }
}
