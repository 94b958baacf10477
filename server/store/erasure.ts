import type { Identity } from '../domain/identity.ts';
import type { Scope } from '../domain/scope.ts';
import type { SqlTx } from './port.ts';

/**
 * Removes all that is known of a person: face, credentials, own ids, metadata, and what their runs carried of these.
 * Passes stay as bare verdicts that belong to no one. Returns rows touched by table.
 */
export async function erasePerson(
  tx: SqlTx,
  scope: Scope,
  personId: string,
  identities: readonly Identity[],
): Promise<Record<string, number>> {
  const own = [scope.companyId, scope.partition] as const;
  const touched: Record<string, number> = {};
  const runs = `SELECT session_id FROM passes
    WHERE company_id = ? AND partition = ? AND person_id = ? AND session_id IS NOT NULL`;
  touched['phone_codes'] = await tx.run(
    `DELETE FROM phone_codes WHERE session_id IN (${runs})`,
    ...own,
    personId,
  );
  touched['frame_fingerprints'] = await tx.run(
    `DELETE FROM frame_fingerprints WHERE company_id = ? AND partition = ? AND session_id IN (${runs})`,
    ...own,
    ...own,
    personId,
  );
  const cases = `SELECT c.id FROM passes p JOIN review_cases c ON c.pass_id = p.id
    WHERE p.company_id = ? AND p.partition = ? AND p.person_id = ?`;
  for (const table of ['case_frames', 'review_notes']) {
    touched[table] = await tx.run(
      `DELETE FROM ${table} WHERE company_id = ? AND partition = ? AND case_id IN (${cases})`,
      ...own,
      ...own,
      personId,
    );
  }
  touched['sessions'] = await tx.run(
    `UPDATE sessions SET external_id = NULL, identity_provider = NULL, identity_identifier = NULL, metadata = NULL,
       proven_phone = NULL, locked_phone = NULL, pass_params = NULL
     WHERE company_id = ? AND partition = ? AND id IN (${runs})`,
    ...own,
    ...own,
    personId,
  );
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
         WHERE company_id = ? AND partition = ? AND (locked_phone = ? OR proven_phone = ?) AND state <> 'open'`,
        ...own,
        identifier,
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
  // Credentials, external ids, test faces and remembered pairs go with the person.
  touched['people'] = await tx.run(
    'DELETE FROM people WHERE company_id = ? AND partition = ? AND id = ?',
    ...own,
    personId,
  );
  return touched;
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
