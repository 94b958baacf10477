/** The console’s language, and the messages of each area in it. */
import {
  createContext,
  use,
  useContext,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { notifications } from '@mantine/notifications';
import { EVERY_LANGUAGE, languageFor } from '../../../../server/contract/languages.ts';
import type { Compiled } from '../../../../locales/compile.ts';
import type { Catalogues } from '../../../../locales/types/index.ts';
import { createCatalogueLoader, messageFor } from '../../../i18n/catalogues.ts';
import { LANGUAGES, type Language } from '../../../i18n/language.ts';
import { followVenueZone, venueZone, type VenueZone } from './time/time.ts';

const MEMORY = 'gatehouse.console.language';

const files = import.meta.glob<Compiled>(
  [
    '../../../../locales/{en,es,fr,de}/*.json',
    // The catalogues of the other pages and of the service.
    '!**/{crash,floor,hosted,kiosk,my,papers,phone,recording,reference,sdk,shell,ticket-link,trust}.json',
  ],
  { import: 'default' },
);
const loader = createCatalogueLoader(files);

export const { load: loadMessages, loaded: loadedMessages } = loader;

const loadAll = (language: Language) =>
  Promise.all(
    Object.keys(files)
      .filter((file) => file.includes(`/${language}/`))
      .map((file) => loader.load(file.replace(/^.*\/|\.json$/g, '') as keyof Catalogues, language)),
  );

type LanguageChoice = {
  language: Language;
  /** Here because everyone who writes a time in words needs the language, and has to write it again in another zone. */
  zone: VenueZone;
  choose: (language: Language) => void;
};

const LanguageContext = createContext<LanguageChoice>({
  language: 'en',
  zone: undefined,
  choose: () => undefined,
});

/** The language chosen earlier in this browser, else the browser’s first that the console speaks. */
export function startLanguage(): Language {
  const chosen = LANGUAGES.find((language) => language === localStorage.getItem(MEMORY));
  return chosen ?? languageFor(EVERY_LANGUAGE, navigator.languages);
}

/** Loads the frame's messages before the first paint; the rest follows, so that opening a dialog never waits. */
export async function loadStartMessages(language: Language): Promise<void> {
  await loader.load('console', language);
  setTimeout(loadMessagesAhead, PRELOAD_AFTER_MS);
}

/** Loads the messages of all pages, so that opening one does not wait for them one after the other. */
export function loadMessagesAhead(): void {
  loadAll(startLanguage()).catch(() => undefined);
}

const PRELOAD_AFTER_MS = 2_000;

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(startLanguage);
  const zone = useSyncExternalStore(followVenueZone, venueZone);
  const value = useMemo(
    () => ({
      language,
      zone,
      choose: (next: Language) => {
        loadAll(next).then(
          () => {
            localStorage.setItem(MEMORY, next);
            document.documentElement.lang = next;
            setLanguage(next);
          },
          () => {
            const { errors } = loader.loaded('console', language) ?? {};
            notifications.show({ color: 'red', message: errors?.languageFailed });
          },
        );
      },
    }),
    [language, zone],
  );
  return <LanguageContext value={value}>{children}</LanguageContext>;
}

export const useLanguage = (): LanguageChoice => useContext(LanguageContext);

/** The messages of one area in the current language. Suspends until they are loaded. */
export function useWords<Name extends keyof Catalogues>(name: Name): Catalogues[Name] {
  const { language } = useLanguage();
  return use(loader.load(name, language));
}

/** The reason of an outcome in words; an unknown one by its name in the contract. */
export function useReason(): (reason: string) => string {
  const { reasons } = useWords('outcomes');
  return (reason) => messageFor(reasons, reason) ?? reason;
}

export const useCommonWords = (): Catalogues['console'] => useWords('console');
