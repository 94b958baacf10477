/** 0 if there are no values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** 0 if there are no values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}

export type Share = { count: number; of: number; share: number; low: number; high: number };

const CONFIDENCE = 0.95;

/**
 * Clopper–Pearson: the exact interval of a binomial share, at 95 %. Clips of one person are not independent, so the
 * true uncertainty is larger.
 */
export function shareOf(count: number, of: number): Share {
  const tail = (1 - CONFIDENCE) / 2;
  return {
    count,
    of,
    share: of === 0 ? NaN : count / of,
    low: count === 0 ? 0 : solve((p) => 1 - cumulative(count - 1, of, p), tail),
    high: count === of ? 1 : solve((p) => -cumulative(count, of, p), -tail),
  };
}

/** Probability of at most `count` of `of`, each with probability `p`. */
function cumulative(count: number, of: number, p: number): number {
  if (p <= 0) return 1;
  if (p >= 1) return count >= of ? 1 : 0;
  let logTerm = of * Math.log1p(-p);
  let sum = Math.exp(logTerm);
  for (let k = 1; k <= count; k++) {
    logTerm += Math.log((of - k + 1) / k) + Math.log(p) - Math.log1p(-p);
    sum += Math.exp(logTerm);
  }
  return Math.min(1, sum);
}

/** Where an increasing function of p reaches the target. */
function solve(rising: (p: number) => number, target: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (rising(middle) < target) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
