import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { Shell } from './shell/shell';
import { NotFound, ScreenFault } from './shell/not-found';
import { loadCode } from './ui/load-code';
import { Placeholder } from './ui/loaded';

type SearchParams = Record<string, unknown>;

/** Passes all search parameters on; each screen reads those that it knows. */
const anySearch = (search: SearchParams): SearchParams => search;

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/** A screen at an address. Opening it loads its code. */
const screen = (path: string, load: () => Promise<{ default: React.ComponentType }>) =>
  createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: anySearch,
    component: lazyRouteComponent(() => loadCode(load)),
  });

/** The start page. */
const START: string = '/items';

const routes = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: () => redirect({ to: START, throw: true }),
  }),
  screen('/items', () => import('./routes/items/index')),
  screen('/items/$reference', () => import('./routes/items/item')),
  screen('/history/$kind/$reference', () => import('./routes/history/index')),
  screen('/activities', () => import('./routes/activities/index')),
  screen('/activities/$reference', () => import('./routes/activities/activity')),
  screen('/pools', () => import('./routes/pools/index')),
  screen('/pools/$reference', () => import('./routes/pools/pool')),
  screen('/tags', () => import('./routes/tags/index')),
  screen('/workflows', () => import('./routes/workflows/index')),
  screen('/workflows/$reference', () => import('./routes/workflows/workflow')),
  screen('/imports', () => import('./routes/imports/index')),
  screen('/sessions', () => import('./routes/sessions/index')),
  screen('/sessions/$session', () => import('./routes/sessions/session')),
  screen('/marking', () => import('./routes/marking/index')),
  screen('/marking/$round', () => import('./routes/marking/rounds/round')),
  screen('/rescoring', () => import('./routes/rescoring/index')),
  screen('/reports', () => import('./routes/reports/index')),
  screen('/jobs', () => import('./routes/jobs/index')),
  screen('/audit', () => import('./routes/audit/index')),
  screen('/people', () => import('./routes/people/index')),
  screen('/consumers', () => import('./routes/consumers/index')),
  screen('/organisations', () => import('./routes/organisations/index')),
  screen('/verification', () => import('./routes/verification/index')),
  screen('/events', () => import('./routes/events/index')),
  screen('/health', () => import('./routes/health/index')),
  screen('/learners', () => import('./routes/learners/index')),
  screen('/account', () => import('./routes/account/index')),
];

export const createConsoleRouter = () =>
  createRouter({
    routeTree: root.addChildren(routes),
    basepath: '/console',
    defaultErrorComponent: ScreenFault,
    // While the code of a screen is loading, the page shows more than nothing, and that a link has an effect.
    defaultPendingComponent: Placeholder,
    defaultPendingMs: 300,
    defaultPreload: 'intent',
    scrollRestoration: true,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
