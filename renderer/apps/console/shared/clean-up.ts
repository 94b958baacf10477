import { queryOptions } from '@tanstack/react-query';
import { cleanUp } from '../../../../server/contract/routes/console/maintenance.ts';
import { call } from './api.ts';

const REFETCH_MS = 15_000;

export const cleanUpQuery = queryOptions({
  queryKey: ['clean-up'],
  queryFn: ({ signal }) => call(cleanUp.state, { signal }),
  refetchInterval: REFETCH_MS,
});
