import type { Scope } from '../../domain/scope.ts';
import { type Counts, emptyRuns, listRunsNaming, type NamedPerson } from './erased-runs.ts';
import { eraseFromInvites } from './invite-erasure.ts';
import { deleteRepliesAbout } from '../keys/idempotency.ts';
import { ofScope, unindexed } from '../rows.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { foldUnusedGroups } from '../usage/groups.ts';

/**
 * Removes everything known about a person: face, credentials, customers' IDs, metadata, and their data in their runs.
 * Passes and runs stay as bare verdicts that belong to no one. Returns rows changed by kind.
 */
export async function erasePerson(
  tx: SqlTx,
  scope: Scope,
  person: NamedPerson,
  at: number,
): Promise<Record<string, number>> {
  const own = ofScope(scope);
  const touched: Counts = {};
  const runs = await listRunsNaming(tx, scope, person);
  const theirs = runs.filter(({ ownerId }) => ownerId === null || ownerId === person.id);
  const inviteIds = theirs.flatMap(({ inviteId }) => inviteId ?? []);
  touched['kept_replies'] = await deleteRepliesAbout(tx, scope, {
    personId: person.id,
    // A denied pass belongs to no one, and its confirmation names them.
    subjectIds: [
      ...theirs.flatMap(({ id, passId }) => (passId === null ? [id] : [id, passId])),
      ...inviteIds,
    ],
  });
  touched['invites'] = await eraseFromInvites(tx, scope, person, inviteIds, at);
  // Somebody may hold the code, so it stays good; whose it was is no longer known.
  touched['human_codes'] = await tx.run(
    `UPDATE human_codes SET pass_id = NULL, serial = NULL
     WHERE ${unindexed('company_id')} = ? AND ${unindexed('partition')} = ? AND pass_id IN
       (SELECT id FROM passes WHERE company_id = ? AND partition = ? AND person_id = ?)`,
    ...own,
    ...own,
    person.id,
  );
  const groups = await emptyRuns(tx, scope, person, runs, touched);
  for (const { provider, identifier } of person.identities) {
    await tx.run(
      `UPDATE passes SET identity_provider = NULL, identity_identifier = NULL
       WHERE company_id = ? AND partition = ? AND identity_provider = ? AND identity_identifier = ?`,
      ...own,
      provider,
      identifier,
    );
  }
  // The status that a v1 or v2 integration can query by its own ID: it no longer exists for an erased person, and its
  // times are removed, too.
  touched['connect_users'] = await tx.run(
    `UPDATE connect_users SET connection = CASE WHEN connection = 'connected' THEN 'revoked' ELSE connection END,
       person_id = NULL, pass_id = NULL
     WHERE company_id = ? AND partition = ? AND person_id = ?`,
    ...own,
    person.id,
  );
  const passGroups = await tx.all<{ name: string }>(
    `SELECT DISTINCT group_id AS name FROM passes
     WHERE company_id = ? AND partition = ? AND person_id = ? AND group_id IS NOT NULL`,
    ...own,
    person.id,
  );
  for (const { name } of passGroups) groups.add(name);
  touched['passes'] = await tx.run(
    `UPDATE passes SET person_id = NULL, external_id = NULL, identity_provider = NULL, identity_identifier = NULL,
       groups = '[]', group_id = (SELECT e.group_id FROM events e WHERE e.company_id = passes.company_id
         AND e.partition = passes.partition AND e.group_id = passes.group_id),
       revoked_at = CASE WHEN generation = 'v3' OR status = 'denied' THEN revoked_at ELSE COALESCE(revoked_at, settled_at) END
     WHERE company_id = ? AND partition = ? AND person_id = ?`,
    ...own,
    person.id,
  );
  touched['usage_groups'] = await foldUnusedGroups(tx, scope, groups);
  touched['templates'] = await tx.run(
    'DELETE FROM templates WHERE company_id = ? AND partition = ? AND person_id = ?',
    ...own,
    person.id,
  );
  touched['guest_photos'] = await tx.run(
    'DELETE FROM guest_photos WHERE company_id = ? AND partition = ? AND person_id = ?',
    ...own,
    person.id,
  );
  // Another face may come with the ticket; who went in and out is no longer known.
  touched['tickets'] = await tx.run(
    'UPDATE tickets SET person_id = NULL, bound_at = NULL WHERE company_id = ? AND partition = ? AND person_id = ?',
    ...own,
    person.id,
  );
  touched['ticket_entries'] = await tx.run(
    'UPDATE ticket_entries SET person_id = NULL WHERE company_id = ? AND partition = ? AND person_id = ?',
    ...own,
    person.id,
  );
  // Credentials, external IDs, test faces, distinct pairs and search entries are removed with the person.
  touched['people'] = await tx.run(
    'DELETE FROM people WHERE company_id = ? AND partition = ? AND id = ?',
    ...own,
    person.id,
  );
  touched['own_page'] = await eraseOwnPage(tx, person);
  return touched;
}

/** Codes and sessions of the person's own page, unless another organiser still knows the number. */
async function eraseOwnPage(tx: SqlTx, { identities }: NamedPerson): Promise<number> {
  let rows = 0;
  for (const { provider, identifier } of identities) {
    if (provider !== 'phone') continue;
    const known = await tx.one(
      'SELECT 1 FROM person_identities WHERE identifier = ? AND provider = ? LIMIT 1',
      identifier,
      provider,
    );
    if (known !== undefined) continue;
    rows += await tx.run('DELETE FROM phone_codes WHERE number = ? AND session_id IS NULL', identifier);
    rows += await tx.run('DELETE FROM my_sessions WHERE number = ?', identifier);
  }
  return rows;
}

/** Tables that may name a person; none of them does after an erasure. */
const NAMING = [
  'person_identities',
  'person_external_ids',
  'person_metadata',
  'person_names',
  'test_faces',
  'templates',
  'face_rows',
  'guest_photos',
  'passes',
  'imported_people',
  'connect_users',
  'tickets',
  'ticket_entries',
] as const;

/** Rows that still name the person, by ID, credential or customer's ID: 0 after an erasure. */
export async function countRemaining(db: SqlReader, scope: Scope, person: NamedPerson): Promise<number> {
  const personId = person.id;
  let rows = (await listRunsNaming(db, scope, person)).length;
  for (const [table, column] of [['people', 'id'], ...NAMING.map((name) => [name, 'person_id'])]) {
    const found = await db.one<{ rows: number }>(
      `SELECT COUNT(*) AS rows FROM ${table} WHERE company_id = ? AND partition = ? AND ${column} = ?`,
      ...ofScope(scope),
      personId,
    );
    rows += found?.rows ?? 0;
  }
  return rows;
}

/** Ends the connections without erasing the face: a later run creates a new account. */
export async function removeAccountsOf(tx: SqlTx, scope: Scope, personId: string): Promise<void> {
  for (const table of ['person_identities', 'person_external_ids']) {
    await tx.run(
      `DELETE FROM ${table} WHERE company_id = ? AND partition = ? AND person_id = ?`,
      ...ofScope(scope),
      personId,
    );
  }
}
