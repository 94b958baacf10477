/** The messages of the page in the person’s language, for every component below. */
import { createContext, useCallback, useContext, useMemo, useRef, useState } from 'react';
import type { Compiled } from '../../../locales/compile.ts';
import type { Catalogues } from '../../../locales/types/index.ts';
import { createCatalogueLoader } from '../../i18n/catalogues.ts';
import { languageFor, type LanguageOffer } from '../../../server/contract/languages.ts';
import type { Language } from '../../i18n/language.ts';

const loader = createCatalogueLoader(
  import.meta.glob<Compiled>('../../../locales/{en,es,fr,de}/hosted.json', { import: 'default' }),
);

const CHOSEN = 'gatehouse.language';

/** The language that was chosen in this tab, else the browser's. */
export function firstLanguage(offer: LanguageOffer): Language {
  let chosen: string | null = null;
  try {
    chosen = sessionStorage.getItem(CHOSEN);
  } catch {
    // Without storage a reload forgets it.
  }
  return offer.offered.find((language) => language === chosen) ?? languageFor(offer, navigator.languages);
}

function keepLanguage(language: Language): void {
  try {
    sessionStorage.setItem(CHOSEN, language);
  } catch {
    // As above.
  }
}

/** Rejects if the language cannot be loaded. */
export async function loadWords(language: Language): Promise<Words> {
  return { language, messages: await loader.load('hosted', language) };
}

export type Words = { messages: Catalogues['hosted']; language: Language };

export type ChosenWords<W extends Words = Words> = {
  words: W;
  /** Whether the language that was chosen last could not be loaded; the page keeps its current one. */
  failed: boolean;
  choose: (language: Language) => void;
};

/** The page's first language, and a function to change it. */
export function useChosenWords<W extends Words>(
  first: W,
  load: (language: Language) => Promise<W>,
): ChosenWords<W> {
  const [words, setWords] = useState(first);
  const [failed, setFailed] = useState(false);
  const wanted = useRef(first.language);
  const choose = useCallback(
    (language: Language) => {
      wanted.current = language;
      keepLanguage(language);
      setFailed(false);
      load(language).then(
        (loaded) => {
          if (wanted.current === language) setWords(loaded);
        },
        () => {
          if (wanted.current === language) setFailed(true);
        },
      );
    },
    [load],
  );
  return useMemo(() => ({ words, failed, choose }), [words, failed, choose]);
}

export const WordsContext = createContext<Words | null>(null);

export function useWords(): Words {
  const words = useContext(WordsContext);
  if (words === null) throw new Error('outside the page’s words');
  return words;
}
