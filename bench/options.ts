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
