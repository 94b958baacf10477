import { expect, it } from 'vitest';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { countSecrets } from './inventory.ts';

it('the inventory counts what is in use, with its ages, and not what was revoked', async () => {
  const { deps, clock, company } = await openTestService();
  const count = async () =>
    Object.fromEntries((await countSecrets(deps.db, clock.now())).map(({ kind, ...rest }) => [kind, rest]));
  const ages = { oldestAt: clock.now(), newestAt: clock.now() };
  const before = await count();
  expect(before['api_key']).toEqual({ count: 6, ...ages });
  expect(before['result_token_key']).toMatchObject({ count: 1 });
  await deps.db.write('UPDATE keys SET revoked_at = ? WHERE company_id = ?', clock.now(), company.company_id);
  expect((await count())['api_key']).toBeUndefined();
});
