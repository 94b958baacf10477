import { defineConfig, devices, type ReporterDescription } from '@playwright/test';
import { chromiumOptions } from '../testing/chromium.ts';
import { LEFT_OUT } from '../testing/tier.ts';

/** `GATEHOUSE_E2E_REPORT` names a file for the machine-readable result, which the whole test run counts. */
const report = process.env['GATEHOUSE_E2E_REPORT'];
const reporters: ReporterDescription[] = [['line']];
if (report !== undefined) reporters.push(['json', { outputFile: report }]);

/** What reads a camera or opens a desktop app. Two of these at once would starve each other, so one worker takes them in turn. */
const CAMERAS = [
  '{browsers,hosted-page,kiosk,page-light,phone-life,right-to-left,verdict}.spec.ts',
  '{electron,other-browsers}/*.spec.ts',
].map((files) => `**/e2e/${files}`);

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // They end a hang and say nothing about speed: on a busy machine everything takes several times as long.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  // Beside the cameras goes everything else, on both workers once the cameras are done.
  workers: 2,
  projects: [
    { name: 'cameras', testMatch: CAMERAS, workers: 1 },
    { name: 'others', testMatch: '**/*.spec.ts', testIgnore: CAMERAS },
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
    trace: 'retain-on-failure',
  },
});
