/** Hours of a report, in hours since the epoch, so that no change of the clocks joins or splits one. */

export const HOUR_MS = 3_600_000;

/** Over a longer time, only the hours with something in them: the list would be endless. */
const MOST_HOURS = 400;

/**
 * Every hour from the first to the last, also empty ones, so that a quiet hour is seen; none if nothing was counted.
 * @param counted hours with something in them
 * @param shown hours of a span that is listed as well
 */
export function everyHour(counted: readonly number[], ...shown: readonly number[]): number[] {
  if (counted.length === 0) return [];
  const all = [...counted, ...shown];
  const [first, last] = [Math.min(...all), Math.max(...all)];
  if (last - first >= MOST_HOURS) return [...new Set(counted)].sort((a, b) => a - b);
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
