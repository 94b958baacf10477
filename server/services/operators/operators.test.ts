import { expect, it } from 'vitest';
import { openTestService, refusalOf } from '../../../testing/service/temp-service.ts';
import { createOperator } from './operators.ts';
import { changeOperator } from './change.ts';
import { openSession, resumeSession } from './operator-session.ts';

const by = { reason: 'left the team', actor: 'cli' } as const;

async function withAdmins(...names: string[]) {
  const { deps, clock, company } = await openTestService();
  const ids: string[] = [];
  for (const name of names) {
    const { operator } = await createOperator(deps, { name, role: 'admin', origin: 'cli', actor: 'cli' });
    ids.push(operator.operator_id);
  }
  const [one = '', two = ''] = ids;
  return { deps, clock, companyIds: [company.company_id], one, two };
}

it('a lower role applies from the next call', async () => {
  const { deps, clock, one } = await withAdmins('Ada', 'Ben');
  const origin = { address: '192.0.2.10', device: 'test' };
  const token = await deps.db.tx((tx) => openSession(tx, one, origin, clock.now()));
  await changeOperator(deps, one, { role: 'staff' }, by);
  const { operator } = await resumeSession(deps, token, { isActivity: true });
  expect(operator.role).toBe('staff');
});

it('the last admin keeps the role, stays enabled and sees all companies', async () => {
  const { deps, companyIds, one, two } = await withAdmins('Ada', 'Ben');
  await changeOperator(deps, two, { role: 'reviewer' }, by);
  for (const change of [{ role: 'staff' as const }, { disabled: true }, { companyIds }]) {
    expect(await refusalOf(changeOperator(deps, one, change, by))).toBe('last_admin');
  }
});

it.each([
  ['lose the role', { role: 'staff' as const }],
  ['be disabled', { disabled: true }],
])('the last two admins cannot both %s, not even at the same time', async (_what, change) => {
  const { deps, one, two } = await withAdmins('Ada', 'Ben');
  const outcomes = await Promise.all([one, two].map((id) => refusalOf(changeOperator(deps, id, change, by))));
  expect(outcomes.sort()).toEqual(['(not refused)', 'last_admin']);
});

it('the last two admins who see all companies cannot both be limited, not even at the same time', async () => {
  const { deps, companyIds, one, two } = await withAdmins('Ada', 'Ben');
  const limit = (id: string) => refusalOf(changeOperator(deps, id, { companyIds }, by));
  expect((await Promise.all([limit(one), limit(two)])).sort()).toEqual(['(not refused)', 'last_admin']);
});
