/** Makes a route of each page in the list. All are behind the gate, which shows pages only to operators who are signed in. */
import { type QueryClient, useQueryErrorResetBoundary } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  useNavigate,
} from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { loadAhead, unlessHung } from '../../../http/load-part.ts';
import { RequestError } from '../../../http/request-error.ts';
import { reportPageError } from '../../../ui/page-errors.ts';
import { useFindKeys } from '../shared/hotkeys.tsx';
import { parseSearch, stringifySearch, useSearch } from '../shared/lists/search.ts';
import { scopeSearch } from '../shared/client/session.ts';
import { EmptyState, ErrorState, PageSkeleton } from '../shared/states.tsx';
import { visitTo } from '../shared/client/prefetch.ts';
import { loadMessagesAhead, useCommonWords } from '../shared/words.tsx';
import { Gate } from './Gate.tsx';
import { PAGES, useVisiblePages } from './pages.ts';

/** The first page of the navigation that the operator may see. */
function Home() {
  const [first] = useVisiblePages();
  return <Navigate to={first?.path ?? '/account'} search={scopeSearch(useSearch())} replace />;
}

function PageMissing() {
  const { errors } = useCommonWords();
  return (
    <EmptyState
      icon="search"
      title={errors.pageMissing}
      text={errors.pageMissingText({ keys: useFindKeys() })}
    />
  );
}

/** How soon a page that got no answer is tried again: most often the server is restarting. */
const AGAIN_MS = 1_500;

function PageError({ error, reset }: { error: unknown; reset: () => void }) {
  // Otherwise the queries would throw the same error again.
  const queries = useQueryErrorResetBoundary();
  const navigate = useNavigate();
  const search = useSearch();
  const retry = () => {
    queries.reset();
    // A value in the address may have made the page crash, and would again.
    if (error instanceof RequestError) reset();
    else void navigate({ to: '.', search: scopeSearch(search), replace: true }).then(reset);
  };
  const tryAgain = useEffectEvent(retry);
  useEffect(() => {
    if (!(error instanceof RequestError && error.status === 0)) {
      reportPageError('render', error);
      return undefined;
    }
    const timer = setTimeout(() => tryAgain(), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [error]);
  return <ErrorState error={error} retry={retry} />;
}

const rootRoute = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Gate,
  notFoundComponent: PageMissing,
});

const homeRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', component: Home });

/** Only for those who are signed in already: the gate finishes a sign-in at the identity provider. */
const oidcRoute = createRoute({ getParentRoute: () => rootRoute, path: '/oidc', component: Home });

const pageRoutes = PAGES.flatMap(({ path, load, below = [] }) => [{ path, load }, ...below]).map(
  ({ path, load }) =>
    createRoute({
      getParentRoute: () => rootRoute,
      path,
      component: lazyRouteComponent(() => unlessHung(load), 'Page'),
      // On hover and focus of a link. A page that is opened requests its data itself.
      loader: ({ cause, context: { client }, location }) => {
        if (cause !== 'preload') return;
        loadMessagesAhead();
        void loadAhead(load).then(
          ({ prefetch }) => {
            const visit = visitTo(client, parseSearch(location.searchStr));
            if (visit !== null) prefetch?.(visit);
          },
          () => undefined,
        );
      },
      preloadStaleTime: 0,
    }),
);

/** @param client holds what pages have read, and what links to them read ahead */
export const createConsoleRouter = (client: QueryClient) =>
  createRouter({
    routeTree: rootRoute.addChildren([homeRoute, oidcRoute, ...pageRoutes]),
    parseSearch,
    stringifySearch,
    context: { client },
    defaultPreload: 'intent',
    defaultErrorComponent: PageError,
    defaultPendingComponent: PageSkeleton,
    defaultPendingMs: 300,
  });
