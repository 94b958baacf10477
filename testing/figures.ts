/** Options and figures of benchmarks and the soak. */
import { parseArgs } from 'node:util';

/** `--name=number` on the command line. */
export function numberOption(name: string, otherwise: number): number {
  const { values } = parseArgs({
    options: { [name]: { type: 'string' } },
    strict: false,
    allowPositionals: true,
  });
  const value = Number(values[name] ?? otherwise);
  if (!Number.isInteger(value) || value <= 0) throw new Error(`--${name} needs a whole number above 0`);
  return value;
}

/** The value that this share of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const place = Math.max(0, Math.ceil(share * values.length) - 1);
  return values.toSorted((a, b) => a - b)[place] ?? Number.NaN;
}
