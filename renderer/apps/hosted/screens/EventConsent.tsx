/** The consent of an event that has a text of its own. */
import { eventConsentTextOf, useEventConsentWords } from '../../../flow/event-consent.ts';
import type { Flow, FlowState } from '../../../flow/flow.ts';
import { useWords } from '../messages-context.ts';
import { Consent } from './Consent.tsx';

export function EventConsent({ flow, state }: { flow: Flow; state: FlowState }) {
  const { messages, language } = useWords();
  const words = useEventConsentWords(language);
  if (state.snapshot === null) return null;
  return (
    <Consent
      flow={flow}
      state={state}
      ofEvent={eventConsentTextOf(state.snapshot, messages.consent, words, language)}
    />
  );
}
