/** The events of a session, oldest first, in words. */
import type { TimelineItem, TimelineKind } from '../../../../server/contract/console/sessions.ts';
import type { OutcomesMessages } from '../../../../locales/types/outcomes.ts';
import type { SessionsMessages } from '../../../../locales/types/sessions.ts';
import { Time } from '../shared/Time.tsx';
import { useWords } from '../shared/words.tsx';
import { inWords } from './labels.ts';

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
          {item.reason !== null && <p className="timeline__reason">{item.reason}</p>}
        </li>
      ))}
    </ol>
  );
}

function detailsOf(item: TimelineItem, words: SessionsMessages, outcomes: OutcomesMessages): string[] {
  const lines = LINES[item.kind]?.(item.details, words, outcomes) ?? [];
  return item.by === null ? lines : [...lines, words.by({ name: actorName(item.by, words) })];
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

const device: Lines = ({ device: name }, { devices }) =>
  typeof name === 'string' ? [inWords(name, devices)] : [];
const findings: Lines = ({ findings: codes }, { found }) => listOf(codes).map((code) => inWords(code, found));
const reasons: Lines = ({ reasons: codes }, _words, outcomes) =>
  listOf(codes).map((code) => inWords(code, outcomes.reasons));
const decision: Lines = (details, { decisions }) => [inWords(textOf(details['decision']) ?? '', decisions)];

/** Kinds with details beyond their name. */
const LINES: Partial<Record<TimelineKind, Lines>> = {
  opened: device,
  handoff_confirmed: device,
  consent: ({ version, language }, words) => [
    words.consentGiven({ version: textOf(version) ?? '?', language: textOf(language) ?? '?' }),
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
  webhook: ({ type, status, attempts }, words) => [
    textOf(type) ?? '',
    ...(typeof status === 'string'
      ? [`${inWords(status, words.calls)} · ${words.attempts({ count: countOf(attempts) })}`]
      : []),
  ],
};
