/** The scanner, loaded when a page first scans, and why it cannot. */
import type { CameraTrouble } from '../../i18n/messages.ts';
import { cameraTroubleOf } from '../camera/camera.ts';
import { CameraSilentError } from '../camera/frame-source.ts';
import { unlessHung } from '../../http/load-part.ts';
import type * as Scanner from './scanner.ts';

/** A file of the scanner did not arrive: the camera is well. */
export class ScannerLoadError extends Error {}

/** As `scan`. @throws ScannerLoadError as well */
export async function loadAndScan(...given: Parameters<typeof Scanner.scan>): Promise<void> {
  const { scan } = await unlessHung(() => import('./scanner.ts'), undefined, given[2]).catch(() => {
    throw new ScannerLoadError();
  });
  if (!given[2].aborted) await scan(...given);
}

export function scanTroubleOf(error: unknown): CameraTrouble | 'silent' {
  if (error instanceof ScannerLoadError) return 'not_loaded';
  return error instanceof CameraSilentError ? 'silent' : cameraTroubleOf(error);
}
