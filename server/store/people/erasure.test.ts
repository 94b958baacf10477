import { expect, test } from 'vitest';
import { explainedTx, readingAll } from '../../../testing/store/plans.ts';
import { onSqlite, openTempStore } from '../../../testing/store/temp-store.ts';
import { erasePerson } from './erasure.ts';

test.runIf(onSqlite)('no statement of an erasure reads every row of a table or of a company', async () => {
  const db = await openTempStore();
  const steps: string[] = [];
  const identities = [{ provider: 'phone', identifier: '+34600123456' }] as const;
  const person = { id: 'p', identities, externalIds: ['guest-1'] };
  await db.tx((tx) => erasePerson(explainedTx(tx, steps), { companyId: 'c', partition: 'live' }, person, 0));
  expect(steps.length).toBeGreaterThan(10);
  expect(readingAll(steps)).toEqual([]);
});
