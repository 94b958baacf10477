/** How long to wait before the server is started again. */

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A server that ran for so long did not die of how it was started. */
export const STEADY_MS = 60_000;

/** @param failures starts in a row that did not last, from 1 */
export function restartDelayMs(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
}
