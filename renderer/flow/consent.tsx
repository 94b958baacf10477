/** The consent text that the hosted page and the kiosk both show. */
import type { ReactNode } from 'react';
import type { ShownPeriods, Snapshot } from '../../server/contract/flow.ts';
import type { HostedMessages } from '../../locales/types/hosted.ts';
import { durationInWords, type Language } from '../i18n/language.ts';
import { keptFor, linesOf } from '../i18n/messages.ts';

type Fact = readonly [term: string, fact: string];

export type ConsentText = {
  organiser: string;
  /** Each with its heading. */
  facts: readonly [purpose: Fact, stored: Fact, retention: Fact];
  /** Behind "More". */
  details: readonly string[];
  /** Sent with the consent. */
  shown: ShownPeriods;
};

/** Whether the run's event has a text of its own (`event-consent.ts`). */
export const hasOwnText = (snapshot: Snapshot | null): boolean =>
  (snapshot?.faces_days ?? snapshot?.photo_until) !== undefined;

export function consentTextOf(
  snapshot: Pick<Snapshot, 'branding' | 'retention_days'> | null,
  messages: HostedMessages['consent'],
  language: Language,
): ConsentText {
  const organiser = snapshot?.branding.organiser ?? '';
  const duration = durationInWords(snapshot?.retention_days ?? 0, language);
  return {
    organiser,
    facts: [
      [messages.whyTerm, messages.why({ organiser })],
      [messages.keptTerm, messages.kept],
      [messages.howLongTerm, keptFor(messages, duration)],
    ],
    details: linesOf(messages.details, { organiser }),
    shown: snapshot === null ? {} : { retention_days: snapshot.retention_days },
  };
}

type ConsentFactsProps = {
  facts: readonly Fact[];
  details: readonly string[];
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
