import { test } from '@playwright/test';

type Hooks = {
  skip: (condition: boolean, reason: string) => void;
  beforeAll: (hook: () => void) => void;
};

/**
 * Skips the tests of the file or block that calls it if something they need is missing. In continuous integration, which has to
 * provide everything, they fail instead.
 * @param missing what is missing and how to get it, null if nothing is
 */
export function prerequisite(
  missing: string | null,
  hooks: Hooks = test,
  env: NodeJS.ProcessEnv = process.env,
): void {
  if (missing === null) return;
  if (env['CI'] === undefined) {
    hooks.skip(true, missing);
    return;
  }
  // Thrown by a hook, because a file that cannot be loaded prevents Playwright from running the others.
  hooks.beforeAll(() => {
    throw new Error(missing);
  });
}
