/** Verifications at the real service: their options as questions and as JSON, what is refused, and which one is the default. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ConsoleVerification } from '../../../../server/contract/console/verifications.ts';
import { limitMs } from '../../../../testing/tier.ts';
import { openService } from '../at-service.fixture.ts';
import { openConsole } from '../console.fixture.tsx';

/** Several dialogs at a real service, one after the other. */
const LONG = { timeout: limitMs(30_000) };
const MARKUP = '<img src=x onerror="document.title=1">';
const HOSTED_LINK = /\/v\/[0-9a-f-]{36}$/;

async function openVerifications() {
  const service = await openService();
  const admin = await service.as('admin');
  const { user } = await openConsole('/verifications', admin);
  const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));
  return {
    ...{ user, admin, dialog },
    /** The form for a new one. */
    add: async () => {
      await user.click(await screen.findByRole('button', { name: 'Add verification' }));
      return dialog('New verification');
    },
    openRow: async (name: string) => {
      await user.click(await screen.findByRole('button', { name }));
      return dialog(name);
    },
    /** Those of the company, oldest first. */
    saved: async () => (await admin.ok<{ items: ConsoleVerification[] }>('/verifications')).items,
  };
}

test(
  'answers become options of the API, questions without one stay at their defaults, and the link is shown',
  LONG,
  async () => {
    const { user, add, dialog, saved } = await openVerifications();
    const form = await add();
    expect(form.queryByLabelText('Number of entries')).toBeNull();
    await user.type(form.getByLabelText('Your ID'), MARKUP);
    await user.type(form.getByLabelText('Origin'), 'tickets.example.org');
    await user.selectOptions(form.getByLabelText('How often may one person enter?'), 'month');
    await user.type(form.getByLabelText('Number of entries'), '2');
    await user.click(form.getByRole('button', { name: 'Add' }));
    const detail = await dialog(MARKUP);
    await detail.findByRole('img', { name: 'QR code of the hosted link' });
    detail.getByText(HOSTED_LINK);
    detail.getByText('https://tickets.example.org');
    detail.getByText('2 · Per month');
    await detail.findByText('Not known yet: 0 of 20 captures');
    expect(document.querySelector('img[src=x]')).toBeNull();
    expect((await saved()).at(-1)).toMatchObject({
      external_id: MARKUP,
      config: { limit: { kind: 'month', max: 2 } },
    });
  },
);

test('the number of entries leaves with its limit', LONG, async () => {
  const { user, add } = await openVerifications();
  const form = await add();
  const limit = form.getByLabelText('How often may one person enter?');
  await user.selectOptions(limit, 'day');
  await user.type(form.getByLabelText('Number of entries'), '3');
  await user.selectOptions(limit, 'none');
  expect(form.queryByLabelText('Number of entries')).toBeNull();
  await user.click(form.getByRole('radio', { name: 'API (JSON)' }));
  const json = form.getByLabelText<HTMLTextAreaElement>('Options as JSON');
  expect(JSON.parse(json.value)).toEqual({ limit: { kind: 'none' } });
});

test(
  'text that is no JSON object is neither saved nor lost; options that the API does not know are refused',
  LONG,
  async () => {
    const { user, add, dialog, saved } = await openVerifications();
    const form = await add();
    await user.type(form.getByLabelText('Your ID'), 'north');
    await user.click(form.getByRole('radio', { name: 'API (JSON)' }));
    const json = form.getByLabelText<HTMLTextAreaElement>('Options as JSON');
    const write = async (text: string) => {
      await user.clear(json);
      await user.paste(text);
    };
    const save = form.getByRole<HTMLButtonElement>('button', { name: 'Add' });
    await write('{"limit": ');
    form.getByText('Enter a valid JSON object.');
    expect(save.disabled).toBe(true);
    await user.click(form.getByRole('radio', { name: 'Questions' }));
    expect(form.getByLabelText<HTMLTextAreaElement>('Options as JSON').value).toBe('{"limit": ');
    await write('{"limit": {"kind": "month", "max": 2}, "colour": "red"}');
    await user.click(save);
    expect((await form.findByRole('alert')).textContent).toContain('These options don’t exist: colour');
    expect((await saved()).some(({ external_id }) => external_id === 'north')).toBe(false);
    await write('{"limit": {"kind": "month", "max": 2}}');
    await user.click(save);
    (await dialog('north')).getByText('2 · Per month');
  },
);

test(
  'a change that the server refuses stays in the form, and Save keeps what was not changed',
  LONG,
  async () => {
    const { user, admin, openRow, dialog, saved } = await openVerifications();
    const config = { collision: { action: 'flag' } };
    await admin.ok('/verifications', { body: { external_id: 'north', config } });
    await admin.ok('/verifications', { body: { external_id: 'south' } });
    const form = await openRow('north');
    await user.click(form.getByRole('button', { name: 'Change' }));
    const id = form.getByLabelText<HTMLInputElement>('Your ID');
    await user.clear(id);
    await user.type(id, 'south');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect((await form.findByRole('alert')).textContent).toContain('Another verification of this company');
    expect(id.value).toBe('south');
    await user.clear(id);
    await user.type(id, 'north gate');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await (await dialog('north gate')).findByRole('button', { name: 'Change' });
    expect((await saved()).map(({ external_id }) => external_id)).toEqual([null, 'north gate', 'south']);
    expect((await saved())[1]).toMatchObject({ config });
  },
);

test('another verification becomes the only default, with a reason', LONG, async () => {
  const { user, admin, openRow, dialog, saved } = await openVerifications();
  await admin.ok('/verifications', { body: { external_id: 'north' } });
  const detail = await openRow('north');
  await user.click(detail.getByRole('button', { name: 'Make default' }));
  const asked = await dialog('Make north the default');
  const act = asked.getByRole<HTMLButtonElement>('button', { name: 'Make default' });
  expect(act.disabled).toBe(true);
  await user.type(asked.getByLabelText(/^Reason/), 'the new season');
  await user.click(act);
  await waitFor(() => expect(detail.queryByRole('button', { name: 'Make default' })).toBeNull());
  expect(detail.getAllByText('Default')).not.toHaveLength(0);
  await user.keyboard('{Escape}');
  const row = within(screen.getByRole('button', { name: 'north' }).closest('tr')!);
  await waitFor(() => row.getByText('Default'));
  expect((await saved()).map(({ is_default }) => is_default)).toEqual([false, true]);
});
