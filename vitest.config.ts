import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{server,renderer,electron,scripts,e2e/support}/**/*.test.{ts,tsx}'],
    environment: 'node',
    globalSetup: 'scripts/vitest-assets.ts',
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
