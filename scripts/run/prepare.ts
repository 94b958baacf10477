/** What must be there before the server is worth starting: the models, the built pages and the built server. */
import { ManifestError } from '../../server/face/errors.ts';
import { AssetError } from '../assets/hash.ts';
import { ensureAssets } from '../assets/ensure.ts';
import { progressOn } from '../assets/progress.ts';
import { BuildError, ensureBuilt } from './built.ts';

/**
 * Fetches and builds what is missing, reporting on stderr. A failure is reported with its consequence and skipped: a
 * venue without internet still gets its API, and its camera checks as soon as the models are there.
 */
export async function prepareServer(): Promise<void> {
  try {
    await ensureAssets('product', progressOn(process.stderr));
  } catch (error) {
    warn(`the face models are not complete, so camera checks will be refused. ${reasonOf(error)}`);
  }
  try {
    await ensureBuilt((line) => process.stderr.write(`${line}\n`));
  } catch (error) {
    warn(`the pages or the server are missing or out of date. ${reasonOf(error)}`);
  }
}

/**
 * The reason in words.
 * @throws the error itself if it does not concern a file, a network or a build
 */
function reasonOf(error: unknown): string {
  const isExpected =
    error instanceof AssetError ||
    error instanceof ManifestError ||
    error instanceof BuildError ||
    (error instanceof Error && 'syscall' in error);
  if (!isExpected) throw error;
  return error.message;
}

function warn(text: string): void {
  process.stderr.write(`gatehouse: warning: ${text}\n`);
}
