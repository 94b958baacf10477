/** Shares with the uncertainty due to their counts, in words. */
import type { Share } from '../../server/domain/statistics.ts';

export { shareOf, type Share } from '../../server/domain/statistics.ts';

export const percent = (value: number): string =>
  `${(100 * value).toFixed(value > 0 && value < 0.01 ? 2 : 1)} %`;

/** `2 of 40, 5.0 % (0.6 % to 16.9 %)`. */
export function inWords({ count, of, share, low, high }: Share): string {
  if (of === 0) return 'none to judge';
  return `${count} of ${of}, ${percent(share)} (${percent(low)} to ${percent(high)})`;
}
