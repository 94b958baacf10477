/** "My verifications" in the page’s frame. A message about the last action is shown above the current screen. */
import { useSyncExternalStore, type ReactNode } from 'react';
import type { LanguageOffer, Language } from '../../../../server/contract/languages.ts';
import type { Compiled } from '../../../../locales/compile.ts';
import type { MyMessages } from '../../../../locales/types/my.ts';
import { createCatalogueLoader } from '../../../i18n/catalogues.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { createLine } from '../../../http/line.ts';
import { Frame } from '../Frame.tsx';
import { loadWords, useChosenWords, type Words } from '../messages-context.ts';
import { PhoneCode } from '../screens/PhoneCode.tsx';
import { PhoneNumber } from '../screens/Phone.tsx';
import { Confirm } from './Confirm.tsx';
import { Connections } from './Connections.tsx';
import { type MyFlow, type MyState, type Said, createMyFlow } from './my-flow.ts';
import { OWN_PAGE, readOwnProof } from '../../../flow/link.ts';
import { phoneWords } from '../../../flow/phone-step.ts';
import { createMyApi } from './my-api.ts';
import './my.css';

/** The frame's names of the screens, separate from those of a run. */
const FRAMED = { number: 'myNumber', code: 'myCode', list: 'myList', confirm: 'myConfirm' } as const;

const loader = createCatalogueLoader(
  import.meta.glob<Compiled>('../../../../locales/{en,es,fr,de}/my.json', { import: 'default' }),
);

type MyWords = Words & { my: MyMessages };

/** Like {@link loadWords}, including those of “my verifications”. */
async function loadMyWords(language: Language): Promise<MyWords> {
  const [words, my] = await Promise.all([loadWords(language), loader.load('my', language)]);
  return { ...words, my };
}

type Props = { flow: MyFlow; offer: LanguageOffer; firstWords: MyWords };

function MyApp({ flow, offer, firstWords }: Props) {
  const state = useSyncExternalStore(flow.subscribe, flow.state);
  const chosen = useChosenWords(firstWords, loadMyWords);
  const { messages, my: words } = chosen.words;
  const { screen, said, waiting, asked, phone } = state;

  const content = () => {
    if (screen === 'code') {
      const { code_sent_at: sentAt } = phone;
      const readOut = state.contact?.asks_staff === true;
      const { codeText } = phoneWords({ ...phone, ...(readOut && { read_out: true }) }, messages.phone, '');
      return (
        <PhoneCode
          key={sentAt}
          flow={flow}
          state={state}
          phone={phone}
          onChange={flow.changeNumber}
          text={codeText}
          help={readOut ? null : words.codeHelp}
        />
      );
    }
    if (screen === 'list') return <Connections flow={flow} state={state} words={words} />;
    if (asked !== null) return <Confirm flow={flow} busy={state.busy} asked={asked} words={words} />;
    const { title, text } = words;
    return (
      <PhoneNumber
        flow={flow}
        state={state}
        phone={phone}
        prefill={state.number}
        title={title}
        text={text}
        after={<WithoutNumber contact={state.contact} words={words} />}
      />
    );
  };

  return (
    <Frame
      state={{ screen: FRAMED[screen], waiting, snapshot: null }}
      title={words.documentTitle}
      chosen={chosen}
      offer={offer}
    >
      <div className="my">
        <div role="status" className="my__said">
          {said && (
            <p className={isGood(said) ? 'notice notice--good' : 'notice'} data-said={said.kind}>
              <Icon name={isGood(said) ? 'check' : 'info'} />
              <span>{inWords(said, words)}</span>
            </p>
          )}
        </div>
        {content()}
      </div>
    </Frame>
  );
}

/** For guests whose check asked for no number. */
function WithoutNumber({ contact, words }: { contact: MyState['contact']; words: MyMessages }) {
  const organiser = contact?.organiser ?? null;
  const address = contact?.privacy_contact ?? null;
  return (
    <p className="own-page">
      {organiser === null || address === null
        ? words.withoutNumber
        : words.withoutNumberAsk({ organiser, contact: address })}
    </p>
  );
}

const isGood = ({ kind }: Said): boolean => kind !== 'failed' && kind !== 'ended';

function inWords(said: Said, words: MyMessages): string {
  if (said.kind === 'erased' || said.kind === 'disconnected')
    return words.said[said.kind]({ organiser: said.organiser });
  return words.said[said.kind];
}

/** Starts "my verifications". Loaded as a separate chunk. */
export async function myPage(offer: LanguageOffer, language: Language): Promise<ReactNode> {
  const line = createLine(fetch);
  const api = createMyApi({
    fetch: line.fetch,
    pause: line.pause,
    report: (reason) => flow.reportWaiting(reason),
  });
  const flow: MyFlow = createMyFlow(api);
  line.follow((isUp) => flow.reportWaiting(isUp ? null : 'offline'));
  line.watch(() => true);
  const proof = readOwnProof(location.href);
  // Neither the history nor a shared screen needs it any longer.
  if (proof !== null) history.replaceState(null, '', OWN_PAGE);
  flow.start(proof);
  return <MyApp flow={flow} offer={offer} firstWords={await loadMyWords(language)} />;
}
