/**
 * The console's pages. A page is one folder and one entry here; its code and words are loaded when it is opened. The
 * order is that of the navigation.
 */
import type { ComponentType } from 'react';
import { type Role, isAtLeast } from '../../../../server/contract/console/common.ts';
import type { ConsoleMessages } from '../../../../locales/types/console.ts';
import type { IconName } from '../shared/icons.tsx';
import type { Visit } from '../shared/client/prefetch.ts';
import { useMe } from '../shared/client/session.ts';

type PageId = keyof ConsoleMessages['pages'];

type PageModule = {
  Page: ComponentType;
  /** Requests what the page reads first. */
  prefetch?: (visit: Visit) => void;
};

export type ConsolePage = {
  id: PageId & IconName;
  path: `/${string}`;
  /** Groups of the navigation, separated by lines; null if the page is not in it. */
  group: 'work' | 'build' | 'manage' | null;
  /** Lowest role that sees it; the server checks every call again. */
  role: Role;
  /** Concerns the whole installation: not for operators who are limited to companies. */
  installationWide?: true;
  load: () => Promise<PageModule>;
  /** Pages below it, such as one case of the reviews. `path` may contain `$name`. */
  below?: readonly { path: `/${string}`; load: () => Promise<PageModule> }[];
};

export const PAGES: readonly ConsolePage[] = [
  {
    id: 'door',
    path: '/door',
    group: 'work',
    role: 'staff',
    load: () => import('../door/DoorPage.tsx'),
  },
  {
    id: 'events',
    path: '/events',
    group: 'work',
    role: 'staff',
    load: () => import('../events/EventsPage.tsx'),
    below: [
      { path: '/events/$event_id/report', load: () => import('../events/ReportPage.tsx') },
      { path: '/events/$event_id/tickets', load: () => import('../tickets/SourcesPage.tsx') },
    ],
  },
  {
    id: 'reviews',
    path: '/reviews',
    group: 'work',
    role: 'reviewer',
    load: () => import('../reviews/ReviewsPage.tsx'),
    below: [{ path: '/reviews/$caseId', load: () => import('../reviews/case/CasePage.tsx') }],
  },
  {
    id: 'sessions',
    path: '/sessions',
    group: 'work',
    role: 'staff',
    load: () => import('../sessions/SessionsPage.tsx'),
  },
  {
    id: 'people',
    path: '/people',
    group: 'work',
    role: 'reviewer',
    load: () => import('../people/PeoplePage.tsx'),
    below: [{ path: '/people/erasures', load: () => import('../people/ErasuresPage.tsx') }],
  },
  {
    id: 'keys',
    path: '/keys',
    group: 'build',
    role: 'admin',
    load: () => import('../keys/KeysPage.tsx'),
  },
  {
    id: 'webhooks',
    path: '/webhooks',
    group: 'build',
    role: 'admin',
    load: () => import('../webhooks/WebhooksPage.tsx'),
  },
  {
    id: 'usage',
    path: '/usage',
    group: 'build',
    role: 'admin',
    load: () => import('../usage/UsagePage.tsx'),
  },
  {
    id: 'verifications',
    path: '/verifications',
    group: 'build',
    role: 'admin',
    load: () => import('../verifications/VerificationsPage.tsx'),
  },
  {
    id: 'settings',
    path: '/settings',
    installationWide: true,
    group: 'manage',
    role: 'admin',
    load: () => import('../settings/SettingsPage.tsx'),
    below: [{ path: '/settings/papers/$paper', load: () => import('../papers/PaperPage.tsx') }],
  },
  {
    id: 'operators',
    path: '/operators',
    installationWide: true,
    group: 'manage',
    role: 'admin',
    load: () => import('../operators/OperatorsPage.tsx'),
  },
  {
    id: 'audit',
    path: '/audit',
    group: 'manage',
    role: 'admin',
    load: () => import('../audit/AuditPage.tsx'),
  },
  {
    id: 'account',
    path: '/account',
    group: null,
    role: 'staff',
    load: () => import('../account/AccountPage.tsx'),
  },
];

/** The navigation's pages for the signed-in operator's role and companies, in its order. */
export function useVisiblePages(): readonly ConsolePage[] {
  const { operator, is_limited: isLimited } = useMe();
  return PAGES.filter(
    (page) =>
      page.group !== null &&
      isAtLeast(operator.role, page.role) &&
      !(isLimited && page.installationWide === true),
  );
}
