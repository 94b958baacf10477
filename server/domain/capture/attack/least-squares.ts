/** Least squares for small problems: a few unknowns, some dozens of equations. */

/**
 * Coefficients that fit `rows · coefficients = targets` best. A redundant column gets 0.
 * @param rows one equation each, all of the same length
 */
export function leastSquares(rows: readonly (readonly number[])[], targets: readonly number[]): number[] {
  const unknowns = rows[0]?.length ?? 0;
  const system = Array.from({ length: unknowns }, () => new Float64Array(unknowns + 1));
  rows.forEach((row, equation) => {
    for (const [i, line] of system.entries()) {
      const factor = row[i] ?? 0;
      for (let j = 0; j < unknowns; j++) line[j] = (line[j] ?? 0) + factor * (row[j] ?? 0);
      line[unknowns] = (line[unknowns] ?? 0) + factor * (targets[equation] ?? 0);
    }
  });
  return eliminate(system, unknowns);
}

/** Relative size below which a pivot is treated as a rounding error. */
const NOTHING = 1e-10;

/** Gauss–Jordan with row pivoting. */
function eliminate(system: Float64Array[], unknowns: number): number[] {
  const largest = Math.max(...system.map((line, i) => Math.abs(line[i] ?? 0)), Number.MIN_VALUE);
  const lineOf: (Float64Array | undefined)[] = [];
  const left = [...system];
  for (let column = 0; column < unknowns; column++) {
    const size = (line: Float64Array) => Math.abs(line[column] ?? 0);
    const best = left.reduce((most, line, i) => (size(line) > size(left[most] ?? line) ? i : most), 0);
    const pivot = left[best];
    if (pivot === undefined || size(pivot) <= NOTHING * largest) {
      lineOf.push(undefined);
      continue;
    }
    left.splice(best, 1);
    const scale = 1 / (pivot[column] ?? 1);
    for (let j = 0; j <= unknowns; j++) pivot[j] = (pivot[j] ?? 0) * scale;
    for (const line of system) {
      const factor = line[column] ?? 0;
      if (line === pivot || factor === 0) continue;
      for (let j = 0; j <= unknowns; j++) line[j] = (line[j] ?? 0) - factor * (pivot[j] ?? 0);
    }
    lineOf.push(pivot);
  }
  return lineOf.map((line) => line?.[unknowns] ?? 0);
}
