/** The consent text that the hosted page and the kiosk both show. */
import type { Snapshot } from '../../server/contract/flow.ts';
import type { HostedMessages } from '../../locales/types/hosted.ts';
import { durationInWords, type Language } from '../i18n/language.ts';
import { keptFor, linesOf } from '../i18n/messages.ts';

export type ConsentText = {
  organiser: string;
  /** Each with its heading: purpose, stored data, retention. */
  facts: readonly (readonly [term: string, fact: string])[];
  /** Behind "More". */
  details: readonly string[];
};

export function consentTextOf(
  snapshot: Pick<Snapshot, 'branding' | 'retention_days'> | null,
  messages: HostedMessages['consent'],
  language: Language,
): ConsentText {
  const organiser = snapshot?.branding.organiser ?? '';
  return {
    organiser,
    facts: [
      [messages.whyTerm, messages.why({ organiser })],
      [messages.keptTerm, messages.kept],
      [messages.howLongTerm, keptFor(messages, durationInWords(snapshot?.retention_days ?? 0, language))],
    ],
    details: linesOf(messages.details, { organiser }),
  };
}
