import { useQuery } from '@tanstack/react-query';
import type { EventLimit, EventRecord, EventOptions } from '../../../../server/contract/console/events.ts';
import type { EventState as State } from '../../../../server/contract/kiosk.ts';
import { events } from '../../../../server/contract/routes/console/events.ts';
import { Status, type Tone } from '../shared/states.tsx';
import { rangeInWords } from '../shared/time/time.ts';
import { useLanguage, useWords } from '../shared/words.tsx';
import { reading } from '../shared/client/api.ts';
import { useScopeFilter } from '../shared/client/session.ts';

const TONES: Record<State, Tone> = { upcoming: 'action', running: 'passed', over: 'quiet' };

export function EventState({ state }: { state: State }) {
  const { states } = useWords('events');
  return <Status tone={TONES[state]}>{states[state]}</Status>;
}

export function When({ event: { starts_at, ends_at } }: { event: EventRecord }) {
  return <span>{rangeInWords(starts_at, ends_at, useLanguage().language)}</span>;
}

export function LimitInWords({ limit: { kind, max } }: { limit: EventLimit }) {
  const { limits } = useWords('events');
  return kind === 'none' ? limits.none : limits[kind]({ max });
}

/** The options of an event in the current company; undefined until they are known. */
export function useEventOptions(): EventOptions | undefined {
  const scope = useScopeFilter();
  const options = useQuery(reading(['events', 'options', scope], events.options, { query: scope }));
  return options.data;
}
