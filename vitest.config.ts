import { statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { findPostgres } from './testing/postgres/server.ts';
import { countsReporter } from './scripts/run/test-counts.ts';
import { limitMs } from './testing/tier.ts';
import { messageCatalogues } from './scripts/locales/vite-plugin.ts';

/** Enough for the databases of all workers. Containers often have 64 MiB. */
const ROOM_BYTES = 2 * 1024 ** 3;
const MEMORY = '/dev/shm';

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}

// Both are inherited by the workers. On a disk, a test would wait longer for its database than for anything else.
if (hasRoom(MEMORY)) process.env['TMPDIR'] ??= MEMORY;
// Each thread of the product would otherwise strip the types of its sources again.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, '.cache/node');

/** `GATEHOUSE_UNIT_REPORT` names a file for the counts, which the whole test run adds up. */
const report = process.env['GATEHOUSE_UNIT_REPORT'];
/** Files that replace a module, which would affect other files, or need one that the others replace. */
const ISOLATED = ['server/routes/schemas.test.ts', 'server/services/operators/hashing.test.ts'];
/** Sign-ins at the product's cost would take most of the time of their tests. */
const CHEAP_HASHES = { '@node-rs/argon2': path.join(import.meta.dirname, 'testing/service/argon2.ts') };
/** Files that need Chromium: to open a camera, or to find the landmarks of the people that they render. */
const WITH_BROWSER = [
  'lab/evaluate/recordings/recorded-at-a-server.test.ts',
  'server/face/liveness-on-pictures.test.ts',
  'server/routes/flow/capture-on-pictures.test.ts',
  'testing/camera/browser/browser-camera.test.ts',
];
/** Pages that are rendered, in a document without a browser. */
const IN_DOCUMENT = ['renderer/**/*.page.test.tsx'];
/**
 * Store and services run on PostgreSQL, too, except tests that are specific to SQLite (its driver, its files and their
 * backups) and slow ones that do not depend on the engine.
 */
const ON_POSTGRES = {
  include: ['server/{store,services}/**/*.test.ts', 'server/told-once.test.ts'],
  exclude: [
    'server/store/sql/sqlite/**',
    'server/store/schema/accounts.test.ts',
    'server/services/backup/**',
    'server/services/demo/**',
    'server/services/capture/held-pictures.property.test.ts',
    ...ISOLATED,
  ],
};

export default defineConfig({
  plugins: [messageCatalogues()],
  test: {
    // Some files wait for a thread, a process or their time; others run meanwhile, even on two processors.
    maxWorkers: Math.max(3, availableParallelism() - 1),
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
          alias: CHEAP_HASHES,
          include: [
            '{locales,server,renderer,electron,scripts,sdk,lab,testing,e2e/{soak,support}}/**/*.test.{ts,tsx}',
          ],
          exclude: [...configDefaults.exclude, ...ISOLATED, ...WITH_BROWSER, ...IN_DOCUMENT],
        },
      },
      { extends: true, test: { name: 'browser', isolate: false, include: WITH_BROWSER } },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
      {
        extends: true,
        test: {
          name: 'document',
          environment: 'happy-dom',
          environmentOptions: { happyDOM: { url: 'http://localhost:4181' } },
          isolate: false,
          alias: CHEAP_HASHES,
          include: IN_DOCUMENT,
        },
      },
      ...(findPostgres() === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                ...ON_POSTGRES,
                name: 'postgres',
                isolate: false,
                alias: CHEAP_HASHES,
                env: { GATEHOUSE_TEST_ENGINE: 'postgres' },
                globalSetup: ['testing/postgres/vitest-setup.ts'],
              },
            },
          ]),
    ],
  },
});
