/** One server, and one person's clips, for all files of a worker that change only their own company. */
import { devices, test as base } from '@playwright/test';
import { renderClips, type Clips } from '../../../testing/camera/clips.ts';
import { personA } from '../../../testing/camera/people.ts';
import { limitMs } from '../../../testing/tier.ts';
import { type Gatehouse, startGatehouse } from './server.ts';
import { newCompany } from '../venue.ts';

const START_MS = limitMs(30_000);
/** The first run on a machine renders the clips; later ones read them. */
const RENDER_MS = limitMs(60_000);

/** A phone, without the option that would give each file a separate worker, and so a server. */
export const PHONE = { ...devices['Pixel 7'] };
Reflect.deleteProperty(PHONE, 'defaultBrowserType');

type WorkerFixtures = { engine: null; settings: Record<string, string>; gatehouse: Gatehouse; clips: Clips };

/** `settings` are the server's environment; files with the same settings share a server. */
export const test = base.extend<object, WorkerFixtures>({
  settings: [{}, { scope: 'worker', option: true }],
  // Every server of the worker starts after it, and a worker runs the tests of one project only.
  engine: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use, { project }) => {
      if (project.name === 'postgres') process.env['GATEHOUSE_TEST_ENGINE'] = 'postgres';
      await use(null);
    },
    { scope: 'worker', auto: true },
  ],
  gatehouse: [
    async ({ settings }, use) => {
      const gatehouse = await startGatehouse({ env: settings });
      await use(gatehouse);
      await gatehouse.stop();
    },
    { scope: 'worker', timeout: START_MS },
  ],
  // Playwright requires the pattern.
  // oxlint-disable-next-line no-empty-pattern
  clips: [async ({}, use) => use(await renderClips(personA)), { scope: 'worker', timeout: RENDER_MS }],
});

/** The shared server for a file with its own company. */
export const withOwnCompany = async (shared: Gatehouse): Promise<Gatehouse> => ({
  ...shared,
  company: await newCompany(shared, 'Test venue'),
});
