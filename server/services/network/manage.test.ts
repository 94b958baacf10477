import { expect, it } from 'vitest';
import { testInstallation } from '../../../testing/service/installation.ts';
import { openTestService } from '../../../testing/service/temp-service.ts';
import { readNetwork } from './manage.ts';

it('shows where the service can be reached', async () => {
  const { deps, clock } = await openTestService();
  expect(await readNetwork({ ...deps, ...testInstallation(deps.db, clock) })).toMatchObject({
    is_loopback: false,
    webhook_hosts: [],
  });
});
