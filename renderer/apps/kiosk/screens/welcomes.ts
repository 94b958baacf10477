import type { KioskEvent, KioskLanguage } from '../../../../server/contract/kiosk.ts';

/** The organiser's welcome in the event's other languages. */
export const otherWelcomes = (
  { languages, words }: Pick<KioskEvent, 'languages' | 'words'>,
  shown: KioskLanguage,
): (readonly [KioskLanguage, string])[] =>
  languages.flatMap((code) => {
    const text = words[code]?.welcome ?? '';
    return code === shown || text === '' ? [] : [[code, text] as const];
  });
