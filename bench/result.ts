/**
 * One measured figure, always beside its baseline from the same run on the same machine: only their ratio is
 * comparable between machines.
 */
export type BenchResult = {
  name: string;
  value: number;
  baseline: number;
  /** `value / baseline`. */
  ratio: number;
  /** Of `value` and `baseline`. */
  unit: string;
  /** What must hold, in words. */
  hold?: string;
  /** Whether it does; true for figures that are only shown. */
  ok: boolean;
};

/** The middle value; robust against the odd run that something else on the machine disturbed. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** A quarter of the values are below: what a short piece of work takes when nothing else gets in its way. */
export function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;
}
