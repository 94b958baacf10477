/** The events of a session, oldest first, in words. */
import { Link } from '@tanstack/react-router';
import { LANGUAGE_NAMES } from '../../../../server/contract/languages.ts';
import type { TimelineItem, TimelineKind } from '../../../../server/contract/console/sessions.ts';
import { CALL_STATUSES, V3_EVENTS, WEBHOOK_TYPES } from '../../../../server/contract/webhook-types.ts';
import type { OutcomesMessages } from '../../../../locales/types/outcomes.ts';
import type { SessionsMessages } from '../../../../locales/types/sessions.ts';
import { useSearch } from '../shared/lists/search.ts';
import { scopeSearch } from '../shared/client/session.ts';
import { Time, TimeSentence } from '../shared/time/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { eventName } from '../webhooks/event-name.ts';
import { CallState } from '../webhooks/WebhookState.tsx';
import { inWords } from './labels.tsx';

export function Timeline({ items }: { items: readonly TimelineItem[] }) {
  const words = useWords('sessions');
  const outcomes = useWords('outcomes');
  return (
    <ol className="timeline">
      {items.map((item, index) => (
        <li key={index} className="timeline__item" data-kind={item.kind}>
          <p className="timeline__head">
            <strong>{words.timeline[item.kind]}</strong>
            <Time at={item.at} exact />
          </p>
          {detailsOf(item, words, outcomes).map((line) => (
            <p key={line}>{line}</p>
          ))}
          {item.kind === 'webhook' && <CallPath details={item.details} />}
          {item.reason !== null && <p className="timeline__reason">{item.reason}</p>}
        </li>
      ))}
    </ol>
  );
}

/** The state of a webhook call; for admins also where it went, and the call itself. */
function CallPath({ details }: Pick<TimelineItem, 'details'>) {
  const words = useWords('sessions');
  const webhooks = useWords('webhooks');
  const scope = scopeSearch(useSearch());
  const type = [...WEBHOOK_TYPES, ...V3_EVENTS].find((known) => known === details['type']);
  const status = CALL_STATUSES.find((known) => known === details['status']);
  const attempts = countOf(details['attempts']);
  const answer = details['http_status'];
  const next = textOf(details['next_attempt_at']);
  const destination = textOf(details['destination']);
  const line = textOf(details['lineage_id']);
  const call = textOf(details['transaction_id']);
  return (
    <>
      {type !== undefined && <p>{eventName(webhooks, type)}</p>}
      {destination !== null && <p>{destination}</p>}
      {status !== undefined && (
        <p>
          <CallState status={status} /> · {words.attempts({ count: attempts })}
          {attempts > 0 &&
            ` · ${typeof answer === 'number' ? webhooks.http({ status: answer }) : webhooks.noAnswer}`}
        </p>
      )}
      {next !== null && (
        <p>
          <TimeSentence words={webhooks.nextAttemptAt} at={next} exact />
        </p>
      )}
      {line !== null && call !== null && (
        <Link to="/webhooks" search={{ ...scope, view: 'calls', line, open: call }} className="text-link">
          {words.openCall}
        </Link>
      )}
    </>
  );
}

/** Each line once: two findings can have the same words. */
export function detailsOf(
  item: Pick<TimelineItem, 'kind' | 'details' | 'by'>,
  words: SessionsMessages,
  outcomes: OutcomesMessages,
): string[] {
  const lines = LINES[item.kind]?.(item.details, words, outcomes) ?? [];
  const by = item.by === null ? [] : [words.by({ name: actorName(item.by, words) })];
  return [...new Set([...lines, ...by])];
}

/** An operator's own name, or another kind of actor. */
function actorName(by: string, words: SessionsMessages): string {
  if (by === 'cli') return words.cli;
  return by.startsWith('key:') ? words.key : by;
}

type Lines = (
  details: TimelineItem['details'],
  words: SessionsMessages,
  outcomes: OutcomesMessages,
) => string[];

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

const device: Lines = ({ device: name }, _words, { devices }) =>
  typeof name === 'string' ? [inWords(name, devices)] : [];
/** Findings that are also reasons of an outcome, by the name of the reason. */
const AS_REASON: Readonly<Record<string, keyof OutcomesMessages['reasons']>> = {
  self_mismatch: 'face_self_mismatch',
  not_one_person: 'face_self_mismatch',
  presentation_attack: 'spoof_suspected',
};
const findings: Lines = ({ findings: codes }, { found }, outcomes) =>
  listOf(codes).map((code) => {
    const reason = AS_REASON[code];
    return reason === undefined ? inWords(code, found) : outcomes.reasons[reason];
  });
const reasons: Lines = ({ reasons: codes }, _words, outcomes) =>
  listOf(codes).map((code) => inWords(code, outcomes.reasons));
const decision: Lines = (details, words, outcomes) => [
  inWords(textOf(details['decision']) ?? '', { ...words.decisions, ...outcomes.decisions }),
];

/** Kinds with details beyond their name. */
const LINES: Partial<Record<TimelineKind, Lines>> = {
  opened: device,
  handoff_confirmed: device,
  consent: ({ version, language }, words) => [
    words.consentGiven({
      version: textOf(version) ?? '?',
      language: inWords(textOf(language) ?? '?', LANGUAGE_NAMES),
    }),
  ],
  attempt_passed: findings,
  attempt_failed: findings,
  review_opened: reasons,
  review_decided: decision,
  overridden: decision,
  settled: (details, words, outcomes) => [
    inWords(textOf(details['status']) ?? '', outcomes.names),
    ...reasons(details, words, outcomes),
  ],
  read: ({ count }, words) => [words.readTimes({ count: countOf(count) })],
};
