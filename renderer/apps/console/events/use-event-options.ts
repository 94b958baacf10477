/** The options of an event in the current company. */
import { useQuery } from '@tanstack/react-query';
import { events } from '../../../../server/contract/routes/console/events.ts';
import type { EventOptions } from '../../../../server/contract/console/events.ts';
import { call } from '../shared/api.ts';
import { useScopeFilter } from '../shared/scoped.ts';
import { useWords } from '../shared/words.tsx';

/** Undefined until it is known. */
export function useEventOptions(): EventOptions | undefined {
  const scope = useScopeFilter();
  const options = useQuery({
    queryKey: ['events', 'options', scope],
    queryFn: ({ signal }) => call(events.options, { query: scope, signal }),
  });
  return options.data;
}

type VerificationOption = EventOptions['verifications'][number];

/** The text for a verification; without a label of its own, the start of its ID tells it from the others. */
export function useVerificationName(): (option: VerificationOption) => string {
  const words = useWords('verifications');
  return ({ verification_id: id, label, is_default }) =>
    label ?? (is_default ? words.defaultName : `${words.unnamed} ${id.slice(0, 8)}`);
}
