/** What the command line of a picture script asks for: `[name …] --width=390 --scheme=dark --language=de`. */
import { parseArgs } from 'node:util';

export type View = { size: { width: number; height: number }; scheme: 'light' | 'dark' };

export const SCHEMES = ['light', 'dark'] as const;
export const CONSOLE_SIZES = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
] as const;

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
