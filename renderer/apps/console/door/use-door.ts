import { useQuery } from '@tanstack/react-query';
import { door } from '../../../../server/contract/routes/console/door.ts';
import { call } from '../shared/api.ts';
import { useLive } from '../shared/live.tsx';
import { useScopeFilter } from '../shared/scoped.ts';

/** A kiosk that falls silent tells nobody: it is found by asking. */
const LOOK_EVERY_MS = 20_000;
/** A code that is asked for is wanted at once. */
const CODES_EVERY_MS = 5_000;

export function useDoor(eventId: string | undefined) {
  const scope = useScopeFilter();
  useLive('session', 'door', 'door-codes');
  useLive('case', 'door');
  useLive('venue', 'door');
  return useQuery({
    queryKey: ['door', scope, eventId ?? ''],
    queryFn: ({ signal }) => call(door.read, { query: { ...scope, event_id: eventId }, signal }),
    refetchInterval: LOOK_EVERY_MS,
  });
}

export function useDoorCodes() {
  const scope = useScopeFilter();
  return useQuery({
    queryKey: ['door-codes', scope],
    queryFn: ({ signal }) => call(door.codes, { query: scope, signal }),
    refetchInterval: CODES_EVERY_MS,
    gcTime: 0,
  });
}
