/** Shown when a page has crashed: what happened and how to continue. Needs no context of the page. */
import { useEffect, useRef, useState } from 'react';
import { type Language, languageFor } from '../../server/contract/languages.ts';
import de from '../../locales/de/crash.json';
import en from '../../locales/en/crash.json';
import es from '../../locales/es/crash.json';
import fr from '../../locales/fr/crash.json';
import type { CrashMessages } from '../../locales/types/crash.ts';
import { serverAnswers } from '../http/load-part.ts';
import { readOffer } from '../i18n/language.ts';
import './crash.css';

/** Messages of the crash notice: in each page’s first script, because a page that has crashed cannot load anything. */
const CRASH_MESSAGES: Record<Language, unknown> = { en, es, fr, de };

type CrashProps = {
  error: unknown;
  /** Nobody is there to press a button, so the page reloads as soon as the server answers. */
  isUnattended?: boolean;
};

type Reason = 'crashed' | 'offline' | 'blocked';

const RESTART_EVERY_MS = 8_000;

/** Browsers' messages for a part of the page that did not load; none of them has an error name for it. */
const NOT_LOADED = /dynamically imported module|importing a module script|unable to preload/i;

/** A page that crashed before it set its language has the one of its document. */
function languageOfPage(): Language {
  const { lang } = document.documentElement;
  return languageFor(
    readOffer(document),
    lang === 'en' ? navigator.languages : [lang, ...navigator.languages],
  );
}

export function Crash({ error, isUnattended = false }: CrashProps) {
  const [reason, setReason] = useState<Reason>('crashed');
  const heading = useRef<HTMLHeadingElement>(null);
  const language = languageOfPage();
  const messages = CRASH_MESSAGES[language] as CrashMessages;

  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    if (!NOT_LOADED.test(String(error))) return;
    void serverAnswers().then((isThere) => setReason(isThere ? 'blocked' : 'offline'));
  }, [error]);
  useEffect(() => {
    if (!isUnattended) return;
    const timer = setInterval(() => void reload(() => undefined), RESTART_EVERY_MS);
    return () => clearInterval(timer);
  }, [isUnattended]);

  const { title, text } = messages[reason];
  // A kiosk reloads automatically, so nobody is asked to.
  const restarts = isUnattended && reason === 'crashed';
  // Inside another page, that page's history and close button lead back.
  const canGoBack = !isUnattended && window.parent === window && history.length > 1;
  return (
    <main className="crash" lang={language} data-crash={reason}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <div role="status">
        <p>{restarts ? messages.restarts : text}</p>
      </div>
      {!restarts && <p className="crash__quiet">{isUnattended ? messages.restarts : messages.elsewhere}</p>}
      <div className="crash__actions">
        <button type="button" onClick={() => void reload(() => setReason('offline'))}>
          {messages.reload}
        </button>
        {canGoBack && (
          <button type="button" onClick={() => history.back()}>
            {messages.back}
          </button>
        )}
      </div>
    </main>
  );
}

/** Without a server, a reload would lose even this screen. */
async function reload(whenOffline: () => void): Promise<void> {
  if (await serverAnswers()) location.reload();
  else whenOffline();
}
