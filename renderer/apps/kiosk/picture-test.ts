/** What staff is told about a camera's picture as a whole; faces are looked at when people come. */
export type PictureVerdict = 'good' | 'dark' | 'covered' | 'bright';

/** Luminance, 0 to 255. Dark and bright as for a person's picture (`capture/quality.ts`), with room to spare. */
const BOUNDS = { dark: 50, bright: 225, coveredMean: 40, coveredSpread: 9 } as const;

/** @param mean luminance of the whole picture @param spread its standard deviation */
export function pictureVerdict({ mean, spread }: { mean: number; spread: number }): PictureVerdict {
  if (mean < BOUNDS.coveredMean && spread < BOUNDS.coveredSpread) return 'covered';
  if (mean < BOUNDS.dark) return 'dark';
  return mean > BOUNDS.bright ? 'bright' : 'good';
}
