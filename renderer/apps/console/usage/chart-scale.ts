/** Round steps for an axis that starts at zero. */
const STEPS = [1, 2, 5] as const;
const MAX_LINES = 5;

/**
 * Values of an axis' lines, from 0 to the first at or above `max`, at most five steps, all integers.
 * @param max largest value, not negative
 */
export function axisValues(max: number): number[] {
  for (let power = 1; ; power *= 10) {
    for (const digit of STEPS) {
      const step = digit * power;
      if (step * MAX_LINES < max) continue;
      const lines = Math.max(1, Math.ceil(max / step));
      return Array.from({ length: lines + 1 }, (_line, index) => index * step);
    }
  }
}
