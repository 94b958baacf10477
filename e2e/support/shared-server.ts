/** One server for all files of a worker that change nothing but their own company. */
import { test as base } from '@playwright/test';
import { limitMs } from '../../testing/tier.ts';
import { type Gatehouse, startGatehouse } from './server.ts';
import { newCompany } from './venue.ts';

const START_MS = limitMs(30_000);

type WorkerFixtures = { settings: Record<string, string>; gatehouse: Gatehouse };

/** `settings` are the server's environment; files that ask for the same share a server. */
export const test = base.extend<object, WorkerFixtures>({
  settings: [{}, { scope: 'worker', option: true }],
  gatehouse: [
    async ({ settings }, use) => {
      const gatehouse = await startGatehouse({ env: settings });
      await use(gatehouse);
      await gatehouse.stop();
    },
    { scope: 'worker', timeout: START_MS },
  ],
});

/** The shared server as a file sees it that has a company of its own. */
export const withOwnCompany = async (shared: Gatehouse): Promise<Gatehouse> => ({
  ...shared,
  company: await newCompany(shared, 'Test venue'),
});
