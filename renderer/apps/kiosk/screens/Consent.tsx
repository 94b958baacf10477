/** The purpose, what is kept, for how long, how to erase it, and the way without a camera; yes, or ask staff. */
import { CONSENT_VERSIONS } from '../../../../server/contract/consent-texts.ts';
import { ConsentFacts, consentTextOf } from '../../../flow/consent.tsx';
import type { EventConsentText } from '../../../flow/event-consent.ts';
import type { FlowState } from '../../../flow/flow.ts';
import { useKiosk } from '../context.ts';
import { Screen } from '../parts/Screen.tsx';
import type { Visit } from '../visit.ts';
import { Button } from '../../../ui/Button.tsx';

type ConsentProps = {
  visit: Visit;
  flow: FlowState;
  /** In place of the usual text. */
  ofEvent?: EventConsentText;
};

export function Consent({ visit, flow, ofEvent }: ConsentProps) {
  const { kiosk, messages, words, language } = useKiosk();
  const { consent } = messages;
  const {
    organiser,
    facts: shared,
    details,
    shown,
  } = ofEvent ?? consentTextOf(flow.snapshot, consent, language);
  const facts = [
    ...shared,
    [words.consent.eraseTerm, words.consent.erase({ organiser })],
    [words.consent.insteadTerm, words.consent.instead],
  ] as const;
  return (
    <Screen
      title={consent.title}
      actions={
        <>
          <Button
            look="main"
            disabled={flow.busy}
            onClick={() => visit.flow.accept((ofEvent?.versions ?? CONSENT_VERSIONS).kiosk, language, shown)}
          >
            {consent.accept}
          </Button>
          <Button look="side" disabled={flow.busy} onClick={() => kiosk.askStaff(true)}>
            {words.consent.askStaff}
          </Button>
        </>
      }
    >
      <div className="consented">
        <ConsentFacts facts={facts} more={consent.more} details={details} />
      </div>
    </Screen>
  );
}
