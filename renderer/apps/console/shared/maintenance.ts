import { queryOptions } from '@tanstack/react-query';
import type { MaintenanceState } from '../../../../server/contract/console/settings.ts';
import { get } from './api.ts';

/** A window begins and ends by the clock, without an event that tells. */
const REFETCH_MS = 15_000;

export const maintenanceQuery = queryOptions({
  queryKey: ['maintenance'],
  queryFn: ({ signal }) => get<MaintenanceState>('/maintenance', { signal }),
  refetchInterval: REFETCH_MS,
});
