/** Vitest's global set-up: the models and photos that the tests run on. */
import { ensureAssets } from './assets/ensure.ts';
import { progressOn } from './assets/progress.ts';

export async function setup(): Promise<void> {
  await ensureAssets('test', progressOn(process.stderr));
}
