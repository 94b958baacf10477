/** Data about a person in their runs, found by any of their identifiers and removed. */
import type { Identity } from '../../domain/identity.ts';
import type { Scope } from '../../domain/scope.ts';
import type { SqlReader, SqlTx } from '../sql/port.ts';
import { ofScope, unindexed } from '../rows.ts';
import { announceSession } from '../runs/session-rows.ts';
import type { StoredSessionState } from '../../domain/runs/session-request.ts';

export type NamedPerson = {
  id: string;
  identities: readonly Identity[];
  externalIds: readonly string[];
};

type NamingRun = {
  id: string;
  state: StoredSessionState;
  passId: string | null;
  /** The owner of the run's pass; null if there is none. */
  ownerId: string | null;
  inviteId: string | null;
  origin: string | null;
  returnPath: string | null;
  startPath: string | null;
  redirectUrl: string | null;
  passParams: string | null;
  groupId: string | null;
  includeGroups: string | null;
  externalId: string | null;
  identityProvider: string | null;
  identityIdentifier: string | null;
  provenPhone: string | null;
  lockedPhone: string | null;
};

const SELECT = `SELECT s.id, s.state, s.pass_id AS passId, p.person_id AS ownerId, s.invite_id AS inviteId, s.origin,
    s.return_path AS returnPath, s.start_path AS startPath, s.redirect_url AS redirectUrl, s.pass_params AS passParams,
    s.group_id AS groupId, s.include_groups AS includeGroups, s.external_id AS externalId,
    s.identity_provider AS identityProvider, s.identity_identifier AS identityIdentifier,
    s.proven_phone AS provenPhone, s.locked_phone AS lockedPhone`;
const NAMED = `${SELECT} FROM sessions s LEFT JOIN passes p ON p.id = s.pass_id WHERE s.company_id = ? AND s.partition = ?`;
/** "+" keeps the planner from the scope's own indexes, see `erasure.ts`. */
const OWN = `${unindexed('company_id')} = ? AND ${unindexed('partition')} = ?`;

/** Their own runs, those that used one of their earlier passes, and those that name them by a credential or ID. */
export async function listRunsNaming(
  db: SqlReader,
  scope: Scope,
  { id, identities, externalIds }: NamedPerson,
): Promise<NamingRun[]> {
  const own = ofScope(scope);
  const found = await db.all<NamingRun>(
    `${SELECT} FROM passes p JOIN sessions s ON s.pass_id = p.id
     WHERE p.company_id = ? AND p.partition = ? AND p.person_id = ?`,
    ...own,
    id,
  );
  for (const externalId of externalIds)
    found.push(...(await db.all<NamingRun>(`${NAMED} AND s.external_id = ?`, ...own, externalId)));
  for (const { provider, identifier } of identities) {
    const byIdentity = `${NAMED} AND s.identity_identifier = ? AND s.identity_provider = ?`;
    found.push(...(await db.all<NamingRun>(byIdentity, ...own, identifier, provider)));
    if (provider !== 'phone') continue;
    for (const column of ['locked_phone', 'proven_phone'])
      found.push(...(await db.all<NamingRun>(`${NAMED} AND s.${column} = ?`, ...own, identifier)));
  }
  return [...new Map(found.map((run) => [run.id, run])).values()];
}

/** Number of rows by kind. */
export type Counts = Record<string, number>;

const add = (counts: Counts, kind: string, rows: number): void => {
  counts[kind] = (counts[kind] ?? 0) + rows;
};

/**
 * Removes everything about the person from the runs. The runs stay as bare verdicts with their times. They keep the
 * group of a venue's event, which belongs to the venue and is needed for its figures.
 * @returns the groups that were removed
 */
export async function emptyRuns(
  tx: SqlTx,
  scope: Scope,
  person: NamedPerson,
  runs: readonly NamingRun[],
  counts: Counts,
): Promise<Set<string>> {
  const groups = new Set<string>();
  for (const run of runs) {
    if (run.ownerId !== null && run.ownerId !== person.id) {
      await takeNamesOut(tx, scope, person, run, counts);
      continue;
    }
    const keepsGroup = run.groupId !== null && (await isOfEvent(tx, scope, run.groupId));
    if (run.groupId !== null && !keepsGroup) groups.add(run.groupId);
    await deleteSteps(tx, scope, run, counts);
    await emptySession(tx, scope, run, keepsGroup, counts);
    await emptyCase(tx, scope, run, counts);
  }
  return groups;
}

async function isOfEvent(db: SqlReader, scope: Scope, group: string): Promise<boolean> {
  const event = await db.one(
    'SELECT 1 FROM events WHERE company_id = ? AND partition = ? AND group_id = ?',
    ...ofScope(scope),
    group,
  );
  return event !== undefined;
}

