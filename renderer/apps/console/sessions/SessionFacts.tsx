import { isLanguage, LANGUAGE_NAMES } from '../../../../server/contract/languages.ts';
import type { SessionDetail } from '../../../../server/contract/console/sessions.ts';
import { durationInWords } from '../../../i18n/language.ts';
import { Copyable } from '../shared/copy.tsx';
import { Fact, Facts } from '../shared/lists/DetailDrawer.tsx';
import { Time } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { useVerificationName } from '../verifications/names.ts';
import { SessionStatus, inWords } from './labels.tsx';

type Consent = NonNullable<SessionDetail['consent']>;

export function SessionFacts({ session }: { session: SessionDetail }) {
  const words = useWords('sessions');
  const { devices, captures } = useWords('outcomes');
  const nameOf = useVerificationName();
  const { identity, consent } = session;
  return (
    <Facts>
      <Fact term={words.status}>
        <SessionStatus status={session.status} />
      </Fact>
      {session.external_id !== null && (
        <Fact term={words.externalId}>
          <Copyable value={session.external_id} label={words.externalId} />
        </Fact>
      )}
      {identity !== null && (
        <Fact term={inWords(identity.provider, words.identity)}>{identity.identifier}</Fact>
      )}
      {session.group !== null && <Fact term={words.group}>{session.group}</Fact>}
      {session.include_groups.length > 0 && (
        <Fact term={words.otherGroups}>{session.include_groups.join(', ')}</Fact>
      )}
      <Fact term={words.verification}>
        {nameOf(session.verification)} · <code>{session.generation}</code>
      </Fact>
      {session.device !== null && <Fact term={words.device}>{inWords(session.device, devices)}</Fact>}
      {session.capture_signed !== null && (
        <Fact term={words.capture}>{session.capture_signed ? captures.signed : captures.unsigned}</Fact>
      )}
      <Fact term={words.started}>
        <Time at={session.created_at} exact="utc" />
      </Fact>
      {session.status === 'open' && (
        <>
          <Fact term={words.expires}>
            <Time at={session.expires_at} exact />
          </Fact>
          <Fact term={words.attemptsLeft}>{session.attempts_left}</Fact>
        </>
      )}
      {consent !== null && (
        <Fact term={words.consent}>
          {words.consentGiven({
            version: consent.version ?? '?',
            language: inWords(consent.language ?? '?', LANGUAGE_NAMES),
          })}
          {consent.text !== null && (
            <details>
              <summary>{words.consentText}</summary>
              <div lang={consent.language ?? undefined}>
                {consent.text.map((message) => (
                  <p key={message}>{withGapsNamed(withPeriod(message, consent), words.consentGaps)}</p>
                ))}
              </div>
            </details>
          )}
        </Fact>
      )}
      {Object.entries(session.metadata ?? {}).map(([key, value]) => (
        <Fact key={key} term={key}>
          {String(value)}
        </Fact>
      ))}
      <Fact term={words.sessionId}>
        <Copyable value={session.session_id} label={words.sessionId} />
      </Fact>
    </Facts>
  );
}

/** Puts in how long the text said that the face is kept, in its language. */
function withPeriod(message: string, { retention_days: days, language }: Consent): string {
  if (days === null || language === null || !isLanguage(language)) return message;
  return message.replaceAll('{duration}', durationInWords(days, language) ?? '');
}

/** Names in brackets what differed from guest to guest. */
const withGapsNamed = (message: string, gaps: Readonly<Record<string, string>>): string =>
  message.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (name in gaps ? `[${gaps[name]}]` : whole));
