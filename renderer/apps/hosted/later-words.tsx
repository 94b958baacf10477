/** Messages of screens that few guests see, loaded with those screens. */
import { type ComponentType, useEffect, useState } from 'react';
import type { Compiled } from '../../../locales/compile.ts';
import type { Catalogues } from '../../../locales/types/index.ts';
import { createCatalogueLoader } from '../../i18n/catalogues.ts';
import type { Language } from '../../i18n/language.ts';
import { useWords } from './messages-context.ts';
import { Waiting } from './Screen.tsx';

const loader = createCatalogueLoader(
  import.meta.glob<Compiled>('../../../locales/{en,es,fr,de}/{handoff,recording}.json', {
    import: 'default',
  }),
);

type Name = 'handoff' | 'recording';

/** For a page that has no words of its own. Rejects if they cannot be loaded. */
export const loadHandoffWords = (language: Language): Promise<Catalogues['handoff']> =>
  loader.load('handoff', language);

/** The messages, and the language in which they are shown; null until they are loaded. */
export function useLaterWords<N extends Name>(name: N): { words: Catalogues[N]; language: Language } | null {
  const chosen = useWords().language;
  const [shown, setShown] = useState(() => {
    const words = loader.loaded(name, chosen);
    return words === undefined ? null : { words, language: chosen };
  });
  useEffect(() => {
    let isCurrent = true;
    loader.load(name, chosen).then(
      (words) => {
        if (isCurrent) setShown({ words, language: chosen });
      },
      // The page's own notice of a failure offers to load it again.
      (error: unknown) => {
        if (!isCurrent) return;
        setShown(() => {
          throw error;
        });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [name, chosen]);
  return shown;
}

/** A screen with the messages of `handoff`, once they are loaded. */
export const withHandoffWords = <Props extends { words: Catalogues['handoff'] }>(
  Shown: ComponentType<Props>,
) =>
  function WithWords(props: Omit<Props, 'words'>) {
    const { messages } = useWords();
    const words = useLaterWords('handoff')?.words;
    return words ? <Shown {...({ ...props, words } as Props)} /> : <Waiting title={messages.loading} />;
  };
