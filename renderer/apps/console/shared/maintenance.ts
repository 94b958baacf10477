import { queryOptions } from '@tanstack/react-query';
import { maintenance } from '../../../../server/contract/routes/console/maintenance.ts';
import { call } from './api.ts';

/** Windows begin and end by the clock, without an event. */
const REFETCH_MS = 15_000;

export const maintenanceQuery = queryOptions({
  queryKey: ['maintenance'],
  queryFn: ({ signal }) => call(maintenance.read, { signal }),
  refetchInterval: REFETCH_MS,
});
