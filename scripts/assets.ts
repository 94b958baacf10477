/** `npm run assets`: fetches the models (with `-- --test` also the test photos) unless they are already there. */
import { parseArgs } from 'node:util';
import { ManifestError } from '../server/face/errors.ts';
import { AssetError } from './assets/hash.ts';
import { ensureAssets } from './assets/ensure.ts';
import { cacheDir } from './assets/paths.ts';
import { progressOn } from './assets/progress.ts';

const { values } = parseArgs({ options: { test: { type: 'boolean', default: false } } });
try {
  await ensureAssets(values.test ? 'test' : 'product', progressOn(process.stderr));
  console.error(`All files are in ${cacheDir()}.`);
} catch (error) {
  if (!(error instanceof AssetError || error instanceof ManifestError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
