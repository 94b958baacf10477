import { expect, it } from 'vitest';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { matchThresholds } from './identification.ts';
import { readMatchMargin } from './match-margin.ts';
import { changeMatching, readMatching } from './settings.ts';

it('a margin makes every comparison stricter, within its bounds, and its reason is recorded', async () => {
  const { deps, scope } = await openTestService();
  const before = await readMatching(deps, scope('live'));
  await changeMatching(deps, { margin: 0.04, reason: 'Many relatives at this event' }, 'operator:1');
  const after = await readMatching(deps, scope('live'));
  expect(after.same.cosine).toBeCloseTo(before.same.cosine + 0.04);
  expect((await matchThresholds(deps.db, deps.faces, 10)).near).toBeCloseTo(before.near.cosine + 0.04);
  expect(JSON.stringify(await deps.db.all('SELECT details FROM audit_entries'))).toContain('Many relatives');
  for (const margin of [-0.06, 0.11, Number.NaN]) {
    const refused = changeMatching(deps, { margin, reason: 'too far' }, 'operator:1');
    await expect(refused).rejects.toThrow();
  }
  expect(await readMatchMargin(deps.db)).toBe(0.04);
});
