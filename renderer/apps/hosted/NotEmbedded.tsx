/**
 * In a page that may not embed the run: offers to open the check in a tab of its own, and names the setting that would
 * allow it.
 */
import { EMBED_QUERY, type EmbedMessage } from '../../embed/protocol.ts';
import { directionOf } from '../../i18n/language.ts';
import { startPage } from '../../ui/start-page.tsx';
import { loadHandoffWords } from './later-words.tsx';
import type { Words } from './messages-context.ts';
import { Screen } from './Screen.tsx';

const EMBED_ONLY = [EMBED_QUERY.embed, EMBED_QUERY.origin, EMBED_QUERY.display, EMBED_QUERY.resume];

/** The same check as a page of its own. */
function standaloneLink(address: string): string {
  const url = new URL(address);
  for (const name of EMBED_ONLY) url.searchParams.delete(name);
  return url.href;
}

/** @param address of this page */
export async function showNotEmbedded(
  root: HTMLElement,
  { language, messages }: Words,
  address: string,
): Promise<void> {
  const { notEmbedded: words } = await loadHandoffWords(language);
  // Our SDK alone asks for it, and waits.
  if (new URL(address).searchParams.get(EMBED_QUERY.resume) === '1')
    window.parent.postMessage({ type: 'vy:refused' } satisfies EmbedMessage, '*');
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  document.documentElement.dataset['embed'] = 'inline';
  document.title = messages.documentTitle;
  startPage({ name: 'hosted', root }, () => (
    <main className="page">
      <Screen
        title={words.title}
        icon="link"
        actions={
          <a className="button button--main" href={standaloneLink(address)} target="_blank" rel="noopener">
            {messages.openCheck}
            <span className="visually-hidden"> ({messages.opensNewTab})</span>
          </a>
        }
      >
        <p className="lead">{words.text}</p>
        <details className="more">
          <summary>{words.owner}</summary>
          <p className="quiet">
            {words.setting({ origin: new URL(address).searchParams.get(EMBED_QUERY.origin) ?? '' })}
          </p>
        </details>
      </Screen>
    </main>
  ));
}
