/** The number of waiting cases: for the reviews page, the navigation and the title of the tab. */
import { useQuery } from '@tanstack/react-query';
import { reviews } from '../../../../server/contract/routes/console/reviews.ts';
import { call } from './api.ts';
import { useScopeFilter } from './scoped.ts';
import { useMay } from './session.ts';

/** Ages change without an event. */
const EVERY_MS = 30_000;

/** For the address's scope; does nothing for operators below a reviewer. */
export function useFigures() {
  const query = useScopeFilter();
  const enabled = useMay('reviewer');
  return useQuery({
    queryKey: ['reviews', 'figures', query],
    queryFn: ({ signal }) => call(reviews.figures, { query, signal }),
    refetchInterval: EVERY_MS,
    staleTime: EVERY_MS,
    enabled,
  });
}
