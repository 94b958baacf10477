import { test } from '@playwright/test';

/**
 * Skips the tests of the file, block or test that calls it where the servers run on PostgreSQL (`GATEHOUSE_TEST_ENGINE=postgres`).
 * @param reason why they cannot run there
 */
export const sqliteOnly = (reason: string): void =>
  test.skip(process.env['GATEHOUSE_TEST_ENGINE'] === 'postgres', reason);
