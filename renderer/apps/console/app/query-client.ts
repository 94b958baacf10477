/** How the console queries: always, whatever the browser reports about the network. */
import { QueryClient } from '@tanstack/react-query';
import { whenFactorNeeded, whenSignedOut, worthRetrying } from '../shared/api.ts';
import { subscribeToConnection, isReachable } from '../shared/connection.ts';
import { endSession, meQuery } from '../shared/session.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', retry: worthRetrying, staleTime: 5_000 },
    mutations: { networkMode: 'always', retry: false },
  },
});

whenSignedOut(() => endSession(queryClient));
whenFactorNeeded(() => void queryClient.invalidateQueries({ queryKey: meQuery.queryKey }));

// Queries that failed while Gatehouse was away are repeated once it is back.
subscribeToConnection(() => {
  if (isReachable()) void queryClient.invalidateQueries();
});