/** Challenges, handoffs, remembered faces, codes and the timeline, and receivers' answers to the calls in the timeline. */
async function deleteSteps(tx: SqlTx, scope: Scope, { id }: NamingRun, counts: Counts): Promise<void> {
  const responses = await tx.run(
    `UPDATE webhook_events SET response_body = NULL WHERE response_body IS NOT NULL AND transaction_id IN (
       SELECT json_extract(details, '$.transaction_id') FROM run_events WHERE session_id = ? AND kind = 'webhook')`,
    id,
  );
  add(counts, 'webhook_responses', responses);
  for (const table of ['challenges', 'continuations', 'handoffs', 'seen_faces'])
    add(counts, table, await tx.run(`DELETE FROM ${table} WHERE session_id = ?`, id));
  for (const table of ['phone_codes', 'run_events']) {
    const rows = await tx.run(`DELETE FROM ${table} WHERE ${OWN} AND session_id = ?`, ...ofScope(scope), id);
    add(counts, table, rows);
  }
}

async function emptySession(
  tx: SqlTx,
  scope: Scope,
  run: NamingRun,
  keepsGroup: boolean,
  counts: Counts,
): Promise<void> {
  const rows = await tx.run(
    `UPDATE sessions SET origin = NULL, return_path = NULL, start_path = NULL, redirect_url = NULL, pass_params = NULL,
       config = NULL, external_id = NULL, group_id = ?, include_groups = NULL, identity_provider = NULL,
       identity_identifier = NULL, metadata = NULL, proven_phone = NULL, locked_phone = NULL
     WHERE ${OWN} AND id = ?`,
    keepsGroup ? run.groupId : null,
    ...ofScope(scope),
    run.id,
  );
  add(counts, 'sessions', rows);
  const { origin, returnPath, startPath, redirectUrl, passParams, groupId, includeGroups } = run;
  const hadAddress = [origin, returnPath, startPath, redirectUrl].some((part) => part !== null);
  add(counts, 'return_addresses', hadAddress ? 1 : 0);
  add(counts, 'pass_params', passParams === null ? 0 : 1);
  add(counts, 'groups', (groupId !== null && !keepsGroup) || includeGroups !== null ? 1 : 0);
  await tx.run(
    `UPDATE passes SET external_id = NULL, identity_provider = NULL, identity_identifier = NULL, groups = '[]',
       group_id = ? WHERE ${OWN} AND session_id = ?`,
    keepsGroup ? run.groupId : null,
    ...ofScope(scope),
    run.id,
  );
}

/** Pictures, notes, the compared face and operators' texts. The decision stays. */
async function emptyCase(tx: SqlTx, scope: Scope, { passId }: NamingRun, counts: Counts): Promise<void> {
  if (passId === null) return;
  const cases = `SELECT id FROM review_cases WHERE ${OWN} AND pass_id = ?`;
  const values = [...ofScope(scope), passId] as const;
  for (const table of ['case_frames', 'review_notes']) {
    add(counts, table, await tx.run(`DELETE FROM ${table} WHERE case_id IN (${cases})`, ...values));
  }
  await tx.run(`UPDATE review_opinions SET reason = NULL WHERE case_id IN (${cases})`, ...values);
  const emptied = await tx.run(
    `UPDATE review_cases SET groups = '[]', suspect_ids = '[]', similarities = NULL, test_face = NULL, model = NULL,
       vector = NULL, quality = NULL, decision_reason = NULL, pending_reason = NULL
     WHERE ${OWN} AND pass_id = ?`,
    ...values,
  );
  add(counts, 'review_cases', emptied);
}

/** The run belongs to someone else and named this person; it keeps its own person's data. */
async function takeNamesOut(
  tx: SqlTx,
  scope: Scope,
  { identities, externalIds }: NamedPerson,
  run: NamingRun,
  counts: Counts,
): Promise<void> {
  const identifiers = new Set(identities.map(({ identifier }) => identifier));
  const without = (value: string | null): string | null =>
    value !== null && identifiers.has(value) ? null : value;
  const identity = without(run.identityIdentifier);
  const externalId = externalIds.includes(run.externalId ?? '') ? null : run.externalId;
  const rows = await tx.run(
    `UPDATE sessions SET external_id = ?, identity_provider = ?, identity_identifier = ?, metadata = NULL,
       proven_phone = ?, locked_phone = ? WHERE ${OWN} AND id = ?`,
    externalId,
    identity === null ? null : run.identityProvider,
    identity,
    without(run.provenPhone),
    without(run.lockedPhone),
    ...ofScope(scope),
    run.id,
  );
  add(counts, 'sessions', rows);
  if (externalId !== run.externalId) {
    await tx.run(
      `UPDATE passes SET external_id = NULL WHERE ${OWN} AND session_id = ?`,
      ...ofScope(scope),
      run.id,
    );
  }
}

/** Ends a run without a verdict, with its open case. 0 if it had ended. */
export async function abandonRun(tx: SqlTx, scope: Scope, id: string, at: number): Promise<number> {
  const own = [...ofScope(scope), id] as const;
  await tx.run(`DELETE FROM review_cases WHERE ${OWN} AND session_id = ? AND decision IS NULL`, ...own);
  announceSession(tx, id, scope.companyId);
  tx.afterCommit('case', scope.companyId);
  return tx.run(
    `UPDATE sessions SET state = 'cancelled', pass_id = NULL, settled_at = ?, checking_nonce = NULL, checking_until = NULL
     WHERE ${OWN} AND id = ? AND state IN ('open', 'in_review')`,
    at,
    ...own,
  );
}
