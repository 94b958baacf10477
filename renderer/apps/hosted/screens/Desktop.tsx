/** On a computer: a code hands the run to a phone; this page then follows it and returns automatically. */
import { Suspense, useEffect, useState } from 'react';
import type { HandoffMessages } from '../../../../locales/types/handoff.ts';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { lazyPart } from '../../../http/load-part.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { withHandoffWords } from '../later-words.tsx';
import { useWords } from '../messages-context.ts';
import { handoffView } from '../../../flow/routing.ts';
import { Screen } from '../Screen.tsx';
import { Leave } from './Leave.tsx';

/** Without its picture, the link can be copied. */
const Qr = lazyPart(
  () => import('../../../ui/Qr.tsx'),
  'Qr',
  () => <span className="qr" />,
);

type DesktopProps = { flow: Flow; state: FlowState; words: HandoffMessages };
type DesktopWords = HandoffMessages['desktop'];

export const Desktop = withHandoffWords(ToPhone);

function ToPhone({ flow, state, words: { desktop: words } }: DesktopProps) {
  const { messages } = useWords();
  const [leaving, setLeaving] = useState(false);
  const { offer, snapshot } = state;
  const expired = useExpired(offer?.lifeMs ?? null, offer?.url ?? null);
  const view = handoffView(snapshot?.handoff ?? null, offer !== null, expired);
  const needsOffer = view === 'preparing';

  useEffect(() => {
    if (needsOffer) flow.offerHandoff();
  }, [flow, needsOffer]);

  // The phone has the check from then on, and can leave it.
  if (leaving && view !== 'following' && view !== 'opened')
    return <Leave flow={flow} state={state} onBack={() => setLeaving(false)} />;
  const others = (
    <>
      {snapshot?.is_test === true && (
        <Button look="side" onClick={flow.useThisComputer}>
          {words.useThisCamera}
        </Button>
      )}
      <Button look="quiet" onClick={() => setLeaving(true)}>
        {messages.consent.decline}
      </Button>
    </>
  );
  const newCode = (look: 'main' | 'quiet') => (
    <Button look={look} onClick={flow.offerHandoff}>
      {words.newCode}
    </Button>
  );
  const matchCode = offer && (
    <p className="match">
      <span>{words.matchTerm}</span>
      <strong data-match-code>{offer.match_code}</strong>
    </p>
  );

  switch (view) {
    case 'preparing':
    case 'code':
      return (
        <Screen key="code" title={words.title} actions={others}>
          <p className="lead">{words.text}</p>
          {offer && isLoopback(offer.url) && (
            <p className="notice" data-only-here>
              <Icon name="info" />
              <span>{words.onlyHere}</span>
            </p>
          )}
          <div className="handoff" data-handoff={view}>
            <Suspense fallback={<span className="qr" />}>
              {offer ? <Qr text={offer.url} label={words.qrLabel} /> : <span className="qr" />}
            </Suspense>
            {matchCode}
          </div>
          {offer && <CopyLink key={offer.url} link={offer.url} words={words} />}
        </Screen>
      );
    case 'expired':
    case 'ended':
      return (
        <Screen
          key={view}
          title={words[view].title}
          icon={view === 'expired' ? 'clock' : 'info'}
          actions={
            <>
              {newCode('main')}
              {others}
            </>
          }
        >
          <p className="lead" role={view === 'ended' ? 'alert' : undefined} data-handoff={view}>
            {words[view].text}
          </p>
        </Screen>
      );
    case 'opened':
      return (
        <Screen key="opened" title={words.opened.title} icon="phone" actions={newCode('quiet')}>
          <p className="lead" data-handoff={view}>
            {words.opened.text}
          </p>
          <strong className="match__code" data-match-code>
            {snapshot?.handoff?.match_code}
          </strong>
        </Screen>
      );
    case 'following':
      return (
        <Screen key="following" title={words.following.title} icon="phone" actions={newCode('quiet')}>
          <p className="lead" role="status" data-handoff={view}>
            {words.following.steps[snapshot?.step ?? 'consent']}
          </p>
          <p className="quiet">{words.keepOpen}</p>
        </Screen>
      );
  }
}

/** Whether a link leads to the computer on which it is opened. */
const isLoopback = (link: string): boolean =>
  /^(?:localhost|.+\.localhost|127\.[\d.]+|\[::1\])$/.test(new URL(link).hostname);

/** Whether the code identified by `key` is older than `lifeMs`, counted from its arrival. */
function useExpired(lifeMs: number | null, key: string | null): boolean {
  const [expiredKey, setExpiredKey] = useState<string | null>(null);
  useEffect(() => {
    if (lifeMs === null) return;
    const timer = setTimeout(() => setExpiredKey(key), Math.max(0, lifeMs));
    return () => clearTimeout(timer);
  }, [lifeMs, key]);
  return key !== null && expiredKey === key;
}

/** The handoff link for guests who cannot scan; the result of copying replaces the offer. */
function CopyLink({ link, words }: { link: string; words: DesktopWords }) {
  const [outcome, setOutcome] = useState<'copied' | 'copyFailed' | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setOutcome('copied');
    } catch {
      // No permission, or a page without TLS.
      setOutcome('copyFailed');
    }
  };
  return (
    <p className="copy-link">
      <Button look="quiet" onClick={() => void copy()}>
        {words.copy}
      </Button>
      <span role="status">{outcome && words[outcome]}</span>
    </p>
  );
}
