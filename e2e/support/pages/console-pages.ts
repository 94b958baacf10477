/** Every page of the console with demo data: its address, and an element that shows that it has loaded. */
import type { Page } from '@playwright/test';

export type DemoPage = {
  name: string;
  /** Below the console's origin; `company` is added to the query. */
  path: string;
  shows: string;
  act?: (page: Page) => Promise<unknown>;
};

const openFirst = (page: Page) => page.locator('.row-open').first().click();

/** Where the tickets of the first event come from. */
async function openTickets(page: Page): Promise<void> {
  await openFirst(page);
  await page.locator('a[href*="/tickets"]').click();
}

/** The list of backups is further down the page. */
async function makeBackup(page: Page): Promise<void> {
  await page.locator('.panel button').first().click();
  await page.locator('.panel textarea').scrollIntoViewIfNeeded();
}

export const DEMO_PAGES: readonly DemoPage[] = [
  { name: 'door', path: '/door', shows: 'main h1' },
  { name: 'events', path: '/events', shows: '.table tbody tr' },
  { name: 'event', path: '/events', shows: '.facts', act: openFirst },
  { name: 'event-tickets', path: '/events', shows: 'main .state, main .panel', act: openTickets },
  { name: 'reviews', path: '/reviews', shows: '.table tbody tr' },
  { name: 'review', path: '/reviews', shows: '.decision', act: openFirst },
  { name: 'sessions', path: '/sessions', shows: '.table tbody tr' },
  { name: 'session', path: '/sessions', shows: '[role=dialog] .facts', act: openFirst },
  { name: 'people', path: '/people', shows: '.table tbody tr' },
  { name: 'person', path: '/people', shows: '[role=dialog] .facts', act: openFirst },
  { name: 'people-nobody', path: '/people?q=nobody', shows: '.state' },
  { name: 'erasures', path: '/people/erasures', shows: '.table tbody tr, .state' },
  { name: 'keys', path: '/keys', shows: '.table tbody tr' },
  { name: 'webhooks', path: '/webhooks', shows: '.table tbody tr' },
  { name: 'webhooks-code', path: '/webhooks?view=code', shows: '.code' },
  { name: 'usage', path: '/usage', shows: 'main .stat' },
  { name: 'verifications', path: '/verifications', shows: '.table tbody tr' },
  { name: 'settings-retention', path: '/settings', shows: '.panel form' },
  { name: 'settings-privacy', path: '/settings?section=privacy', shows: '.settings__papers' },
  { name: 'paper-record', path: '/settings/papers/record', shows: '.paper__rows' },
  { name: 'paper-assessment', path: '/settings/papers/assessment', shows: '.paper__rows' },
  { name: 'settings-matching', path: '/settings?section=matching', shows: '.settings__stats' },
  { name: 'settings-maintenance', path: '/settings?section=maintenance', shows: '.panel form' },
  { name: 'settings-backups', path: '/settings?section=backups', shows: '.settings__files', act: makeBackup },
  { name: 'settings-updates', path: '/settings?section=updates', shows: '.panel .facts' },
  { name: 'settings-network', path: '/settings?section=network', shows: '.panel form' },
  { name: 'settings-sms', path: '/settings?section=sms', shows: '.panel form' },
  { name: 'settings-oidc', path: '/settings?section=oidc', shows: '.panel form' },
  { name: 'settings-languages', path: '/settings?section=languages', shows: '.panel form' },
  { name: 'settings-system', path: '/settings?section=system', shows: '.conditions' },
  { name: 'settings-appearance', path: '/settings?section=appearance', shows: '.panel select' },
  { name: 'operators', path: '/operators', shows: '.table tbody tr' },
  { name: 'audit', path: '/audit', shows: '.table tbody tr' },
  { name: 'account', path: '/account', shows: '.session-list__row' },
];

/** The page's address in the demo's company. */
export const addressIn = (consoleUrl: string, { path }: DemoPage, companyId: string): string =>
  `${consoleUrl}${path}${path.includes('?') ? '&' : '?'}company=${companyId}`;
