/** Updates from a file: what an admin is told, asked and sends. */
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { messagesOf } from '../../../../locales/node.ts';
import { UPDATE_PROBLEMS } from '../../../../server/contract/console/errors.ts';
import type { UpdateState } from '../../../../server/contract/console/updates.ts';
import { updates } from '../../../../server/contract/routes/console/settings.ts';
import { on, openConsole, Refused } from '../console.fixture.tsx';

const PAGE = '/settings?section=updates';
const FILE = '/media/usb/gatehouse-0.2.0.update';
const idle: UpdateState = {
  version: '0.1.0',
  updates_itself: true,
  by_package: false,
  restarts_itself: true,
  engine: 'sqlite',
  newest_accepted: null,
  working: null,
  problem: null,
  checked: null,
  last: null,
};
const checked: UpdateState['checked'] = {
  file: FILE,
  version: '0.2.0',
  channel: 'stable',
  created_at: '2030-05-15T18:00:00Z',
  bytes: 310_000_000,
  signed_by: '0123456789abcdef',
  changes_database: true,
};
const waiting: UpdateState['last'] = {
  state: 'waiting',
  version: '0.2.0',
  at: '2030-05-15T18:00:00Z',
  why: null,
  data_restored: false,
  said: '',
};
/** The service’s state, which operations change. */
const serving = (first: Partial<UpdateState>) => {
  const it = { state: { ...idle, ...first } };
  return { it, read: on(updates.read, () => it.state) };
};

test('a package is not updated here', async () => {
  await openConsole(PAGE, [serving({ updates_itself: false }).read]);
  await screen.findByText(/isn’t updated from this page/);
  expect(screen.queryByRole('button', { name: 'Check the file' })).toBeNull();
});

test('the app’s Debian package is installed by the system, and the app restarted by hand', async () => {
  const { it, read } = serving({ updates_itself: false, by_package: true, restarts_itself: true, checked });
  const { user } = await openConsole(PAGE, [
    read,
    on(updates.install, () => {
      it.state = { ...it.state, checked: null, last: waiting };
      return it.state;
    }),
  ]);
  await user.click(await screen.findByRole('button', { name: 'Install' }));
  const dialog = within(await screen.findByRole('dialog'));
  dialog.getByText(/asks for an administrator’s password, then installs the package/);
  await user.type(dialog.getByLabelText('Your passphrase'), 'lemon orbit quartz harbour');
  await user.click(dialog.getByRole('button', { name: 'Install' }));
  await screen.findByText(/Version 0.2.0 is installed. Quit Gatehouse/);
  expect(screen.queryByRole('button', { name: 'Remove the update' })).toBeNull();
});

test('a file is checked, then installed with the passphrase, and the page shows what became of it', async () => {
  const { it, read } = serving({});
  const sent: unknown[] = [];
  const { user } = await openConsole(PAGE, [
    read,
    on(updates.check, ({ file }) => {
      sent.push(file);
      it.state = { ...idle, working: { file, step: 'checking', percent: 40, guests: 0 } };
      return it.state;
    }),
    on(updates.install, (body) => {
      sent.push(body);
      if (body.passphrase !== 'right words') throw new Refused('wrong_passphrase', 403);
      it.state = { ...idle, working: { file: FILE, step: 'waiting', percent: 100, guests: 2 } };
      return it.state;
    }),
  ]);
  await user.type(await screen.findByLabelText('File on the service’s machine'), `${FILE} `);
  await user.click(screen.getByRole('button', { name: 'Check the file' }));
  await screen.findByText('Checking the file… 40%');
  screen.getByText('You can leave this page; it continues.');
  it.state = { ...idle, checked };
  const found = await screen.findByRole('region', { name: 'Version 0.2.0 can be installed' });
  expect(found.textContent).toContain('Changed by the new version');
  await user.click(within(found).getByRole('button', { name: 'Install' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Install version 0.2.0' }));
  const install = async (passphrase: string) => {
    await user.type(dialog.getByLabelText('Your passphrase'), passphrase);
    await user.click(dialog.getByRole('button', { name: 'Install' }));
  };
  await install('wrong words');
  await dialog.findByText('Wrong passphrase.');
  await install('right words');
  await screen.findByText('Waiting for the checks of 2 guests to end…');
  it.state = { ...idle, last: waiting };
  await screen.findByText(/Gatehouse restarts and tries it/);
  it.state = { ...idle, version: '0.2.0', newest_accepted: '0.2.0' };
  await screen.findByText('Version 0.2.0 is installed and works.');
  const body = { file: FILE, version: '0.2.0', database_is_saved: false };
  expect(sent).toEqual([
    FILE,
    { ...body, passphrase: 'wrong words' },
    { ...body, passphrase: 'right words' },
  ]);
});

test('on PostgreSQL an update that changes the database asks for a backup', async () => {
  const { user } = await openConsole(PAGE, [serving({ engine: 'postgres', checked }).read]);
  await user.click(await screen.findByRole('button', { name: 'Install' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText('Your passphrase'), 'right words');
  const install = dialog.getByRole<HTMLButtonElement>('button', { name: 'Install' });
  expect(install.disabled).toBe(true);
  await user.click(dialog.getByLabelText('The database is backed up'));
  expect(install.disabled).toBe(false);
});

test('where somebody has to restart the service, the update can be removed', async () => {
  const { it, read } = serving({ restarts_itself: false, last: waiting });
  const { user } = await openConsole(PAGE, [
    read,
    on(updates.withdraw, () => {
      it.state = { ...it.state, last: null };
      return it.state;
    }),
  ]);
  await screen.findByText(/Restart Gatehouse at a quiet time/);
  await user.click(screen.getByRole('button', { name: 'Remove the update' }));
  await screen.findByRole('button', { name: 'Check the file' });
});

test('an update that was undone says why, what became of the data, and what the new version reported', async () => {
  const last: UpdateState['last'] = {
    ...waiting,
    state: 'undone',
    why: 'not_healthy',
    data_restored: true,
    said: 'no such library',
  };
  await openConsole(PAGE, [serving({ newest_accepted: '0.2.0', last }).read]);
  await screen.findByText('no such library');
  screen.getByText(/The update was undone, because the new version didn’t work\./);
  screen.getByText(/The backup made before was put back/);
  // It may be installed again.
  screen.getByRole('button', { name: 'Check the file' });
});

test('whatever is wrong with a file, the page says it', async () => {
  let problem: UpdateState['problem'] = null;
  const { user } = await openConsole(PAGE, [
    serving({}).read,
    on(updates.check, () => ({ ...idle, problem })),
  ]);
  await user.type(await screen.findByLabelText('File on the service’s machine'), FILE);
  const { update_refused: textOf } = messagesOf('errors', 'en');
  for (problem of UPDATE_PROBLEMS) {
    expect(textOf({ problem })).not.toBe(textOf({ problem: 'other' }));
    await user.click(screen.getByRole('button', { name: 'Check the file' }));
    await screen.findByText(textOf({ problem }));
  }
});
