import { expect, test } from 'vitest';
import { explainedReader, readingAll } from '../../../testing/store/plans.ts';
import { onSqlite, openTempStore } from '../../../testing/store/temp-store.ts';
import { findLatestPassOfIdentity } from './passes.ts';

test.runIf(onSqlite)('a lookup by identity reads only the runs with the credential', async () => {
  const db = await openTempStore();
  const steps: string[] = [];
  const scope = { companyId: 'c', partition: 'test' } as const;
  const identity = { provider: 'phone', identifier: '+34600123456' } as const;
  const anywhere = { verificationId: null, group: null };
  await findLatestPassOfIdentity(explainedReader(db, steps), scope, identity, anywhere);
  expect(steps.length).toBeGreaterThan(5);
  // The one that is left reads the IDs that the other steps have found.
  expect(readingAll(steps)).toEqual(['SCAN carried']);
});
