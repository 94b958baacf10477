/** Histograms as PNG. */
import sharp from 'sharp';

export type Series = { name: string; values: readonly number[]; colour: string };
export type HistogramOptions = {
  title: string;
  from: number;
  to: number;
  /** Values to mark with a line. */
  marks: readonly { name: string; at: number }[];
};

const SIZE = { width: 720, height: 360 } as const;
const PLOT = { left: 50, right: 20, top: 50, bottom: 40 } as const;
const BINS = 40;

export async function histogramPng(series: readonly Series[], options: HistogramOptions): Promise<Buffer> {
  return sharp(Buffer.from(histogramSvg(series, options)))
    .png()
    .toBuffer();
}

/** Each series as shares of its own number, so that few attacks show beside many genuine clips. */
export function histogramSvg(
  series: readonly Series[],
  { title, from, to, marks }: HistogramOptions,
): string {
  const wide = SIZE.width - PLOT.left - PLOT.right;
  const high = SIZE.height - PLOT.top - PLOT.bottom;
  const shares = series.map(({ values }) => binned(values, from, to));
  const most = Math.max(0.01, ...shares.flat());
  const x = (value: number) => PLOT.left + (wide * (value - from)) / (to - from);
  const bars = series.flatMap(({ colour }, index) =>
    (shares[index] ?? []).map((share, bin) => {
      const barHigh = (high * share) / most;
      const left = PLOT.left + (wide * bin) / BINS;
      return `<rect x="${left}" y="${PLOT.top + high - barHigh}" width="${wide / BINS}" height="${barHigh}" fill="${colour}" fill-opacity="0.55"/>`;
    }),
  );
  const lines = marks.map(
    ({ name, at }, index) =>
      `<line x1="${x(at)}" x2="${x(at)}" y1="${PLOT.top}" y2="${PLOT.top + high}" stroke="#333" stroke-dasharray="4 3"/>` +
      `<text x="${x(at) + 4}" y="${PLOT.top + 12 + 14 * index}" font-size="12">${escaped(name)}</text>`,
  );
  const ticks = Array.from({ length: 6 }, (_, i) => from + ((to - from) * i) / 5).map(
    (value) =>
      `<text x="${x(value)}" y="${SIZE.height - 18}" font-size="12" text-anchor="middle">${value.toFixed(1)}</text>`,
  );
  const legend = series.map(
    ({ name, colour, values }, index) =>
      `<rect x="${PLOT.left + 170 * index}" y="30" width="12" height="12" fill="${colour}" fill-opacity="0.55"/>` +
      `<text x="${PLOT.left + 18 + 170 * index}" y="40" font-size="12">${escaped(name)} (${values.length})</text>`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE.width}" height="${SIZE.height}" font-family="sans-serif">` +
    `<rect width="100%" height="100%" fill="white"/><text x="${PLOT.left}" y="20" font-size="14">${escaped(title)}</text>` +
    [...legend, ...bars, ...lines, ...ticks].join('') +
    `<line x1="${PLOT.left}" x2="${PLOT.left + wide}" y1="${PLOT.top + high}" y2="${PLOT.top + high}" stroke="#333"/></svg>`
  );
}

function binned(values: readonly number[], from: number, to: number): number[] {
  const counts = Array.from({ length: BINS }, () => 0);
  for (const value of values) {
    const bin = Math.min(BINS - 1, Math.max(0, Math.floor((BINS * (value - from)) / (to - from))));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts.map((count) => count / Math.max(1, values.length));
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
