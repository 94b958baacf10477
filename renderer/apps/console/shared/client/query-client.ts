import { QueryCache, QueryClient } from '@tanstack/react-query';
import { RequestError } from '../../../../http/request-error.ts';
import { worthRetrying } from './api.ts';

/** The data no longer exists, or its reader may no longer see it. */
const isGone = ({ status, code }: RequestError): boolean =>
  status === 404 || code === 'role_too_low' || code === 'installation_wide';

/**
 * Holds what the pages have read. Data that the server refuses from now on is not shown any longer: somebody may have been
 * erased, or the operator's role changed, while a page was open.
 */
export const createConsoleClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (error instanceof RequestError && isGone(error)) query.setState({ data: undefined });
      },
    }),
    // Requests are sent even if the browser reports that it is offline: Gatehouse may run on this machine.
    defaultOptions: {
      queries: { networkMode: 'always', retry: worthRetrying, staleTime: 5_000 },
      mutations: { networkMode: 'always', retry: false },
    },
  });
