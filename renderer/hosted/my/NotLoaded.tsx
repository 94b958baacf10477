/** The page's own code did not arrive, as where the network was lost: said, with a way to try again. */
import { createRoot } from 'react-dom/client';
import { languageFor, type LanguageOffer } from '../../../server/contract/languages.ts';
import { MESSAGES } from '../../i18n/language.ts';
import { Screen } from '../Screen.tsx';

export function showNotLoaded(root: HTMLElement, offer: LanguageOffer): void {
  const language = languageFor(offer, navigator.languages);
  const { deadEnds, retryNow } = MESSAGES[language];
  document.documentElement.lang = language;
  createRoot(root).render(
    <main className="page">
      <Screen
        title={deadEnds.server.title}
        icon="repeat"
        actions={
          <button type="button" className="button button--main" onClick={() => location.reload()}>
            {retryNow}
          </button>
        }
      >
        <p className="lead">{deadEnds.server.text}</p>
      </Screen>
    </main>,
  );
}
