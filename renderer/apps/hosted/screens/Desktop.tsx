/** On a computer: a code hands the run to a phone; this page then follows it and returns automatically. */
import { Suspense, useEffect, useState } from 'react';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { lazyPart } from '../../../http/load-part.ts';
import { useWords } from '../messages-context.ts';
import { handoffView } from '../../../flow/routing.ts';
import { Screen } from '../Screen.tsx';

/** Without its picture, the link can be copied. */
const Qr = lazyPart(
  () => import('../../../ui/Qr.tsx'),
  (part) => part.Qr,
  () => <span className="qr" />,
);

export function Desktop({ flow, state }: { flow: Flow; state: FlowState }) {
  const { messages } = useWords();
  const words = messages.desktop;
  const { offer, snapshot } = state;
  const expired = useExpired(offer?.lifeMs ?? null, offer?.url ?? null);
  const view = handoffView(snapshot?.handoff ?? null, offer !== null, expired);
  const needsOffer = view === 'preparing';

  useEffect(() => {
    if (needsOffer) flow.offerHandoff();
  }, [flow, needsOffer]);

  const thisCamera = snapshot?.is_test === true && (
    <button type="button" className="button button--side" onClick={flow.useThisComputer}>
      {words.useThisCamera}
    </button>
  );
  const newCode = (look: 'main' | 'quiet') => (
    <button type="button" className={`button button--${look}`} onClick={flow.offerHandoff}>
      {words.newCode}
    </button>
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
        <Screen key="code" title={words.title} actions={thisCamera}>
          <p className="lead">{words.text}</p>
          <div className="handoff" data-handoff={view}>
            <Suspense fallback={<span className="qr" />}>
              {offer ? <Qr text={offer.url} label={words.qrLabel} /> : <span className="qr" />}
            </Suspense>
            {matchCode}
          </div>
          {offer && <CopyLink key={offer.url} link={offer.url} />}
        </Screen>
      );
    case 'expired':
      return (
        <Screen
          key="expired"
          title={words.expired.title}
          icon="clock"
          actions={
            <>
              {newCode('main')}
              {thisCamera}
            </>
          }
        >
          <p className="lead" data-handoff={view}>
            {words.expired.text}
          </p>
        </Screen>
      );
    case 'ended':
      return (
        <Screen
          key="ended"
          title={words.ended.title}
          icon="info"
          actions={
            <>
              {newCode('main')}
              {thisCamera}
            </>
          }
        >
          <p className="lead" role="alert" data-handoff={view}>
            {words.ended.text}
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
function CopyLink({ link }: { link: string }) {
  const words = useWords().messages.desktop;
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
      <button type="button" className="button button--quiet" onClick={() => void copy()}>
        {words.copy}
      </button>
      <span role="status">{outcome && words[outcome]}</span>
    </p>
  );
}
