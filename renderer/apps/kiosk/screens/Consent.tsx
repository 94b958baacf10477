/** The purpose, what is kept, for how long, how to erase it, and the way without a camera; yes, or ask staff. */
import { CONSENT_VERSIONS } from '../../../../server/contract/consent-texts.ts';
import { ConsentFacts, consentTextOf } from '../../../flow/consent.tsx';
import type { EventConsentText } from '../../../flow/event-consent.ts';
import type { FlowState } from '../../../flow/flow.ts';
import { useKiosk } from '../context.ts';
import { Screen } from '../parts/Screen.tsx';
import type { Visit } from '../visit.ts';

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
          <button
            type="button"
            className="button button--main"
            disabled={flow.busy}
            onClick={() => visit.flow.accept((ofEvent?.versions ?? CONSENT_VERSIONS).kiosk, language, shown)}
          >
            {consent.accept}
          </button>
          <button
            type="button"
            className="button button--side"
            disabled={flow.busy}
            onClick={() => kiosk.askStaff(true)}
          >
            {words.consent.askStaff}
          </button>
        </>
      }
    >
      <div className="consented">
        <ConsentFacts facts={facts} more={consent.more} details={details} />
      </div>
    </Screen>
  );
}
