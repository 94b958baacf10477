/** The page's own code did not arrive, as where the network was lost: said, with a way to try again. */
import { createRoot } from 'react-dom/client';
import { MESSAGES, pickLanguage } from '../../i18n/language.ts';
import { Screen } from '../Screen.tsx';

export function showNotLoaded(root: HTMLElement): void {
  const language = pickLanguage(navigator.languages);
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
