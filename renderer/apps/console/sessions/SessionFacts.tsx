import { LANGUAGE_NAMES } from '../../../../server/contract/languages.ts';
import type { SessionDetail } from '../../../../server/contract/console/sessions.ts';
import { Fact, Facts, TimeFact, CopyFact } from '../shared/lists/DetailDrawer.tsx';
import { useWords } from '../shared/words.tsx';
import { useVerificationName } from '../verifications/names.ts';
import { consentAsRead } from './consent-text.ts';
import { SessionStatus, inWords } from './labels.tsx';

export function SessionFacts({ session }: { session: SessionDetail }) {
  const words = useWords('sessions');
  const { devices, captures } = useWords('outcomes');
  const nameOf = useVerificationName();
  const { identity, consent } = session;
  return (
    <Facts>
      <Fact term={words.status}>
        <SessionStatus result={session} />
      </Fact>
      {session.external_id !== null && <CopyFact term={words.externalId} value={session.external_id} />}
      {identity !== null && (
        <Fact term={inWords(identity.provider, words.identity)}>{identity.identifier}</Fact>
      )}
      {session.event_name !== null && <Fact term={words.event}>{session.event_name}</Fact>}
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
      <TimeFact term={words.started} at={session.created_at} exact="utc" />
      {session.status === 'open' && (
        <>
          <TimeFact term={words.expires} at={session.expires_at} exact />
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
                {consentAsRead(consent, words.consentGaps).map((message) => (
                  <p key={message}>{message}</p>
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
      <CopyFact term={words.sessionId} value={session.session_id} />
    </Facts>
  );
}
