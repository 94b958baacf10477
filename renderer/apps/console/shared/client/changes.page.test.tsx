/** A page shows the reply to its own change, of which the stream of changes therefore says nothing to it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { UserEvent } from '@testing-library/user-event';
import { openService } from '../../at-service.fixture.ts';
import { openConsole } from '../../console.fixture.tsx';

type Operator = Awaited<ReturnType<Awaited<ReturnType<typeof openService>>['as']>>;
type Page = { user: UserEvent; operator: Operator };

/** Longer than the service and the page gather changes. */
const TOLD_MS = 600;

const press = async ({ user }: Page, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }));
const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));
const replace = async ({ user }: Page, field: HTMLElement, text: string) => {
  await user.clear(field);
  await user.type(field, text);
};

/** Each change, its page, the reads that the page must not repeat, and what it shows afterwards. */
const CHANGES: readonly [kind: string, path: string, reads: RegExp, act: (page: Page) => Promise<void>][] = [
  [
    'keys',
    '/keys',
    /\/keys/,
    async (page) => {
      await screen.findByText('2 rows');
      await press(page, 'Issue keys');
      const issuing = await dialog('Issue new keys');
      await page.user.type(issuing.getByLabelText(/^Reason/), 'a second shop');
      await page.user.click(issuing.getByRole('button', { name: 'Issue keys' }));
      const shown = await dialog('Your new keys');
      await page.user.click(shown.getByLabelText('I have stored them safely'));
      await page.user.click(shown.getByRole('button', { name: 'Done' }));
      await screen.findByText('3 rows');
    },
  ],
  [
    'the cap',
    '/usage',
    /\/usage/,
    async (page) => {
      await press(page, 'Change cap');
      const changing = await dialog('Change cap');
      await replace(page, await changing.findByLabelText('Checks per day'), '65999');
      await page.user.type(changing.getByLabelText(/^Reason/), 'one less');
      await page.user.click(changing.getByRole('button', { name: 'Change cap' }));
      await screen.findByText('of 65,999 per day');
      await screen.findByText('one less');
    },
  ],
  [
    'the PIN',
    '/account',
    /\/me$/,
    async (page) => {
      const pin = within(await screen.findByRole('region', { name: /PIN/ }));
      await page.user.type(pin.getByLabelText('PIN'), '482915');
      await page.user.type(pin.getByLabelText('Current passphrase'), page.operator.passphrase);
      await press(page, 'Set PIN');
      await screen.findByRole('button', { name: 'Remove PIN' });
    },
  ],
  [
    'own sessions',
    '/account',
    /\/me\/sessions/,
    async (page) => {
      const end = await screen.findByRole('button', { name: /^End the session on/ });
      await page.user.click(end);
      await waitFor(() => expect(screen.queryByRole('button', { name: /^End the session on/ })).toBeNull());
    },
  ],
  [
    'a kiosk',
    '/door',
    /\/door$/,
    async (page) => {
      await press(page, 'Actions for West door');
      await page.user.click(await screen.findByRole('menuitem', { name: 'Rename or change event' }));
      const changing = await dialog('Change West door');
      await changing.findByText('Not known yet: 0 of 20 captures');
      await replace(page, changing.getByLabelText('Name of the kiosk'), 'East door');
      await page.user.click(changing.getByRole('button', { name: 'Save' }));
      await screen.findByRole('button', { name: 'Actions for East door' });
    },
  ],
  [
    'a new operator',
    '/operators',
    /\/operators/,
    async (page) => {
      await press(page, 'Add operator');
      const adding = await dialog('Add operator');
      await page.user.type(adding.getByLabelText('Name'), 'Zoe');
      await page.user.click(adding.getByRole('button', { name: 'Add operator' }));
      await screen.findByText('Zoe');
    },
  ],
];

test.each(CHANGES)(
  'a page shows the reply to a change without reading again: %s',
  async (kind, path, reads, act) => {
    const service = await openService();
    const operator = await service.as('admin');
    if (kind === 'a kiosk') await operator.ok('/kiosks', { body: { name: 'West door' } });
    if (kind === 'own sessions') await operator.signInElsewhere();
    const { user, calls } = await openConsole(path, operator);
    await act({ user, operator });
    await sleep(TOLD_MS);
    const made = calls.findIndex(({ name }) => !/^(GET|HEAD) /.test(name));
    expect(made).toBeGreaterThan(0);
    const readAgain = calls.slice(made).filter(({ name }) => name.startsWith('GET') && reads.test(name));
    expect(readAgain).toEqual([]);
  },
);
