import { expect, test } from 'vitest';
import { explainedReader, readingAll } from '../../testing/plans.ts';
import { openTempStore } from '../../testing/temp-store.ts';
import { countKioskTimes } from './kiosk-times.ts';
import { countByHour, countOutcomes, countReasons } from './run-counts.ts';

const scope = { companyId: 'c', partition: 'live' } as const;
const event = { id: 'e', group: 'g' };

test('an event’s figures are counted in an index alone, and only over its own runs', async () => {
  const steps: string[] = [];
  const db = explainedReader(await openTempStore(), steps);
  const always = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
  await countByHour(db, { scope, event, ...always });
  await countOutcomes(db, { scope, event: null, fromMs: 1, toMs: 2 });
  await countKioskTimes(db, scope, event.id);
  const searches = steps.filter((step) => /^(SEARCH|SCAN) (sessions|kiosk_runs)/.test(step));
  expect(searches).toHaveLength(4);
  for (const step of searches) expect(step).toContain('USING COVERING INDEX');
});

test('reasons are read of those turned away alone', async () => {
  const steps: string[] = [];
  await countReasons(explainedReader(await openTempStore(), steps), scope, event);
  expect(readingAll(steps).filter((step) => step !== 'SCAN r')).toEqual([]);
});
