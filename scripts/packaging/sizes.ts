/** The size of a package by part, compared with its budget. */

export type PackedFile = {
  /** Below the package's folder, with `/`. */
  name: string;
  bytes: number;
};

type SizeRow = { what: string; bytes: number; budgetBytes: number | null };

const MEGABYTE = 1_000_000;

/**
 * The first match counts. Electron and Node.js have no budget; the rest may grow by about a tenth before someone has
 * to approve it.
 */
const PARTS: readonly { what: string; of: RegExp; budgetMegabytes: number | null }[] = [
  { what: 'models’ runtime (onnxruntime-node)', of: /\/onnxruntime-(node|common)\//, budgetMegabytes: 52 },
  { what: 'image decoder (sharp)', of: /\/node_modules\/(@img|sharp)\//, budgetMegabytes: 22 },
  { what: 'database (better-sqlite3)', of: /\/node_modules\/better-sqlite3\//, budgetMegabytes: 4 },
  { what: 'other npm packages', of: /\/node_modules\//, budgetMegabytes: 25 },
  { what: 'face models', of: /\/models\/[^/]+\.(onnx|task)$/, budgetMegabytes: 14 },
  // With the packages that are bundled into it.
  { what: 'server', of: /\/app\.asar\.unpacked\/(dist\/server|assets|package)/, budgetMegabytes: 8 },
  // Mostly WebAssembly: the landmarker's 11 MB, the barcode reader's 1 MB, and 4 MB compressed. The guide and the reference
  // are 2 MB.
  { what: 'pages', of: /\/app\.asar\.unpacked\/dist\//, budgetMegabytes: 26 },
  { what: 'shell (app.asar)', of: /\/app\.asar$/, budgetMegabytes: 3 },
  { what: 'Node.js, where Electron’s own is too old', of: /\/resources\/node\//i, budgetMegabytes: null },
  { what: 'Electron', of: /./, budgetMegabytes: null },
];

export function sizeRows(files: readonly PackedFile[]): SizeRow[] {
  const sums = PARTS.map(() => 0);
  for (const { name, bytes } of files) {
    const part = PARTS.findIndex(({ of }) => of.test(`/${name}`));
    sums[part] = (sums[part] ?? 0) + bytes;
  }
  return PARTS.map(({ what, budgetMegabytes }, index) => ({
    what,
    bytes: sums[index] ?? 0,
    budgetBytes: budgetMegabytes === null ? null : budgetMegabytes * MEGABYTE,
  }));
}

/** The rows over their budget, in words. */
export const overBudget = (rows: readonly SizeRow[]): string[] =>
  rows
    .filter(({ bytes, budgetBytes }) => budgetBytes !== null && bytes > budgetBytes)
    .map(
      ({ what, bytes, budgetBytes }) => `${what}: ${inMegabytes(bytes)} of ${inMegabytes(budgetBytes ?? 0)}`,
    );

const inMegabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;

/** A table for people. */
export function sizeTable(rows: readonly SizeRow[]): string {
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  const lines = rows
    .filter(({ bytes }) => bytes > 0)
    .map(({ what, bytes, budgetBytes }) =>
      [
        what.padEnd(42),
        inMegabytes(bytes).padStart(9),
        budgetBytes === null ? '' : `of ${inMegabytes(budgetBytes)}`,
      ]
        .join('  ')
        .trimEnd(),
    );
  return [...lines, `${'together'.padEnd(42)}  ${inMegabytes(total).padStart(9)}`].join('\n');
}
