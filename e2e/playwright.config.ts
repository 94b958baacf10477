import { defineConfig, devices, type ReporterDescription } from '@playwright/test';
import { chromiumOptions } from '../testing/chromium.ts';
import { LEFT_OUT, limitMs } from '../testing/tier.ts';

/** `GATEHOUSE_E2E_REPORT` names a file for the machine-readable result, which the whole test run counts. */
const report = process.env['GATEHOUSE_E2E_REPORT'];
const reporters: ReporterDescription[] = [['line']];
if (report !== undefined) reporters.push(['json', { outputFile: report }]);

/** What reads a camera. Two of these at once would starve each other, so one worker takes them in turn. */
const CAMERAS = [
  '{browsers,hosted-page,kiosk,live-capture,page-light,phone-life,verdict}.spec.ts',
  'electron/kiosk.spec.ts',
  'other-browsers/*.spec.ts',
].map((files) => `**/e2e/${files}`);

/** What opens a desktop app: one at a time, too. */
const DESKTOPS = '**/e2e/electron/{lan-kiosk,package,shell}.spec.ts';

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  globalSetup: './global-setup.ts',
  timeout: limitMs(30_000),
  expect: { timeout: limitMs(5_000) },
  // Beside the cameras goes everything else. Tests wait for about half of their time, so three workers keep two processors busy.
  workers: 3,
  projects: [
    { name: 'cameras', testMatch: CAMERAS, workers: 1 },
    // First, so that their one worker is not the last that runs.
    { name: 'desktops', testMatch: DESKTOPS, workers: 1 },
    { name: 'others', testMatch: '**/*.spec.ts', testIgnore: [...CAMERAS, DESKTOPS] },
  ],
  ...(LEFT_OUT !== undefined && { grepInvert: LEFT_OUT }),
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: reporters,
  use: {
    ...devices['Desktop Chrome'],
    // The browser that the system packages: Playwright's own would be a download.
    launchOptions: chromiumOptions(),
    screenshot: 'only-on-failure',
    // Recording costs a third of the processor's time; `--trace on` records a test that failed.
    trace: 'off',
  },
});
