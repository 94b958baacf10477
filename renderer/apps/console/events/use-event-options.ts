/** The options of an event in the current company. */
import { useQuery } from '@tanstack/react-query';
import { events } from '../../../../server/contract/routes/console/events.ts';
import type { EventOptions } from '../../../../server/contract/console/events.ts';
import { call } from '../shared/api.ts';
import { useScopeFilter } from '../shared/scoped.ts';

/** Undefined until it is known. */
export function useEventOptions(): EventOptions | undefined {
  const scope = useScopeFilter();
  const options = useQuery({
    queryKey: ['events', 'options', scope],
    queryFn: ({ signal }) => call(events.options, { query: scope, signal }),
  });
  return options.data;
}
