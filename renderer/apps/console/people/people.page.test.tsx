/** People at the real service: found, erased with a record, blocked, told apart, and the test data cleared. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Role } from '../../../../server/contract/console/common.ts';
import type { ErasureProof, PeoplePage } from '../../../../server/contract/console/people.ts';
import type { SessionPage } from '../../../../server/contract/console/sessions.ts';
import { run } from '../../../../testing/service/runs.ts';
import { limitMs } from '../../../../testing/tier.ts';
import { openService } from '../at-service.fixture.ts';
import { openConsole } from '../console.fixture.tsx';

/** Several dialogs at a real service, one after the other. */
const LONG = { timeout: limitMs(30_000) };
const REASON = 'Asked for at the door';
const ANA = {
  external_id: 'guest-1',
  email: 'ana@example.com',
  metadata: { full_name: 'Ana Ruiz', seat: 'A7' },
};

async function openPeople() {
  const service = await openService();
  await run(service, 'ana', ANA);
  await run(service, 'max', { external_id: 'guest-2', metadata: { name: 'Max Berg', seat: 'B12' } });
  return {
    ...service,
    visit: async (role: Role, address = '/people?partition=test') => {
      const operator = await service.as(role);
      const { user } = await openConsole(address, operator);
      const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));
      const openRow = async (name: string) => {
        await user.click(await screen.findByRole('button', { name }));
        return dialog(name);
      };
      /** The dialog's button opens once everything is filled in; it asks for a reason last. */
      const confirm = async (title: string | RegExp, button: string) => {
        const asked = await dialog(title);
        const act = asked.getByRole<HTMLButtonElement>('button', { name: button });
        expect(act.disabled).toBe(true);
        await user.type(asked.getByLabelText(/^Reason/), REASON);
        await user.click(act);
        await waitFor(() => expect(screen.queryByLabelText(/^Reason/)).toBeNull());
      };
      const people = async (q = '') =>
        (await operator.ok<PeoplePage>(`/people?partition=test&q=${q}`)).items.map(({ name }) => name);
      return { user, operator, dialog, openRow, confirm, people };
    },
  };
}

test('a person is found by any metadata, and a space between two words is kept', LONG, async () => {
  const { visit } = await openPeople();
  const { user } = await visit('admin');
  await screen.findByText('2 rows');
  await user.selectOptions(screen.getByLabelText('Metadata'), 'seat');
  await user.type(screen.getByLabelText('is'), 'a7');
  await screen.findByText('1 row');
  const find = screen.getByLabelText<HTMLInputElement>('Find');
  await user.type(find, 'ruiz ');
  await waitFor(() => expect(window.location.search).toMatch(/q=ruiz(&|$)/));
  expect(find.value).toBe('ruiz ');
  await user.type(find, 'an');
  await waitFor(() => expect(window.location.search).toMatch(/q=ruiz\+an(&|$)/));
});

test(
  'erasing asks for the short ID, leaves a record, and makes the same face a new person',
  LONG,
  async () => {
    const service = await openPeople();
    const { user, operator, openRow, dialog, people } = await service.visit('admin');
    const drawer = await openRow('Ana Ruiz');
    const file = (await drawer.findByRole('link', { name: 'Export' })).getAttribute('href') ?? '';
    expect(file).toMatch(/\/people\/[^/]+\/export\?/);
    await user.click(drawer.getByRole('button', { name: 'Erase…' }));
    const asked = await dialog(/^Erase Ana Ruiz/);
    const erase = asked.getByRole<HTMLButtonElement>('button', { name: 'Erase' });
    await user.type(asked.getByLabelText(/^Reason/), REASON);
    expect(erase.disabled).toBe(true);
    const shortId = /“(\w+)”/.exec(asked.getByText(/^Type “/).textContent)?.[1] ?? '';
    await user.type(asked.getByLabelText(/^Type “/), shortId);
    await user.click(erase);
    await screen.findByText(/No data identifies this person any more/);
    await screen.findByText('1 row');
    expect(document.body.textContent).not.toContain('ana@example.com');
    const { items } = await operator.ok<{ items: ErasureProof[] }>('/erasures?partition=test');
    expect(items).toMatchObject([{ short_id: shortId, remaining: 0, reason: REASON }]);
    expect((await operator.call('GET', `/people/${items[0]!.person_id}?partition=test`)).status).toBe(404);
    expect(await people('ana')).toEqual([]);

    await run(service, 'ana', { ...ANA, metadata: { name: 'Ana again' } });
    expect(await people('ana')).toEqual(['Ana again']);
  },
);

test('an admin blocks a person, who is denied, and ends it', LONG, async () => {
  const service = await openPeople();
  const { user, operator, openRow, dialog, confirm } = await service.visit('admin');
  const drawer = await openRow('Ana Ruiz');
  await user.click(await drawer.findByRole('button', { name: 'Block this person' }));
  const asked = await dialog('Block this person');
  await user.selectOptions(asked.getByLabelText('At the next check'), 'Refuse');
  await user.type(asked.getByLabelText('Whom the guest can ask'), 'the duty manager');
  await confirm('Block this person', 'Block this person');
  await drawer.findByText('Ask: the duty manager');
  // Of checks of the same moment, either may be listed first.
  service.clock.advance(1_000);
  await run(service, 'ana', ANA);
  const { items } = await operator.ok<SessionPage>('/sessions?partition=test&q=guest-1&limit=1');
  expect(items).toMatchObject([{ status: 'denied' }]);
  await user.click(drawer.getByRole('button', { name: 'End the block' }));
  await confirm('End the block', 'End the block');
  await drawer.findByText('Not blocked.');
});

test('a reviewer tells two people apart, and may not block', LONG, async () => {
  const service = await openPeople();
  const { user, openRow, dialog, confirm } = await service.visit('reviewer');
  const drawer = await openRow('Ana Ruiz');
  await user.click(await drawer.findByRole('button', { name: 'Tell apart from somebody' }));
  await user.type((await dialog('Tell apart from somebody')).getByLabelText(/ID, account/), 'guest-2');
  await confirm('Tell apart from somebody', 'Tell apart from somebody');
  await drawer.findByText(/^Max Berg/);
  expect(drawer.queryByRole('button', { name: 'Block this person' })).toBeNull();
  await user.keyboard('{Escape}');
  await (await openRow('Max Berg')).findByText(/^Ana Ruiz/);
});

test('an admin clears the test data after typing the company’s name, and nothing else', LONG, async () => {
  const service = await openPeople();
  const { user, operator, dialog, people } = await service.visit('admin', '/settings?partition=test');
  await user.click(await screen.findByRole('button', { name: 'Clear test data' }));
  const title = 'Clear the test data of Venue';
  const asked = await dialog(title);
  await user.type(asked.getByLabelText(/^Reason/), REASON);
  const clear = asked.getByRole<HTMLButtonElement>('button', { name: 'Clear test data' });
  expect(clear.disabled).toBe(true);
  await user.type(asked.getByLabelText(/^Type “/), 'Venue');
  await user.click(clear);
  await screen.findByText('Test data cleared.');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull());
  expect(await people()).toEqual([]);
  expect((await operator.ok<SessionPage>('/sessions?partition=test')).items).toEqual([]);
  expect((await operator.ok<{ items: object[] }>('/keys')).items).not.toEqual([]);
});
