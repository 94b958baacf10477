import type { Identity } from '../domain/identity.ts';
import type { Scope } from '../domain/scope.ts';
import { eraseFromInvites } from './invite-erasure.ts';
import type { SqlReader, SqlTx } from './port.ts';

/**
 * "+" keeps the scope's own indexes out of it: the planner counts equal columns, took them for narrower than the few ids
 * that are meant, and read every row of the company while nobody else could write.
 */
const OWN = '+company_id = ? AND +partition = ?';

/**
 * Removes all that is known of a person: face, credentials, own ids, metadata, and what their runs carried of these.
 * Passes stay as bare verdicts that belong to no one. Returns rows touched by table.
 */
export async function erasePerson(
  tx: SqlTx,
  scope: Scope,
  personId: string,
  identities: readonly Identity[],
  externalIds: readonly string[] = [],
): Promise<Record<string, number>> {
  const own = [scope.companyId, scope.partition] as const;
  const touched: Record<string, number> = {};
  // Their own runs, and those that an earlier pass of theirs stands for.
  const runs = `SELECT s.id FROM passes p JOIN sessions s ON s.pass_id = p.id
    WHERE p.company_id = ? AND p.partition = ? AND p.person_id = ?`;
  for (const table of ['phone_codes', 'run_events']) {
    touched[table] = await tx.run(
      `DELETE FROM ${table} WHERE ${OWN} AND session_id IN (${runs})`,
      ...own,
      ...own,
      personId,
    );
  }
  touched['invites'] = await eraseFromInvites(tx, scope, personId);
  const cases = `SELECT c.id FROM passes p JOIN review_cases c ON c.pass_id = p.id
    WHERE p.company_id = ? AND p.partition = ? AND p.person_id = ?`;
  for (const table of ['case_frames', 'review_notes']) {
    touched[table] = await tx.run(
      `DELETE FROM ${table} WHERE ${OWN} AND case_id IN (${cases})`,
      ...own,
      ...own,
      personId,
    );
  }
  touched['sessions'] = await tx.run(
    `UPDATE sessions SET external_id = NULL, identity_provider = NULL, identity_identifier = NULL, metadata = NULL,
       proven_phone = NULL, locked_phone = NULL, pass_params = NULL
     WHERE ${OWN} AND id IN (${runs})`,
    ...own,
    ...own,
    personId,
  );
  for (const externalId of externalIds) {
    // Runs that named them and came to nobody, or to somebody else.
    const named = 'SELECT id FROM sessions WHERE company_id = ? AND partition = ? AND external_id = ?';
    await tx.run(
      `UPDATE passes SET external_id = NULL WHERE ${OWN} AND session_id IN (${named})`,
      ...own,
      ...own,
      externalId,
    );
    await tx.run(
      `UPDATE sessions SET external_id = NULL, metadata = NULL
       WHERE company_id = ? AND partition = ? AND external_id = ? AND state <> 'open'`,
      ...own,
      externalId,
    );
  }
  for (const { provider, identifier } of identities) {
    // Runs that carried the credential but never came to a person.
    await tx.run(
      `UPDATE sessions SET identity_provider = NULL, identity_identifier = NULL, metadata = NULL
       WHERE company_id = ? AND partition = ? AND identity_provider = ? AND identity_identifier = ? AND state <> 'open'`,
      ...own,
      provider,
      identifier,
    );
    if (provider === 'phone') {
      await tx.run(
        `UPDATE sessions SET locked_phone = NULL, proven_phone = NULL
         WHERE rowid IN (SELECT rowid FROM sessions WHERE company_id = ? AND partition = ? AND locked_phone = ?
           UNION SELECT rowid FROM sessions WHERE company_id = ? AND partition = ? AND proven_phone = ?)
           AND state <> 'open'`,
        ...own,
        identifier,
        ...own,
        identifier,
      );
    }
    await tx.run(
      `UPDATE passes SET identity_provider = NULL, identity_identifier = NULL
       WHERE company_id = ? AND partition = ? AND identity_provider = ? AND identity_identifier = ?`,
      ...own,
      provider,
      identifier,
    );
  }
  // What an integration of v1 or v2 may still ask by its own id: an erased person answers it no more, and from when on
  // goes with them.
  touched['connect_users'] = await tx.run(
    `UPDATE connect_users SET connection = CASE WHEN connection = 'connected' THEN 'revoked' ELSE connection END,
       person_id = NULL, pass_id = NULL
     WHERE company_id = ? AND partition = ? AND person_id = ?`,
    ...own,
    personId,
  );
  touched['passes'] = await tx.run(
    `UPDATE passes SET person_id = NULL, external_id = NULL, identity_provider = NULL, identity_identifier = NULL,
       revoked_at = CASE WHEN generation = 'v3' OR status = 'denied' THEN revoked_at ELSE COALESCE(revoked_at, settled_at) END
     WHERE company_id = ? AND partition = ? AND person_id = ?`,
    ...own,
    personId,
  );
  touched['templates'] = await tx.run(
    'DELETE FROM templates WHERE company_id = ? AND partition = ? AND person_id = ?',
    ...own,
    personId,
  );
  // Credentials, external ids, test faces, remembered pairs and what they were found by go with the person.
  touched['people'] = await tx.run(
    'DELETE FROM people WHERE company_id = ? AND partition = ? AND id = ?',
    ...own,
    personId,
  );
  return touched;
}

/** Tables that may name a person; after an erasure none of them does. */
const NAMING = [
  'person_identities',
  'person_external_ids',
  'person_metadata',
  'person_names',
  'test_faces',
  'templates',
  'passes',
  'connect_users',
] as const;

/** Rows that name the person still: 0 after an erasure. */
export async function countRemaining(db: SqlReader, scope: Scope, personId: string): Promise<number> {
  let rows = 0;
  for (const [table, column] of [['people', 'id'], ...NAMING.map((name) => [name, 'person_id'])]) {
    const found = await db.one<{ rows: number }>(
      `SELECT COUNT(*) AS rows FROM ${table} WHERE company_id = ? AND partition = ? AND ${column} = ?`,
      scope.companyId,
      scope.partition,
      personId,
    );
    rows += found?.rows ?? 0;
  }
  return rows;
}

/** Ends the ties without erasing the face: a later run makes a fresh account. */
export async function removeAccountsOf(tx: SqlTx, scope: Scope, personId: string): Promise<void> {
  for (const table of ['person_identities', 'person_external_ids']) {
    await tx.run(
      `DELETE FROM ${table} WHERE company_id = ? AND partition = ? AND person_id = ?`,
      scope.companyId,
      scope.partition,
      personId,
    );
  }
}
