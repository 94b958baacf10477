/** Makes a route of each page in the list. All are behind the gate, which shows pages only to operators who are signed in. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
} from '@tanstack/react-router';
import { useEffect } from 'react';
import { reportPageError } from '../../../ui/page-errors.ts';
import { useFindKeys } from '../shared/hotkeys.tsx';
import { parseSearch, stringifySearch, useSearch } from '../shared/search.ts';
import { scopeSearch } from '../shared/session.ts';
import { EmptyState, ErrorState } from '../shared/states.tsx';
import { useCommonWords } from '../shared/words.tsx';
import { Gate } from './Gate.tsx';
import { PAGES } from './pages.ts';
import { useVisiblePages } from './use-visible-pages.ts';

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

function PageError({ error, reset }: { error: unknown; reset: () => void }) {
  useEffect(() => reportPageError('render', error), [error]);
  return <ErrorState error={error} retry={reset} />;
}

const rootRoute = createRootRoute({ component: Gate, notFoundComponent: PageMissing });

const homeRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', component: Home });

const pageRoutes = PAGES.flatMap(({ path, load, below = [] }) => [{ path, load }, ...below]).map(
  ({ path, load }) =>
    createRoute({ getParentRoute: () => rootRoute, path, component: lazyRouteComponent(load, 'Page') }),
);

export const router = createRouter({
  routeTree: rootRoute.addChildren([homeRoute, ...pageRoutes]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: PageError,
  defaultPendingMs: 300,
});
