/** Routes generated from the list of pages. The gate comes first: nobody sees a page without signing in. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from '../shared/search.ts';
import { Gate } from './Gate.tsx';
import { Home } from './Home.tsx';
import { PageError, PageMissing } from './PageMissing.tsx';
import { PAGES } from './pages.ts';

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
