import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { events } from '../../../../server/contract/routes/console/events.ts';
import { useScopedCall, useScopeFilter } from '../shared/client/session.ts';
import { ErrorLine } from '../shared/states.tsx';
import { useWords } from '../shared/words.tsx';

const OFFERED = 50;

function useChoice() {
  const call = useScopedCall();
  const scope = useScopeFilter();
  return useQuery({
    queryKey: ['events', 'choice', scope],
    queryFn: ({ signal }) => call(events.list, { query: { limit: OFFERED }, signal }),
  });
}

/** The names of those events, by ID. */
export const useEventNames = (): ReadonlyMap<string, string> =>
  new Map((useChoice().data?.items ?? []).map(({ event_id, name }) => [event_id, name]));

/** The event of a kiosk: current and future ones, and its own. The empty value means none. */
export function EventSelect({
  value,
  own,
  onChange,
}: {
  value: string;
  own?: { id: string | null; name: string | null };
  onChange: (eventId: string) => void;
}) {
  const words = useWords('door');
  const listed = useChoice();
  const choices = (listed.data?.items ?? [])
    .filter(({ state, event_id }) => state !== 'over' || event_id === own?.id)
    .map(({ event_id, name }) => ({ value: event_id, label: name }));
  if (own && own.id !== null && !choices.some((choice) => choice.value === own.id)) {
    choices.push({ value: own.id, label: own.name ?? own.id });
  }
  return (
    <>
      <NativeSelect
        label={words.event}
        value={value}
        data={[{ value: '', label: words.kiosks.noEvent }, ...choices]}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <ErrorLine error={listed.error} />
    </>
  );
}
