/** The purpose, what is kept, for how long, how to erase it, and the way without a camera; yes, or ask staff. */
import { consentVersionOf } from '../../../../server/contract/consent-texts.ts';
import { ConsentFacts, consentTextOf } from '../../../flow/consent.tsx';
import type { FlowState } from '../../../flow/flow.ts';
import { useKiosk } from '../context.ts';
import { Screen } from '../parts/Screen.tsx';
import type { Visit } from '../visit.ts';

export function Consent({ visit, flow }: { visit: Visit; flow: FlowState }) {
  const { kiosk, messages, words, language } = useKiosk();
  const { consent } = messages;
  const { organiser, facts: shared, details, shown } = consentTextOf(flow.snapshot, consent, language);
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
            onClick={() => visit.flow.accept(consentVersionOf('kiosk', shown.photo_until), language, shown)}
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
