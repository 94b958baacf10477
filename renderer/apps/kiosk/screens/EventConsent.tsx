/** The consent of an event that has a text of its own. */
import { eventConsentTextOf, useEventConsentWords } from '../../../flow/event-consent.ts';
import type { FlowState } from '../../../flow/flow.ts';
import { useKiosk } from '../context.ts';
import type { Visit } from '../visit.ts';
import { Consent } from './Consent.tsx';

export { loadEventConsentWords as loadWords } from '../../../flow/event-consent.ts';

export function EventConsent({ visit, flow }: { visit: Visit; flow: FlowState }) {
  const { messages, language } = useKiosk();
  const words = useEventConsentWords(language);
  if (flow.snapshot === null) return null;
  return (
    <Consent
      visit={visit}
      flow={flow}
      ofEvent={eventConsentTextOf(flow.snapshot, messages.consent, words, language)}
    />
  );
}
