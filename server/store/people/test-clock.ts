/**
 * The clock of a company's test data. Moving it forward moves the times of that data back, so every rule finds it as much
 * older, and no rule, job or node has to know a second time.
 */
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';

/** By table. Leases stay: a process or a person holds them now. */
export const MOVED: Readonly<Record<string, readonly string[]>> = {
  case_frames: ['taken_at', 'delete_after'],
  connect_users: ['created_at', 'changed_at'],
  distinct_pairs: ['decided_at'],
  guest_photos: ['taken_at', 'delete_after'],
  idempotency_keys: ['created_at'],
  imported_people: ['imported_at'],
  invites: ['created_at', 'revoked_at'],
  passes: ['settled_at', 'locked_at', 'revoked_at', 'last_read_at'],
  people: ['created_at', 'last_seen_at'],
  person_blocks: ['created_at', 'expires_at', 'ended_at'],
  person_external_ids: ['bound_at'],
  person_identities: ['proven_at'],
  phone_codes: ['sent_at', 'expires_at'],
  review_cases: [
    ...['opened_at', 'decided_at', 'claimed_at'],
    ...['pending_at', 'decision_effective_at', 'assigned_at'],
  ],
  review_controls: ['enrolled_at', 'opened_at'],
  review_notes: ['created_at'],
  review_opinions: ['given_at'],
  run_events: ['at'],
  sessions: [
    ...['created_at', 'opened_at', 'consent_at', 'settled_at', 'expires_at'],
    ...['unopened_since', 'direct_token_used_at', 'status_token_at', 'photo_until'],
  ],
  templates: ['created_at'],
  webhook_calls: ['created_at', 'next_attempt_at', 'last_attempt_at', 'completed_at'],
  webhook_destinations: ['failing_since', 'last_success_at', 'paused_at', 'last_failure_at'],
  webhook_events: ['created_at'],
  webhook_secrets: ['ends_at'],
};

/** By the session that they belong to. */
export const MOVED_WITH_SESSION: Readonly<Record<string, readonly string[]>> = {
  challenges: ['issued_at', 'expires_at', 'used_at'],
  continuations: ['offered_at', 'expires_at', 'taken_at'],
  kiosk_runs: ['started_at', 'ended_at'],
  handoffs: ['offered_at', 'expires_at', 'opened_at', 'confirmed_at'],
};

/** How far the clock of the test data is ahead, in milliseconds; that of live data never is. */
export async function readTestClock(db: SqlReader, { companyId, partition }: Scope): Promise<number> {
  if (partition === 'live') return 0;
  const row = await db.one<{ ms: number }>(
    'SELECT test_clock_ms AS ms FROM companies WHERE id = ?',
    companyId,
  );
  return row?.ms ?? 0;
}

export const setTestClock = (tx: SqlTx, companyId: string, ms: number): Promise<number> =>
  tx.run('UPDATE companies SET test_clock_ms = ? WHERE id = ?', ms, companyId);

/** Whether there are more sessions or passes than `most`. */
export async function hasMoreTestData(db: SqlReader, companyId: string, most: number): Promise<boolean> {
  const row = await db.one<{ sessions: number; passes: number }>(
    `SELECT
       (SELECT COUNT(*) FROM (SELECT 1 FROM sessions WHERE company_id = ? AND partition = 'test' LIMIT ?) s) AS sessions,
       (SELECT COUNT(*) FROM (SELECT 1 FROM passes WHERE company_id = ? AND partition = 'test' LIMIT ?) p) AS passes`,
    companyId,
    most + 1,
    companyId,
    most + 1,
  );
  return row !== undefined && Math.max(row.sessions, row.passes) > most;
}

/** Makes the company's test data older: its times by `ms`, its counts by days. */
export async function ageTestData(
  tx: SqlTx,
  companyId: string,
  { ms, days }: { ms: number; days: (day: string) => string },
): Promise<void> {
  const move = async (tables: typeof MOVED, where: string): Promise<void> => {
    for (const [table, columns] of Object.entries(tables)) {
      await tx.run(
        `UPDATE ${table} SET ${columns.map((column) => `${column} = ${column} - ?`).join(', ')} WHERE ${where}`,
        ...columns.map(() => ms),
        companyId,
      );
    }
  };
  const ofCompany = "company_id = ? AND partition = 'test'";
  await move(MOVED, ofCompany);
  await move(MOVED_WITH_SESSION, `session_id IN (SELECT id FROM sessions WHERE ${ofCompany})`);
  for (const table of ['usage_days', 'usage_outcomes']) {
    const counted = await tx.all<{ day: string }>(
      `SELECT DISTINCT day FROM ${table} WHERE ${ofCompany} ORDER BY day`,
      companyId,
    );
    // The oldest first, so that no day takes the place of one that has not moved yet.
    for (const { day } of counted) {
      await tx.run(`UPDATE ${table} SET day = ? WHERE ${ofCompany} AND day = ?`, days(day), companyId, day);
    }
  }
}

/** IDs of test sessions that a page may have open. */
export async function listOpenTestSessions(db: SqlReader, companyId: string): Promise<string[]> {
  const rows = await db.all<{ id: string }>(
    `SELECT id FROM sessions WHERE company_id = ? AND partition = 'test' AND state = 'open'`,
    companyId,
  );
  return rows.map(({ id }) => id);
}
