/** How the console asks: whenever Gatehouse answers, whatever the browser thinks of the network. */
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

// What was asked while Gatehouse was away is asked again once it is back.
subscribeToConnection(() => {
  if (isReachable()) void queryClient.invalidateQueries();
});
