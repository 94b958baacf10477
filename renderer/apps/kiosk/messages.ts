/**
 * The kiosk’s messages: the first language before the first screen, then the others, so that guests can change it
 * offline.
 */
import type { Compiled } from '../../../locales/compile.ts';
import type { HostedMessages } from '../../../locales/types/hosted.ts';
import type { KioskMessages } from '../../../locales/types/kiosk.ts';
import { createCatalogueLoader } from '../../i18n/catalogues.ts';
import { type Language, LANGUAGES } from '../../i18n/language.ts';

const RETRY_MS = 10_000;

export type LanguageMessages = { language: Language; kiosk: KioskMessages; hosted: HostedMessages };

/** The languages loaded so far. */
export type LoadedMessages = Readonly<Partial<Record<Language, LanguageMessages>>>;

export type KioskLanguages = {
  loaded: () => LoadedMessages;
  subscribe: (listener: () => void) => () => void;
};

const loader = createCatalogueLoader(
  import.meta.glob<Compiled>('../../../locales/{en,es,fr,de}/{hosted,kiosk}.json', { import: 'default' }),
);

async function load(language: Language): Promise<LanguageMessages> {
  const [kiosk, hosted] = await Promise.all([
    loader.load('kiosk', language),
    loader.load('hosted', language),
  ]);
  return { language, kiosk, hosted };
}

/** Resolves once the first language is loaded; the others are retried until they are, too. */
export async function loadLanguages(first: Language): Promise<KioskLanguages> {
  let loaded: LoadedMessages = { [first]: await load(first) };
  const listeners = new Set<() => void>();
  const loadRest = async () => {
    const missing = LANGUAGES.filter((language) => loaded[language] === undefined);
    const results = await Promise.allSettled(missing.map(load));
    const arrived = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
    loaded = { ...loaded, ...Object.fromEntries(arrived.map((messages) => [messages.language, messages])) };
    listeners.forEach((listener) => listener());
    if (arrived.length < missing.length) setTimeout(() => void loadRest(), RETRY_MS);
  };
  void loadRest();
  return {
    loaded: () => loaded,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
