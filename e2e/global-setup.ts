import { ensureAssets } from '../scripts/assets/ensure.ts';
import { progressOn } from '../scripts/assets/progress.ts';
import { ensureServer } from '../scripts/run/built.ts';

/**
 * Tests run the server that is built from the sources as they are, with the models and the scripted camera's photos. Pages
 * are built by `npm run build` or `npm test`.
 */
export default async function globalSetup(): Promise<void> {
  await ensureAssets('test', progressOn(process.stderr));
  await ensureServer((line) => process.stderr.write(`${line}\n`));
}
