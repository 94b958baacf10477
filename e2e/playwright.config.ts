import { defineConfig, devices, type ReporterDescription } from '@playwright/test';
import { chromiumOptions, findShell } from '../testing/browsers.ts';
import { findPostgres } from '../testing/postgres/server.ts';
import { CHECK, LEFT_OUT, limitMs, sized } from '../testing/tier.ts';

/** `GATEHOUSE_E2E_REPORT` names a file for the machine-readable result, which the whole test run counts. */
const report = process.env['GATEHOUSE_E2E_REPORT'];
const reporters: ReporterDescription[] = [['line']];
if (report !== undefined) reporters.push(['json', { outputFile: report }]);

const isCheck = new RegExp(CHECK);
const leftOut = LEFT_OUT === undefined ? [] : [LEFT_OUT];

/** The black-box suites once more against a node on PostgreSQL: a sample of each in every run, all at night. */
const ON_POSTGRES = sized(['v1/connect-user', 'v2/status', 'v3/lock'], ['**/*']).map(
  (files) => `**/e2e/conformance/${files}.spec.ts`,
);

/** Tests with a desktop app: also one at a time. */
const DESKTOPS = '**/e2e/electron/{kiosk,lan-kiosk,package,print,shell}.spec.ts';

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  testMatch: '**/*.spec.ts',
  globalSetup: './global-setup.ts',
  timeout: limitMs(30_000),
  expect: { timeout: limitMs(5_000) },
  // Tests wait for about half of their time, so three workers keep two processors busy.
  workers: 3,
  projects: [
    { name: 'cameras', grep: isCheck, grepInvert: leftOut, workers: 1 },
    // First, so that their single worker is not the last to finish.
    { name: 'desktops', testMatch: DESKTOPS, grepInvert: [isCheck, ...leftOut], workers: 1 },
    ...(findPostgres() === undefined
      ? []
      : [{ name: 'postgres', testMatch: ON_POSTGRES, grepInvert: leftOut }]),
    {
      name: 'others',
      testIgnore: DESKTOPS,
      grepInvert: [isCheck, ...leftOut],
      // Without a graphics device, windows and motion take processor time. Tests that hold a check keep both.
      use: { launchOptions: chromiumOptions(findShell()), contextOptions: { reducedMotion: 'reduce' } },
    },
  ],
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
