import { defineConfig, devices, type ReporterDescription } from '@playwright/test';
import { chromiumOptions, findShell } from '../testing/browsers.ts';
import { findPostgres } from '../testing/postgres/server.ts';
import { LEFT_OUT, limitMs, sized } from '../testing/tier.ts';

/** `GATEHOUSE_E2E_REPORT` names a file for the machine-readable result, which the whole test run counts. */
const report = process.env['GATEHOUSE_E2E_REPORT'];
const reporters: ReporterDescription[] = [['line']];
if (report !== undefined) reporters.push(['json', { outputFile: report }]);

/** Tests that hold a check before a camera. Two at once would starve each other, so one worker runs them in turn. */
const CAMERAS = [
  'first-evening.spec.ts',
  '{capture,kiosk,other-browsers}/*.spec.ts',
  'electron/kiosk.spec.ts',
].map((files) => `**/e2e/${files}`);

/** The black-box suites once more against a node on PostgreSQL: a sample of each in every run, all at night. */
const ON_POSTGRES = sized(['v1/connect-user', 'v2/status', 'v3/lock'], ['**/*']).map(
  (files) => `**/e2e/conformance/${files}.spec.ts`,
);

/** Tests with a desktop app: also one at a time. */
const DESKTOPS = '**/e2e/electron/{lan-kiosk,package,print,shell}.spec.ts';

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  globalSetup: './global-setup.ts',
  timeout: limitMs(30_000),
  expect: { timeout: limitMs(5_000) },
  // Everything else runs in parallel with the cameras. Tests wait for about half of their time, so three workers keep
  // two processors busy.
  workers: 3,
  projects: [
    { name: 'cameras', testMatch: CAMERAS, workers: 1 },
    // First, so that their single worker is not the last to finish.
    { name: 'desktops', testMatch: DESKTOPS, workers: 1 },
    ...(findPostgres() === undefined ? [] : [{ name: 'postgres', testMatch: ON_POSTGRES }]),
    {
      name: 'others',
      testMatch: '**/*.spec.ts',
      testIgnore: [...CAMERAS, DESKTOPS],
      // Without a graphics device, windows and motion take processor time. The pages with a camera keep both.
      use: { launchOptions: chromiumOptions(findShell()), contextOptions: { reducedMotion: 'reduce' } },
    },
  ],
  ...(LEFT_OUT !== undefined && { grepInvert: LEFT_OUT }),
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: reporters,
  use: {
    ...devices['Desktop Chrome'],
    // The system's browser, because Playwright's own would be a download.
    launchOptions: chromiumOptions(),
    screenshot: 'only-on-failure',
    // Recording takes a third of the processor time; `--trace on` records a failing test.
    trace: 'off',
  },
});
