import { defineConfig, devices, type ReporterDescription } from '@playwright/test';
import { chromiumOptions } from '../testing/chromium.ts';

/** `GATEHOUSE_E2E_REPORT` names a file for the machine-readable result, which the whole test run counts. */
const report = process.env['GATEHOUSE_E2E_REPORT'];
const reporters: ReporterDescription[] = [['line']];
if (report !== undefined) reporters.push(['json', { outputFile: report }]);

/** What uses a camera or a desktop app, and wants the processor for itself: one after the other. */
const PAGES = [
  '{browsers,connect,docs,handoff,hosted-page,in-app-browser,kiosk,lan,my}.spec.ts',
  '{phone-life,right-to-left,sdk,verdict}.spec.ts',
  'console-{door,reviews,security,settings,shell}.spec.ts',
  '{electron,other-browsers}/*.spec.ts',
].map((files) => `**/e2e/${files}`);

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // No test is about speed: on a machine that is starved everything takes several times longer.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  // Beside them goes what waits for the most part: what speaks HTTP, and as much of the console as takes equally long.
  workers: 2,
  projects: [
    { name: 'pages', testMatch: PAGES, workers: 1 },
    { name: 'service', testMatch: '**/*.spec.ts', testIgnore: PAGES, workers: 1 },
  ],
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
