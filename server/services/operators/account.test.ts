import { expect, it } from 'vitest';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { saveMyFilter } from './account.ts';
import { createOperator } from './operators.ts';
import type { SignedIn } from './operator-session.ts';

it('the audit log says which filter was saved, but not its name, which may be a person’s', async () => {
  const { deps } = await openTestService();
  const { operator } = await createOperator(deps, {
    name: 'Ada',
    role: 'staff',
    origin: 'cli',
    actor: 'cli',
  });
  const signedIn = { operator: { id: operator.operator_id }, actor: operator.name } as SignedIn;
  const filter = { page: 'people', name: 'Ana Ruiz', query: 'q=ana+ruiz' };
  const { filter_id: id } = await saveMyFilter(deps, signedIn, filter);
  const entries = await deps.db.all<{ details: string }>(
    "SELECT details FROM audit_entries WHERE action = 'filter.save'",
  );
  expect(entries.map(({ details }) => JSON.parse(details) as unknown)).toEqual([
    { page: 'people', filter_id: id },
  ]);
});
