import { expect, it } from 'vitest';
import { makeMetricsToken, revokeMetricsToken } from '../../services/operators/metrics-token.ts';
import { createOperator } from '../../services/operators/operators.ts';
import { saveRecoveryCodes, saveSecondFactor } from '../operators/second-factors.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { insertSigningKey } from './signing-keys.ts';
import { setPinHash } from '../operators/operators.ts';
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

it('PINs, recovery codes and the token for metrics are on it', async () => {
  const { deps, clock } = await openTestService();
  const { db } = deps;
  const count = async () =>
    Object.fromEntries((await countSecrets(db, clock.now())).map(({ kind, ...rest }) => [kind, rest]));
  const { operator } = await createOperator(deps, {
    name: 'Ada',
    role: 'admin',
    origin: 'cli',
    actor: 'cli',
  });
  const id = operator.operator_id;
  const ages = { oldestAt: clock.now(), newestAt: clock.now() };
  expect(Object.keys(await count())).not.toEqual(expect.arrayContaining(['quick_pin']));
  await makeMetricsToken(db, clock, 'cli');
  await db.tx(async (tx) => {
    await setPinHash(tx, id, 'a hash');
    await saveSecondFactor(tx, id, { secret: 'S', enrolledAt: clock.now(), lastStep: 0 });
    await saveRecoveryCodes(tx, id, [Buffer.from('one'), Buffer.from('two')]);
  });
  expect(await count()).toMatchObject({
    quick_pin: { count: 1, ...ages },
    recovery_code: { count: 2, ...ages },
    metrics_token: { count: 1, ...ages },
  });
  await revokeMetricsToken(db, clock, 'cli');
  expect((await count())['metrics_token']).toBeUndefined();
});

it('keys of tickets and of humans-only codes are counted apart from that of links', async () => {
  const { deps, clock } = await openTestService();
  const key = { version: 1, secret: Buffer.alloc(32) };
  await deps.db.tx(async (tx) => {
    for (const purpose of ['tickets', 'human-code:event-1', 'human-code:event-2'])
      await insertSigningKey(tx, purpose, key, clock.now());
  });
  const kinds = (await countSecrets(deps.db, clock.now())).map(({ kind, count }) => [kind, count]);
  expect(Object.fromEntries(kinds)).toMatchObject({
    ticket_code_key: 1,
    human_code_key: 2,
    direct_link_key: 1,
  });
});
