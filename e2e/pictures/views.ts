/** What the command line of a picture script asks for: `[name …] --width=390 --scheme=dark --language=de`. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from '@playwright/test';

export type View = { size: { width: number; height: number }; scheme: 'light' | 'dark' };

export const SCHEMES = ['light', 'dark'] as const;
export const CONSOLE_SIZES = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
] as const;

/** Until its fonts are loaded and nothing moves any more. */
const SETTLE_MS = 600;

/** Takes the picture, and says so if the page is wider than its window. */
export async function shoot(page: Page, file: string, fullPage = false): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => null)');
  await page.waitForTimeout(SETTLE_MS);
  const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  if (overflow > 0) console.error(`${path.basename(file)}: ${overflow} px too wide`);
  await page.screenshot({ path: file, fullPage });
}

/** @returns the language, the views among the sizes in each scheme, and whether a picture was named (or none was) */
export function wantedViews(sizes: readonly View['size'][]): {
  language: string;
  views: View[];
  isWanted: (picture: { name: string }) => boolean;
} {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      width: { type: 'string' },
      scheme: { type: 'string' },
      language: { type: 'string', default: 'en' },
    },
  });
  const { width, scheme: only, language } = values;
  const views = sizes
    .filter((size) => width === undefined || width === String(size.width))
    .flatMap((size) =>
      SCHEMES.filter((scheme) => only === undefined || only === scheme).map((scheme) => ({ size, scheme })),
    );
  return {
    language,
    views,
    isWanted: ({ name }) => positionals.length === 0 || positionals.includes(name),
  };
}
