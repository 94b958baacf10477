/** Keys are issued, shown once, renamed, rolled and revoked, at the real service. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { authenticateV3 } from '../../../../server/services/keys/keys.ts';
import { refusalOf } from '../../../../testing/service/temp-service.ts';
import { limitMs } from '../../../../testing/tier.ts';
import { openService } from '../at-service.fixture.ts';
import { openConsole } from '../console.fixture.tsx';

/** Several dialogs at a real service, one after the other. */
const LONG = { timeout: limitMs(30_000) };
const HOUR_MS = 3_600_000;
const NEARLY_AN_HOUR = /^1 hr|^5\d min/;
const NEW_KEYS = 'Your new keys';

async function openKeys() {
  const service = await openService();
  const { user } = await openConsole('/keys', await service.as('admin'));
  await screen.findByText('2 rows');
  const first = service.company.keys.sk_live;
  const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }));
  return {
    ...{ ...service, user, first, dialog },
    openFirst: () => user.click(screen.getByRole('button', { name: new RegExp(first.slice(-4)) })),
    press: async (name: string | RegExp, button: string) => {
      await user.click((await dialog(name)).getByRole('button', { name: button }));
    },
    /** With a reason, which opens the button. */
    confirm: async (name: RegExp, button: string) => {
      const asked = await dialog(name);
      const act = asked.getByRole<HTMLButtonElement>('button', { name: button });
      expect(act.disabled).toBe(true);
      await user.type(asked.getByLabelText(/^Reason/), 'a leak');
      await user.click(act);
    },
    /** The new secret key. The box that shows it is closed by its own button only, once that is allowed. */
    store: async () => {
      const box = await dialog(NEW_KEYS);
      const { textContent: key } = await box.findByText(/^sk_live_\w{32}$/);
      await user.keyboard('{Escape}');
      const done = box.getByRole<HTMLButtonElement>('button', { name: 'Done' });
      expect(done.disabled).toBe(true);
      await user.click(box.getByLabelText('I have stored them safely'));
      await user.click(done);
      await waitFor(() => expect(screen.queryByRole('dialog', { name: NEW_KEYS })).toBeNull());
      expect(document.body.textContent).not.toContain(key);
      return key;
    },
    works: async (key: string) => {
      const at = { secretOnly: true, nowMs: service.clock.now() };
      return (await refusalOf(authenticateV3(service.deps.db, key, at))) === '(not refused)';
    },
  };
}

test('keys are issued for what they are for, and shown once', LONG, async () => {
  const { user, dialog, store, works, first } = await openKeys();
  await user.click(screen.getByRole('button', { name: 'Issue keys' }));
  const issuing = await dialog('Issue new keys');
  await waitFor(() => expect(document.activeElement).toBe(issuing.getByLabelText('Name')));
  await user.keyboard('Ticket shop');
  await user.type(issuing.getByLabelText(/^Reason/), 'a second shop');
  await user.click(issuing.getByRole('button', { name: 'Issue keys' }));
  const key = await store();
  await screen.findByText('3 rows');
  await screen.findByRole('button', { name: new RegExp(`Ticket shop.*${key.slice(-4)}`) });
  expect([await works(key), await works(first)]).toEqual([true, true]);
});

test('keys are renamed where they are listed and where they are open', LONG, async () => {
  const { user, dialog, press, openFirst } = await openKeys();
  await openFirst();
  await press(/…/, 'Change name');
  await user.type((await dialog('Change name')).getByLabelText('Name'), 'Box office');
  await press('Change name', 'Change name');
  await dialog('Box office');
  await screen.findByRole('button', { name: /Box office/ });
});

test(
  'rolled keys work until their end, which is counted down, and say who replaced them and why',
  LONG,
  async () => {
    const { user, clock, dialog, press, confirm, store, works, first, openFirst } = await openKeys();
    await openFirst();
    await press(/…/, 'Roll');
    await user.click((await dialog(/^Roll/)).getByLabelText('In 1 hour'));
    await confirm(/^Roll/, 'Roll');
    expect((await (await dialog(NEW_KEYS)).findByRole('timer')).textContent).toMatch(NEARLY_AN_HOUR);
    const second = await store();
    const opened = await dialog(/…/);
    await opened.findByText('Replaced by');
    expect(opened.getAllByText('a leak')).toHaveLength(2);
    expect(opened.getByRole('timer').textContent).toMatch(NEARLY_AN_HOUR);
    expect([await works(first), await works(second)]).toEqual([true, true]);
    clock.advance(HOUR_MS);
    expect([await works(first), await works(second)]).toEqual([false, true]);
  },
);

test('revoked keys work no more, and are listed apart from those that work', LONG, async () => {
  const { user, dialog, press, confirm, works, first, openFirst } = await openKeys();
  await openFirst();
  await press(/…/, 'Revoke both');
  await confirm(/^Revoke/, 'Revoke');
  await waitFor(async () => expect((await dialog(/…/)).getAllByText('Revoked')).not.toHaveLength(0));
  expect(await works(first)).toBe(false);
  await screen.findByText('1 row');
  await user.keyboard('{Escape}');
  await user.selectOptions(screen.getByLabelText('Show'), 'Expired and revoked');
  await screen.findByRole('button', { name: new RegExp(first.slice(-4)) });
});
