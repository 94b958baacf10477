import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { messageCatalogues } from './scripts/locales/vite-plugin.ts';

/** Files that replace a module, which the others would see as well. */
const ISOLATED = ['server/routes/text-bounds.test.ts'];

export default defineConfig({
  plugins: [messageCatalogues()],
  test: {
    // One file judges rendered faces for most of the time; the others go beside it, on two processors as well.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: 'scripts/vitest-assets.ts',
    unstubGlobals: true,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          // The product is loaded once a worker instead of once a file, which was half of the time.
          name: 'shared',
          isolate: false,
          include: ['{locales,server,renderer,electron,scripts,lab,testing,e2e/support}/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...ISOLATED],
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
    ],
  },
});
