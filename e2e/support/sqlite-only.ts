import { test } from '@playwright/test';

/** Whether servers of tests run on PostgreSQL. */
export const isOnPostgres = process.env['GATEHOUSE_TEST_ENGINE'] === 'postgres';

/**
 * Skips the tests of the file, block or test that calls it on PostgreSQL (`GATEHOUSE_TEST_ENGINE=postgres`).
 * @param reason why they cannot run there
 */
export const sqliteOnly = (reason: string): void => test.skip(isOnPostgres, reason);
