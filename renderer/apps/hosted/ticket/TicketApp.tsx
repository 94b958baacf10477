/** The link of a ticket: asks for its code unless the link has it, then opens the check, or says why there is none. */
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { Compiled } from '../../../../locales/compile.ts';
import type { TicketLinkMessages } from '../../../../locales/types/ticket-link.ts';
import type { LanguageOffer } from '../../../../server/contract/languages.ts';
import { homeTickets } from '../../../../server/contract/routes/home-tickets.ts';
import { MAX_CODE_CHARS } from '../../../../server/contract/ticket-values.ts';
import type { HomeAnswer } from '../../../../server/contract/tickets.ts';
import { thisDevice } from '../../../flow/routing.ts';
import { createRunMemory } from '../../../flow/run-memory.ts';
import { createClient } from '../../../http/client.ts';
import { asRequestError } from '../../../http/request-error.ts';
import { createCatalogueLoader } from '../../../i18n/catalogues.ts';
import { type Language, waitInWords } from '../../../i18n/language.ts';
import type { IconName } from '../../../ui/Icon.tsx';
import { Lead } from '../../../ui/Lead.tsx';
import { Frame } from '../Frame.tsx';
import { loadWords, useChosenWords, type Words } from '../messages-context.ts';
import { Screen, Waiting } from '../Screen.tsx';
import { readTicketLink } from './ticket-link.ts';
import { Button } from '../../../ui/Button.tsx';

const ANSWER_WITHIN_MS = 15_000;

const loader = createCatalogueLoader(
  import.meta.glob<Compiled>('../../../../locales/{en,es,fr,de}/ticket-link.json', { import: 'default' }),
);

type TicketWords = Words & { ticket: TicketLinkMessages };

async function loadTicketWords(language: Language): Promise<TicketWords> {
  const [words, ticket] = await Promise.all([loadWords(language), loader.load('ticket-link', language)]);
  return { ...words, ticket };
}

const { call } = createClient({
  fetch: (input, init) => fetch(input, init),
  credentials: 'omit',
  headers: () => ({}),
});

/** For the page of the check, which finds it there. A browser that refuses storage opens the check without it, and no face is kept. */
function keepToken(id: string, token: string): void {
  const places = { storage: () => localStorage, tab: () => sessionStorage, returns: false };
  createRunMemory({ kind: 'session', id }, places).keepToken(token);
}

type Told = Exclude<HomeAnswer, 'check'>;
const ICONS: Record<Told, IconName> = {
  unknown: 'code',
  at_door: 'door',
  over: 'clock',
  unpaid: 'info',
  not_valid: 'cross',
  checked: 'check',
  entered: 'check',
};

type Failure = { kind: 'offline' | 'crowded' | 'server'; retryAfterS: number | null };
type Shown = { answer: Told } | { failure: Failure } | 'ask' | 'opening';

const failureOf = (error: unknown): Failure => {
  // A call that was given up because nobody answered.
  if (error instanceof DOMException) return { kind: 'offline', retryAfterS: null };
  const { code, status, retryAfterS } = asRequestError(error);
  if (code === 'too_many_sessions') return { kind: 'crowded', retryAfterS };
  return { kind: status === 0 ? 'offline' : 'server', retryAfterS };
};

type Props = { link: ReturnType<typeof readTicketLink>; offer: LanguageOffer; firstWords: TicketWords };

function TicketApp({ link: { eventId, code: given }, offer, firstWords }: Props) {
  const chosen = useChosenWords(firstWords, loadTicketWords);
  const { ticket, language, messages } = chosen.words;
  const [code, setCode] = useState(given);
  const [shown, setShown] = useState<Shown>(given === '' ? 'ask' : 'opening');
  const open = useCallback(
    async (typed: string) => {
      setShown('opening');
      try {
        const { answer, ...opened } = await call(homeTickets.open, {
          body: { event_id: eventId, code: typed, device: thisDevice() },
          signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
        });
        const { session_id: id, flow_token: token } = opened;
        if (id !== null && token !== null) keepToken(id, token);
        if (id !== null) location.replace(`/verification?vys=${encodeURIComponent(id)}`);
        else if (answer !== 'check') setShown({ answer });
      } catch (error) {
        setShown({ failure: failureOf(error) });
      }
    },
    [eventId],
  );
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current || given === '') return;
    isBegun.current = true;
    void open(given);
  }, [open, given]);

  const again = () => {
    setCode('');
    setShown('ask');
  };
  const content = () => {
    if (shown === 'opening') return <Waiting title={ticket.opening} />;
    if (shown === 'ask')
      return <AskCode words={ticket} code={code} onChange={setCode} onOpen={() => void open(code.trim())} />;
    if ('failure' in shown) {
      const { kind, retryAfterS } = shown.failure;
      return (
        <Screen
          key={kind}
          title={ticket.failed[kind].title}
          icon={kind === 'offline' ? 'offline' : 'clock'}
          actions={
            <Button look="main" onClick={() => void open(code)}>
              {messages.retryNow}
            </Button>
          }
        >
          <Lead>{ticket.failed[kind].text}</Lead>
          {retryAfterS !== null && (
            <p className="quiet">{messages.retryWhen({ when: waitInWords(retryAfterS, language) })}</p>
          )}
        </Screen>
      );
    }
    const { answer } = shown;
    return (
      <Screen
        key={answer}
        title={ticket.answers[answer].title}
        icon={ICONS[answer]}
        actions={
          <Button look="side" onClick={again}>
            {ticket.another}
          </Button>
        }
      >
        <Lead data-answer={answer}>{ticket.answers[answer].text}</Lead>
      </Screen>
    );
  };
  return (
    <Frame
      state={{ screen: 'ticket', waiting: null, snapshot: null }}
      title={ticket.documentTitle}
      chosen={chosen}
      offer={offer}
    >
      {content()}
    </Frame>
  );
}

type AskProps = {
  words: TicketLinkMessages;
  code: string;
  onChange: (code: string) => void;
  onOpen: () => void;
};

function AskCode({ words, code, onChange, onOpen }: AskProps) {
  return (
    <Screen
      title={words.title}
      icon="code"
      actions={
        <Button type="submit" form="ticket" look="main" disabled={code.trim() === ''}>
          {words.next}
        </Button>
      }
    >
      <Lead>{words.text}</Lead>
      <form
        id="ticket"
        className="field"
        onSubmit={(event) => {
          event.preventDefault();
          onOpen();
        }}
      >
        <label>
          <span>{words.code}</span>
          <input
            name="ticket"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={MAX_CODE_CHARS}
            value={code}
            aria-describedby="ticket-hint"
            onChange={({ target }) => onChange(target.value)}
          />
        </label>
        <p id="ticket-hint" className="quiet">
          {words.hint}
        </p>
      </form>
    </Screen>
  );
}

/** Starts the page. Loaded as a separate chunk. */
export async function ticketPage(offer: LanguageOffer, language: Language): Promise<ReactNode> {
  const link = readTicketLink(location.href);
  // Neither the history nor a shared screen keeps the code.
  if (link.code !== '') history.replaceState(null, '', location.pathname);
  return <TicketApp link={link} offer={offer} firstWords={await loadTicketWords(language)} />;
}
