/** What both the frame and one of its pages ask for, or two pages. */
import { queryOptions, type QueryClient, useQuery, useQueryClient, skipToken } from '@tanstack/react-query';
import type { KioskWithCode } from '../../../../../server/contract/console/kiosks.ts';
import { health } from '../../../../../server/contract/routes/console/health.ts';
import { maintenance } from '../../../../../server/contract/routes/console/maintenance.ts';
import { testData } from '../../../../../server/contract/routes/console/people.ts';
import { operators } from '../../../../../server/contract/routes/console/operators.ts';
import { reviews } from '../../../../../server/contract/routes/console/reviews.ts';
import { untilNext } from '../time/server-time.ts';
import { reading } from './api.ts';
import { useChanges } from './changes.tsx';
import { useMay, useScopeFilter } from './session.ts';

const FIGURES_STALE_MS = 30_000;
/** Planned maintenance is announced a day ahead. */
export const ANNOUNCED_MS = 24 * 3_600_000;

/**
 * The number of waiting cases in the address's scope; does nothing for operators below a reviewer.
 * @param everyMs for a page that shows ages, which change without an event
 */
export function useFigures(everyMs: number | false = false) {
  const query = useScopeFilter();
  const enabled = useMay('reviewer');
  return useQuery({
    ...reading(['reviews', 'figures', query], reviews.figures, { query }),
    refetchInterval: everyMs,
    staleTime: FIGURES_STALE_MS,
    enabled,
  });
}

export const maintenanceQuery = queryOptions({
  ...reading(['maintenance'], maintenance.read),
  refetchInterval: ({ state: { data } }) =>
    untilNext([
      data?.until,
      ...(data?.planned ?? []).flatMap(({ starts_at: from, ends_at: to }) => [
        Date.parse(from) - ANNOUNCED_MS,
        from,
        to,
      ]),
    ]),
});

/** The problems of the service. Its slow look finds and announces what begins by the clock. */
export const healthQuery = reading(['health'], health.read);

/** How far the clock of the company's test data is ahead. */
export function useTestClock() {
  const query = useScopeFilter();
  useChanges('audit', 'test-clock');
  return useQuery(reading(['test-clock', query], testData.clock, { query }));
}

/** For operators who may see all companies. */
export const operatorsQuery = reading(['operators'], operators.list);

const FIRST_KIOSK = ['first-kiosk'];

/** Keeps the kiosk that the first start creates for the Door page, which shows how to open it. */
export const keepFirstKiosk = (client: QueryClient, made: KioskWithCode | null): void => {
  client.setQueryData(FIRST_KIOSK, made);
};

export function useFirstKiosk(): { kiosk: KioskWithCode | null; forget: () => void } {
  const client = useQueryClient();
  const { data = null } = useQuery<KioskWithCode | null>({ queryKey: FIRST_KIOSK, queryFn: skipToken });
  return { kiosk: data, forget: () => keepFirstKiosk(client, null) };
}
