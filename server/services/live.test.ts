import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openTestService } from '../../testing/service/temp-service.ts';
import { createCompany } from './companies/companies.ts';
import { createLiveBus } from './live.ts';

it('a change within the first second of a stream is announced', async () => {
  const { deps, clock, scope } = await openTestService();
  const live = createLiveBus(deps.db, clock, deps.events, () => undefined);
  const notify = vi.fn();
  onTestFinished(live.listen({ scope: scope('test'), notify, drained: () => undefined }));
  await wait(100);
  await createCompany(deps.db, clock, { name: 'Another venue', actor: 'cli' });
  await expect.poll(() => notify).toHaveBeenCalledWith(expect.objectContaining({ topic: 'audit' }));
});
