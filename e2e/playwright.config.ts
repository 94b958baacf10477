import { defineConfig, devices, type ReporterDescription } from '@playwright/test';
import { findChromium } from './support/chromium.ts';

/** `GATEHOUSE_E2E_REPORT` names a file for the machine-readable result, which the whole test run counts. */
const report = process.env['GATEHOUSE_E2E_REPORT'];
const reporters: ReporterDescription[] = [['line']];
if (report !== undefined) reporters.push(['json', { outputFile: report }]);

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results',
  timeout: 90_000,
  expect: { timeout: 10_000 },
  // Each test brings its own server and browser, and the face engine wants the processor for itself.
  workers: process.env['CI'] === undefined ? 2 : 1,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: reporters,
  use: {
    ...devices['Desktop Chrome'],
    launchOptions: {
      // The browser that the system packages: Playwright's own would be a download.
      executablePath: findChromium(),
      args: ['--no-sandbox', '--disable-background-networking'],
    },
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
});
