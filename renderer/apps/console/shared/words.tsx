/** The language the console speaks, and the words of an area in it. */
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import type { ByLanguage } from '../../../i18n/console/by-language.ts';
import { COMMON_WORDS } from '../../../i18n/console/common/index.ts';
import type { CommonWords } from '../../../i18n/console/common/en.ts';
import { EVERY_LANGUAGE, languageFor } from '../../../../server/contract/languages.ts';
import { LANGUAGES, type Language } from '../../../i18n/language.ts';

const MEMORY = 'gatehouse.console.language';

type LanguageChoice = { language: Language; choose: (language: Language) => void };

const LanguageContext = createContext<LanguageChoice>({ language: 'en', choose: () => undefined });

/** What was chosen here before, else the browser's first language that the console speaks. */
export function startLanguage(): Language {
  const chosen = LANGUAGES.find((language) => language === localStorage.getItem(MEMORY));
  return chosen ?? languageFor(EVERY_LANGUAGE, navigator.languages);
}

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(startLanguage);
  const value = useMemo(
    () => ({
      language,
      choose: (next: Language) => {
        localStorage.setItem(MEMORY, next);
        document.documentElement.lang = next;
        setLanguage(next);
      },
    }),
    [language],
  );
  return <LanguageContext value={value}>{children}</LanguageContext>;
}

export const useLanguage = (): LanguageChoice => useContext(LanguageContext);

/** The words of one area in the present language. */
export const useWords = <Words,>(words: ByLanguage<Words>): Words => words[useLanguage().language];

export const useCommonWords = (): CommonWords => useWords(COMMON_WORDS);
