import { queryOptions } from '@tanstack/react-query';
import type { CleanUpState } from '../../../../server/contract/console/clean-up.ts';
import { get } from './api.ts';

const REFETCH_MS = 15_000;

export const cleanUpQuery = queryOptions({
  queryKey: ['clean-up'],
  queryFn: ({ signal }) => get<CleanUpState>('/clean-up', { signal }),
  refetchInterval: REFETCH_MS,
});
