/**
 * One measured figure, always with its baseline from the same run on the same machine: only their ratio is comparable
 * between machines.
 */
export type BenchResult = {
  name: string;
  value: number;
  baseline: number;
  /** `value / baseline`. */
  ratio: number;
  /** Unit of `value` and `baseline`. */
  unit: string;
  /** The limit, in words. */
  hold?: string;
  /** Whether it holds; true for figures without a limit. */
  ok: boolean;
};

/** A quarter of the values are below: the time of a short task without interference. */
export function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;
}
