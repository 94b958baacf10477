import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { findPostgres } from './testing/postgres/server.ts';
import { countsReporter } from './scripts/run/test-counts.ts';
import { limitMs } from './testing/tier.ts';
import { messageCatalogues } from './scripts/locales/vite-plugin.ts';

/** `GATEHOUSE_UNIT_REPORT` names a file for the counts, which the whole test run adds up. */
const report = process.env['GATEHOUSE_UNIT_REPORT'];
/** Files that replace a module, which would affect other files. */
const ISOLATED = ['server/routes/schemas.test.ts'];
/**
 * Store and services run on PostgreSQL, too, except tests that are specific to SQLite (its driver, its files and their
 * backups) and slow ones that do not depend on the engine.
 */
const ON_POSTGRES = {
  include: ['server/{store,services}/**/*.test.ts'],
  exclude: [
    'server/store/sql/{sqlite,damage}.test.ts',
    'server/store/schema/accounts.test.ts',
    'server/services/backup/**',
    'server/services/demo/**',
    ...ISOLATED,
  ],
};

export default defineConfig({
  plugins: [messageCatalogues()],
  test: {
    // One file judges rendered faces for most of the time; the others run in parallel, even on two processors.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', ...(report === undefined ? [] : [countsReporter(report)])],
    globalSetup: 'scripts/vitest-assets.ts',
    unstubGlobals: true,
    testTimeout: limitMs(10_000),
    hookTimeout: limitMs(10_000),
    expect: { poll: { timeout: limitMs(5_000) } },
    projects: [
      {
        extends: true,
        test: {
          // The product is loaded once per worker instead of once per file, which took half of the time.
          name: 'shared',
          isolate: false,
          include: ['{locales,server,renderer,electron,scripts,lab,testing,e2e/support}/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...ISOLATED],
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
      ...(findPostgres() === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                ...ON_POSTGRES,
                name: 'postgres',
                isolate: false,
                env: { GATEHOUSE_TEST_ENGINE: 'postgres' },
                globalSetup: ['testing/postgres/vitest-setup.ts'],
              },
            },
          ]),
    ],
  },
});
