/** The screenshots of the console. Add a page here: its address, and an element that shows that it has loaded. */
import type { Page } from '@playwright/test';

export type ConsoleShot = {
  name: string;
  /** Address without the console's origin. */
  path: string;
  shows: string;
  /** Before signing in. */
  signedOut?: true;
  /** Clicked one after the other. */
  click?: readonly string[];
  /** A key. */
  press?: string;
  /** What clicks and a key alone can't do. */
  act?: (page: Page) => Promise<unknown>;
};

/** The first case of the queue, claimed. */
async function openCase(page: Page): Promise<void> {
  await page.click('.row-open');
  await page.waitForSelector('.case');
  await page.keyboard.press('c');
  await page.waitForSelector('.decide, .decision__said');
}

/** The event with guests; two are running. */
async function showFirstEvent(page: Page): Promise<void> {
  await page.selectOption('.door__actions select', { index: 1 });
}

/** What is clicked on a page with a list: its first row, or the button for a new one. */
const [OPEN, ADD] = [['.row-open'], ['.page-header__action button']];

export const CONSOLE_SHOTS: readonly ConsoleShot[] = [
  { name: 'sign-in', path: '/', shows: 'input[type=password]', signedOut: true },
  {
    name: 'sign-in-refused',
    path: '/',
    shows: '[role=alert]',
    signedOut: true,
    act: async (page) => {
      await page.fill('input[autocomplete=username]', 'Nobody');
      await page.fill('input[type=password]', 'not this one');
      await page.click('button[type=submit]');
    },
  },
  { name: 'door', path: '/door?partition=test', shows: '.latest', act: showFirstEvent },
  { name: 'door-empty', path: '/door', shows: '.state' },
  {
    name: 'door-pair',
    path: '/door?partition=test',
    shows: '[role=dialog] .join',
    act: async (page) => {
      await page.click('.panel__head button');
      await page.fill('[role=dialog] input', 'Main entrance');
      await page.click('[role=dialog] button[type=submit]');
    },
  },
  { name: 'events', path: '/events?partition=test', shows: '.table tbody tr' },
  { name: 'event', path: '/events?partition=test', shows: '.facts', click: ['.row-open >> nth=1'] },
  { name: 'event-form', path: '/events?partition=test', shows: '.event-words', click: ADD },
  {
    name: 'event-report',
    path: '/events?partition=test',
    shows: '.report-table',
    click: ['.row-open >> nth=1', '[role=dialog] a[href*="/report"]'],
  },
  { name: 'operators', path: '/operators', shows: '.table tbody tr' },
  { name: 'operators-test', path: '/operators?partition=test', shows: '.banner' },
  {
    name: 'operator',
    path: '/operators',
    shows: '.facts',
    click: ['.table tbody tr:nth-child(2) .row-open'],
  },
  { name: 'operator-add', path: '/operators', shows: '[role=dialog]', click: ADD },
  { name: 'reviews', path: '/reviews', shows: '.table tbody tr' },
  { name: 'reviews-nothing', path: '/reviews?state=mine&reason=linked_denial', shows: '.state' },
  { name: 'review', path: '/reviews', shows: '.decide, .decision__said', act: openCase },
  {
    name: 'review-test',
    path: '/reviews?partition=test',
    shows: '.undo__note',
    act: async (page) => {
      await openCase(page);
      await page.keyboard.press('1');
      await page.fill('.decide__text input', 'Same face');
      await page.keyboard.press('Enter');
    },
  },
  { name: 'sessions', path: '/sessions?partition=test', shows: '.table tbody tr' },
  { name: 'session', path: '/sessions?partition=test&q=guest-4', shows: '.timeline li', click: OPEN },
  { name: 'session-open', path: '/sessions?partition=test&q=guest-5', shows: '.timeline li', click: OPEN },
  {
    name: 'session-override',
    path: '/sessions?partition=test&q=guest-3',
    shows: '[role=dialog] textarea',
    click: ['.row-open', '.mantine-Drawer-content .row button:last-child'],
  },
  { name: 'people', path: '/people?partition=test', shows: '.table tbody tr' },
  { name: 'people-nobody', path: '/people?partition=test&q=nobody', shows: '.state' },
  { name: 'person', path: '/people?partition=test&q=ana', shows: '.timeline li', click: OPEN },
  { name: 'person', path: '/people?partition=test&q=maximiliane', shows: '.timeline li', click: OPEN },
  {
    name: 'person-erase',
    path: '/people?partition=test&q=ana',
    shows: '[role=dialog] textarea',
    click: ['.row-open', '.mantine-Drawer-content .row button'],
  },
  { name: 'erasures', path: '/people/erasures?partition=test', shows: '.state, .table tbody tr' },
  { name: 'keys', path: '/keys', shows: '.table tbody tr' },
  { name: 'key', path: '/keys', shows: '.facts', click: OPEN },
  { name: 'key-issue', path: '/keys', shows: '[role=dialog] textarea', click: ADD },
  { name: 'webhooks', path: '/webhooks', shows: '.table tbody tr' },
  { name: 'webhook-destination', path: '/webhooks', shows: '[role=dialog] input', click: OPEN },
  { name: 'webhook-calls', path: '/webhooks?view=calls', shows: '.table tbody tr, .state' },
  { name: 'webhook-code', path: '/webhooks?view=code', shows: '.code' },
  { name: 'usage', path: '/usage', shows: '.usage-stats' },
  { name: 'usage-test', path: '/usage?partition=test', shows: '.usage-stats' },
  { name: 'verifications', path: '/verifications', shows: '.table tbody tr' },
  { name: 'verification', path: '/verifications', shows: '.qr path', click: OPEN },
  { name: 'verification-new', path: '/verifications', shows: '[role=dialog] form', click: ADD },
  { name: 'audit', path: '/audit', shows: '.table tbody tr' },
  { name: 'audit-entry', path: '/audit', shows: '.facts', click: OPEN },
  { name: 'audit-nothing', path: '/audit?action=nothing', shows: '.state' },
  { name: 'settings', path: '/settings', shows: '.panel form' },
  { name: 'settings-languages', path: '/settings?section=languages', shows: '.settings__languages' },
  {
    name: 'settings-languages-default-missing',
    path: '/settings?section=languages',
    shows: '.settings__languages',
    act: (page) => page.uncheck('.settings__languages input[value=en]'),
  },
  { name: 'account', path: '/account', shows: '.session-list__row' },
  { name: 'palette', path: '/audit', shows: '[role=dialog] input', press: 'Control+k' },
  { name: 'keys-help', path: '/audit', shows: '[role=dialog]', press: '?' },
  { name: 'missing', path: '/nowhere', shows: '.state' },
];
