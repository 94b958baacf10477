/**
 * The surroundings of every screen: the organiser, the test banner, a notice while a request is retried, the language.
 */
import { type ReactNode, useEffect } from 'react';
import type { Snapshot } from '../../../server/contract/flow.ts';
import type { LanguageOffer } from '../../../server/contract/languages.ts';
import { directionOf, LANGUAGE_NAMES } from '../../i18n/language.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { FlowState } from '../../flow/flow.ts';
import { type ChosenWords, WordsContext } from './messages-context.ts';

/** What the frame shows about a page; one without an organiser has no snapshot. */
type FramedState = {
  screen: string;
  waiting: FlowState['waiting'];
  /** Whether something that the guest chose waits for its answer. */
  busy?: boolean;
  snapshot: Pick<Snapshot, 'branding' | 'is_test'> | null;
};
type FrameProps = {
  state: FramedState;
  /** The document's title. */
  title: string;
  /** The page's words, and how to change their language. */
  chosen: ChosenWords;
  /** The languages offered to the guest; with only one, there is no choice. */
  offer: LanguageOffer;
  /** In an embedded view: closes it. */
  onDismiss?: (() => void) | null;
  children: ReactNode;
};

const showWhole = (notice: HTMLElement | null) => {
  notice?.scrollIntoView({ block: 'nearest' });
};

export function Frame({ state, title, chosen, offer, onDismiss = null, children }: FrameProps) {
  const { words, failed, choose } = chosen;
  const { messages, language } = words;
  const languages = offer.offered;
  useEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dir = directionOf(language);
    document.title = title;
  }, [language, title]);
  const branding = state.snapshot?.branding;
  // Screens that only wait show this themselves.
  const saysItself = state.screen === 'loading' || state.screen === 'sending' || state.screen === 'checking';
  const notice = state.waiting === null || saysItself ? null : messages.waiting[state.waiting];
  const pick = (value: string) => {
    const picked = languages.find((code) => code === value);
    if (picked !== undefined) choose(picked);
  };
  return (
    <WordsContext value={words}>
      <div className="page" data-state={state.screen} data-waiting={state.waiting ?? undefined}>
        <header className="page__head">
          {branding?.logo_url && <img className="page__logo" src={branding.logo_url} alt="" />}
          <span className="page__organiser">{branding?.organiser}</span>
          {onDismiss !== null && (
            <button type="button" className="dismiss" aria-label={messages.dismiss} onClick={onDismiss}>
              <Icon name="cross" size={24} />
            </button>
          )}
        </header>
        {state.snapshot?.is_test && (
          <p className="test-banner">
            <Icon name="flask" />
            {messages.testMode}
          </p>
        )}
        <main className="page__main">{children}</main>
        <div role="status" className="notice-place">
          {notice && (
            // Below the button on a small phone; only a guest who pressed it may be taken there.
            <p className="notice" ref={state.busy ? showWhole : null}>
              <Icon name={state.waiting === 'offline' ? 'offline' : 'clock'} />
              <span>
                <strong>{notice.title}.</strong> {notice.text}
              </span>
            </p>
          )}
          {failed && (
            <p className="notice">
              <Icon name="offline" />
              <span>{messages.languageFailed}</span>
            </p>
          )}
        </div>
        <footer className="page__foot">
          <span>{messages.provider}</span>
          {languages.length > 1 && (
            <label className="language">
              <span className="visually-hidden">{messages.language}</span>
              <select value={language} onChange={({ target }) => pick(target.value)}>
                {languages.map((code) => (
                  <option key={code} value={code} lang={code}>
                    {LANGUAGE_NAMES[code]}
                  </option>
                ))}
              </select>
            </label>
          )}
        </footer>
      </div>
    </WordsContext>
  );
}
