import { expect, it } from 'vitest';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { saveMyFilter } from './account.ts';
import { createOperator } from './operators.ts';
import { openSession, resumeSession, type SignedIn } from './operator-session.ts';

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

it('a full disk does not keep a signed-in operator from reading', async () => {
  const { deps, clock } = await openTestService();
  const { db } = deps;
  const { operator } = await createOperator(deps, {
    name: 'Ada',
    role: 'admin',
    origin: 'cli',
    actor: 'cli',
  });
  const here = { address: '127.0.0.1', device: 'test' };
  const token = await db.tx((tx) => openSession(tx, operator.operator_id, here, clock.now()));
  clock.advance(60_000);
  const full = { ...db, refusesWrites: () => true, write: () => Promise.reject(new Error('full')) };
  const signedIn = await resumeSession({ ...deps, db: full }, token, { isActivity: true });
  expect(signedIn.operator.name).toBe('Ada');
});
