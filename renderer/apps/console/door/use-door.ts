import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import type { DoorView } from '../../../../server/contract/console/door.ts';
import type { KioskRecord } from '../../../../server/contract/console/kiosks.ts';
import { KIOSK_AWAY_AFTER_MS } from '../../../../server/contract/kiosk.ts';
import { door } from '../../../../server/contract/routes/console/door.ts';
import { reading } from '../shared/client/api.ts';
import { useChanges } from '../shared/client/changes.tsx';
import { type ScopeFilter, useScopeFilter } from '../shared/client/session.ts';
import { untilNext } from '../shared/time/server-time.ts';
import { readAhead, type Visit } from '../shared/client/prefetch.ts';

/** The last hour passes and events begin without an announcement. */
const SLOW_LOOK_MS = 30_000;
const STEPS_STALE_MS = 5_000;

export function useDoor(eventId: string | undefined) {
  const scope = useScopeFilter();
  useChanges('session', 'door', 'door-codes');
  useChanges('case', 'door');
  useChanges('venue', 'door');
  useChanges('usage', 'door');
  return useQuery({
    ...doorOf(scope, eventId),
    refetchInterval: ({ state }) => untilNext(timesOf(state.data), SLOW_LOOK_MS),
  });
}

/** When the page changes by the clock alone. */
const timesOf = (view: DoorView | undefined) => [
  view?.cap.ends_at,
  view?.event?.starts_at,
  view?.event?.ends_at,
  ...(view?.kiosks ?? []).flatMap(({ code_ends_at: codeEndsAt, last_seen_at: seenAt }) => [
    codeEndsAt,
    seenAt === null ? null : Date.parse(seenAt) + KIOSK_AWAY_AFTER_MS,
  ]),
];

const doorOf = (scope: ScopeFilter, eventId: string | undefined) =>
  reading(['door', scope, eventId ?? ''], door.read, { query: { ...scope, event_id: eventId } });

/** A venue's first steps, for admins. A step can be undone: network mode turned off, or the only colleague removed. */
export const firstStepsOf = (scope: ScopeFilter) =>
  queryOptions({
    ...reading(['door', 'first-steps', scope], door.firstSteps, { query: scope }),
    staleTime: STEPS_STALE_MS,
  });

/** What the page reads first, except codes, which stay in memory only while they are shown. */
export function prefetch({ client, scope, role }: Visit): void {
  readAhead(client.query(doorOf(scope, undefined)));
  if (role === 'admin') readAhead(client.query(firstStepsOf(scope)));
}

/** Shows a kiosk after a change; a new one is added at the end. */
export function showKiosk(client: QueryClient, changed: KioskRecord): void {
  changeKiosks(client, (kiosks) => {
    const isKnown = kiosks.some(({ kiosk_id }) => kiosk_id === changed.kiosk_id);
    if (!isKnown) return [...kiosks, changed];
    return kiosks.map((kiosk) => (kiosk.kiosk_id === changed.kiosk_id ? changed : kiosk));
  });
}

/** Shows that a kiosk was revoked. */
export function dropKiosk(client: QueryClient, id: string): void {
  changeKiosks(client, (kiosks) => kiosks.filter(({ kiosk_id }) => kiosk_id !== id));
}

// Other queries under `door` have no kiosks.
function changeKiosks(client: QueryClient, change: (kiosks: KioskRecord[]) => KioskRecord[]): void {
  client.setQueriesData<Partial<DoorView>>(
    { queryKey: ['door'] },
    (view) => view?.kiosks && { ...view, kiosks: change(view.kiosks) },
  );
}

export function useDoorCodes() {
  const scope = useScopeFilter();
  useChanges('codes', 'door-codes');
  return useQuery({
    ...reading(['door-codes', scope], door.codes, { query: scope }),
    refetchInterval: ({ state }) => untilNext(state.data?.items.map(({ ends_at }) => ends_at) ?? []),
    gcTime: 0,
  });
}
