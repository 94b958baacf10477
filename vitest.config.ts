import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,renderer,electron,scripts,lab,testing,e2e/support}/**/*.test.{ts,tsx}'],
    environment: 'node',
    // One file judges rendered faces for minutes; the others go beside it, on two processors as well.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: 'scripts/vitest-assets.ts',
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
