import type { DeletionTime } from '../../domain/clock.ts';
import type { Scope } from '../../domain/scope.ts';
import { deleteSome, ofScope } from '../rows.ts';
import type { SqlTx } from '../sql/port.ts';
import { foldUnusedGroups, listCountedGroups } from '../usage/groups.ts';

/**
 * Removes a scope's runs and people from before `before`; people are removed if none of their data is newer. Usage
 * counters stay, so that clearing cannot be used to avoid a cap. Returns rows removed by table, of each at most `limit`.
 */
export async function deleteRunsBefore(
  tx: SqlTx,
  scope: Scope,
  before: DeletionTime,
  limit: number,
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  const remove = async (table: string, old: string, key = 'id'): Promise<void> => {
    const where = `company_id = ? AND partition = ? AND ${old}`;
    const params = [...ofScope(scope), before];
    removed[table] = await deleteSome(tx.run, { table, key, where }, params, limit);
  };
  // Children first.
  await remove('review_cases', 'opened_at < ?');
  await remove('human_codes', 'pass_id IN (SELECT id FROM passes WHERE settled_at < ?)');
  await remove(
    'passes',
    'settled_at < ? AND NOT EXISTS (SELECT 1 FROM human_codes WHERE human_codes.pass_id = passes.id)',
  );
  await remove('ticket_entries', 'at < ?', 'seq');
  await remove('tickets', 'created_at < ?');
  await remove('templates', 'created_at < ?', 'seq');
  await remove('guest_photos', 'taken_at < ?', 'event_id, person_id');
  await remove(
    'sessions',
    `created_at < ?
       AND NOT EXISTS (SELECT 1 FROM passes WHERE passes.session_id = sessions.id)
       AND NOT EXISTS (SELECT 1 FROM review_cases WHERE review_cases.session_id = sessions.id)`,
  );
  await remove(
    'invites',
    `created_at < ?
       AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.invite_id = invites.id)`,
  );
  await remove(
    'connect_users',
    `changed_at < ?
       AND id NOT IN (SELECT connect_user_id FROM invites WHERE connect_user_id IS NOT NULL)
       AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.connect_user_id = connect_users.id)`,
  );
  await remove(
    'people',
    `last_seen_at < ?
       AND NOT EXISTS (SELECT 1 FROM passes WHERE passes.person_id = people.id)`,
  );
  await remove('idempotency_keys', 'created_at < ?');
  // Calls name users by the integration's own ID, and contain receivers' answers.
  await remove('webhook_calls', `status <> 'PENDING' AND created_at < ?`, 'seq');
  removed['usage_groups'] = await foldUnusedGroups(tx, scope, await listCountedGroups(tx, scope));
  return removed;
}
