/** The consent text that the hosted page and the kiosk both show. */
import type { ReactNode } from 'react';
import type { ShownPeriods, Snapshot } from '../../server/contract/flow.ts';
import type { HostedMessages } from '../../locales/types/hosted.ts';
import { dayInWords, durationInWords, type Language } from '../i18n/language.ts';
import { keptFor, linesOf } from '../i18n/messages.ts';

type ConsentText = {
  organiser: string;
  /** Each with its heading: purpose, stored data, retention. */
  facts: readonly (readonly [term: string, fact: string])[];
  /** Behind "More". */
  details: readonly string[];
  /** Sent with the consent. */
  shown: ShownPeriods;
};

export function consentTextOf(
  snapshot: Pick<Snapshot, 'branding' | 'retention_days' | 'photo_until'> | null,
  messages: HostedMessages['consent'],
  language: Language,
): ConsentText {
  const organiser = snapshot?.branding.organiser ?? '';
  const duration = durationInWords(snapshot?.retention_days ?? 0, language);
  const photoUntil = duration === null ? undefined : snapshot?.photo_until;
  const { withPhoto } = messages;
  const [kept, howLong, ...further] =
    photoUntil === undefined || duration === null
      ? [messages.kept, keptFor(messages, duration)]
      : [
          withPhoto.kept,
          withPhoto.howLong({ duration, date: dayInWords(photoUntil, language) }),
          withPhoto.detail,
        ];
  return {
    organiser,
    facts: [
      [messages.whyTerm, messages.why({ organiser })],
      [messages.keptTerm, kept],
      [messages.howLongTerm, howLong],
    ],
    details: [...linesOf(messages.details, { organiser }), ...further],
    shown: {
      ...(snapshot !== null && { retention_days: snapshot.retention_days }),
      ...(photoUntil !== undefined && { photo_until: photoUntil }),
    },
  };
}

type ConsentFactsProps = Pick<ConsentText, 'facts' | 'details'> & {
  /** What opens the details. */
  more: string;
  /** Below the details. */
  children?: ReactNode;
};

/** What a guest agrees to: the facts, which kiosks can read aloud, and the details behind a click. */
export const ConsentFacts = ({ facts, more, details, children }: ConsentFactsProps) => (
  <>
    <dl className="facts">
      {facts.map(([term, fact]) => (
        <div key={term}>
          <dt data-say>{term}</dt>
          <dd data-say>{fact}</dd>
        </div>
      ))}
    </dl>
    <details className="more">
      <summary>{more}</summary>
      <ul>
        {details.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {children}
    </details>
  </>
);
