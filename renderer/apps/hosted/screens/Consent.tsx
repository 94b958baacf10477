/** The purpose, what is kept and for how long; yes or no. Everything else is behind "More". */
import { useEffect, useState } from 'react';
import { CONSENT_VERSIONS } from '../../../../server/contract/consent-texts.ts';
import type { Snapshot } from '../../../../server/contract/flow.ts';
import { ConsentFacts, consentTextOf } from '../../../flow/consent.tsx';
import type { EventConsentText } from '../../../flow/event-consent.ts';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { lazyPart, loadAhead } from '../../../http/load-part.ts';
import { useWords } from '../messages-context.ts';
import { Screen, OwnPageLink } from '../Screen.tsx';
import { Button } from '../../../ui/Button.tsx';

const Leave = lazyPart(() => import('./Leave.tsx'), 'Leave');
const loadCapture = () => import('./Capture.tsx');

/** Whether the camera comes right after the consent, without a phone number or a test face in between. */
const leadsToCamera = (snapshot: Snapshot | null): boolean =>
  snapshot !== null && snapshot.phone === null && !snapshot.is_test;

type ConsentProps = {
  flow: Flow;
  state: FlowState;
  /** In place of the usual text. */
  ofEvent?: EventConsentText;
};

export function Consent({ flow, state, ofEvent }: ConsentProps) {
  const { messages, language } = useWords();
  const [leaving, setLeaving] = useState(false);
  const words = messages.consent;
  const { facts, details, shown } = ofEvent ?? consentTextOf(state.snapshot, words, language);

  // The camera's code, WebAssembly and model load while the guest is reading, and so does the screen in between.
  const hasPhone = (state.snapshot?.phone ?? null) !== null;
  const isTest = state.snapshot?.is_test === true;
  useEffect(() => {
    const next: Promise<unknown>[] = [];
    if (hasPhone) next.push(loadAhead(() => import('./Phone.tsx')));
    if (isTest) next.push(loadAhead(() => import('./TestChoice.tsx')));
    next.push(loadAhead(loadCapture).then((capture) => capture.warmUp()));
    Promise.all(next).catch(() => undefined);
  }, [hasPhone, isTest]);
  const accept = () => {
    const camera = leadsToCamera(state.snapshot) ? loadCapture() : null;
    camera?.then((capture) => capture.startCamera()).catch(() => undefined);
    flow.accept((ofEvent?.versions ?? CONSENT_VERSIONS).hosted, language, shown);
  };

  if (leaving) return <Leave flow={flow} state={state} onBack={() => setLeaving(false)} />;
  return (
    <Screen
      title={words.title}
      actions={
        <>
          <Button look="main" disabled={state.busy} onClick={accept}>
            {words.accept}
          </Button>
          <Button look="quiet" onClick={() => setLeaving(true)}>
            {words.decline}
          </Button>
        </>
      }
    >
      <p className="quiet">{messages.takes}</p>
      <ConsentFacts facts={facts} more={words.more} details={details}>
        <OwnPageLink snapshot={state.snapshot} />
      </ConsentFacts>
    </Screen>
  );
}
