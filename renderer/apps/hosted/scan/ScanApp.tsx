/** The door team's page: the code once, then tickets, until the code ends. */
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { LanguageOffer } from '../../../../server/contract/languages.ts';
import type { ShiftStatus } from '../../../../server/contract/tickets.ts';
import type { Language } from '../../../i18n/language.ts';
import { Frame } from '../Frame.tsx';
import { useChosenWords } from '../messages-context.ts';
import { Waiting } from '../Screen.tsx';
import { Duty } from './Duty.tsx';
import { Join } from './Join.tsx';
import { createScanApi, type Failure, failureOf, type ScanApi } from './scan-api.ts';
import { loadScanWords, type ScanWords } from './scan-words.ts';
import './scan.css';

const LOOK_EVERY_MS = 5_000;

type Props = { api: ScanApi; code: string; offer: LanguageOffer; firstWords: ScanWords };

function ScanApp({ api, code, offer, firstWords }: Props) {
  const chosen = useChosenWords(firstWords, loadScanWords);
  const words = chosen.words.scan;
  const [isOnDuty, setOnDuty] = useState(api.isOnDuty);
  const [status, setStatus] = useState<ShiftStatus | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const leave = useCallback(() => {
    api.leave();
    setOnDuty(false);
    setStatus(null);
    setFailure(null);
  }, [api]);
  const fail = useCallback(
    (error: unknown) => {
      const found = failureOf(error);
      if (found === 'ended') leave();
      setFailure(found);
    },
    [leave],
  );
  const look = useCallback(async () => {
    try {
      setStatus(await api.status());
      setFailure((known) => (known === 'offline' ? null : known));
    } catch (error) {
      fail(error);
    }
  }, [api, fail]);

  useEffect(() => {
    if (!isOnDuty) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const follow = async () => {
      await look();
      if (!isOver) timer = setTimeout(() => void follow(), LOOK_EVERY_MS);
    };
    void follow();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isOnDuty, look]);

  const content = (): ReactNode => {
    if (!isOnDuty)
      return (
        <Join
          api={api}
          code={code}
          failure={failure}
          onFailure={fail}
          onJoined={() => {
            setFailure(null);
            setOnDuty(true);
          }}
        />
      );
    if (status === null)
      return <Waiting title={words.wait} text={failure === null ? undefined : words.failed[failure]} />;
    return (
      <Duty
        api={api}
        status={status}
        failure={failure}
        onFailure={(error) => (error === null ? setFailure(null) : fail(error))}
        onChange={() => void look()}
        onLeave={leave}
      />
    );
  };
  return (
    <Frame
      state={{ screen: isOnDuty ? 'scanTickets' : 'scanJoin', waiting: null, snapshot: null }}
      title={words.documentTitle}
      chosen={chosen}
      offer={offer}
    >
      {content()}
    </Frame>
  );
}

/** Starts the page. Loaded as a separate chunk. */
export async function scanPage(offer: LanguageOffer, language: Language): Promise<ReactNode> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? '';
  // Neither the history nor a reload keeps it.
  if (code !== '') history.replaceState(null, '', location.pathname);
  const api = createScanApi(
    (input, init) => fetch(input, init),
    () => localStorage,
  );
  return <ScanApp api={api} code={code} offer={offer} firstWords={await loadScanWords(language)} />;
}
