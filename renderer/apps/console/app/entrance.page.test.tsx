/** The ways into the console at the real service: the first start, signing in, the second factor, and the recovery phrase. */
import { screen, waitFor, within } from '@testing-library/react';
import { Secret, TOTP } from 'otpauth';
import { expect, test, vi } from 'vitest';
import type { RecoveryCodes, SecondFactorEnrolment } from '../../../../server/contract/console/access.ts';
import type { EventPage } from '../../../../server/contract/console/events.ts';
import { session, setup } from '../../../../server/contract/routes/console/access.ts';
import { renewRecoveryPhrase } from '../../../../server/services/backup/recovery-setting.ts';
import { newSetupCode } from '../../../../server/services/setup/setup.ts';
import { limitMs } from '../../../../testing/tier.ts';
import { openService } from '../at-service.fixture.ts';
import { on, openConsole, Refused } from '../console.fixture.tsx';

/** Several forms at a real service, one after the other. */
const LONG = { timeout: limitMs(30_000) };
const NEW = 'lemon orbit quartz harbour';
const OTHER_WORDS = `${'abandon '.repeat(23)}art`;
const FAILURES_TO_LOCK = 5;
const STEP_MS = 30_000;

type User = Awaited<ReturnType<typeof openConsole>>['user'];
type Service = Awaited<ReturnType<typeof openService>>;
type Operator = Awaited<ReturnType<Service['as']>>;

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const title = (name: string) => screen.findByRole('heading', { level: 1, name });
const refusal = async () => (await screen.findByRole('alert')).textContent;
const inside = () => screen.findByRole('navigation', { name: 'Pages' });
const describes = (act: HTMLElement) =>
  document.getElementById(act.getAttribute('aria-describedby') ?? '')?.textContent;

async function signIn(user: User, { name, passphrase }: { name: string; passphrase: string }) {
  await user.clear(field('Name'));
  await user.type(field('Name'), name);
  await user.type(field('Passphrase'), `${passphrase}{Enter}`);
}

async function enterCode(user: User, code: string) {
  await user.type(await screen.findByLabelText('Code'), `${code}{Enter}`);
}

/** Before the first start, at the page's time: its event ends on the next morning. */
async function openNew() {
  const service = await openService({ isNew: true });
  service.clock.set(Date.now());
  return service;
}

const codeOf = ({ clock }: Service, secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(/\s/g, '')) }).generate({ timestamp: clock.now() });

/** Sets up a second factor; its next code is valid at once. */
async function enrol(service: Service, { ok, passphrase }: Operator) {
  const { secret } = await ok<SecondFactorEnrolment>('/me/second-factor', { body: { passphrase } });
  const body = { code: codeOf(service, secret) };
  const { codes } = await ok<RecoveryCodes>('/me/second-factor/confirm', { body });
  service.clock.advance(STEP_MS);
  return { recoveryCodes: codes, code: () => codeOf(service, secret) };
}

/** From the passphrase to the stored recovery codes; the first passphrase and the first code are wrong. */
async function setUpFactor(user: User, service: Service, passphrase: string, place: HTMLElement) {
  const first = await within(place).findByLabelText<HTMLInputElement>('Current passphrase');
  await user.type(first, 'not the right one{Enter}');
  await refusal();
  expect(first.value).toBe('');
  await user.type(first, `${passphrase}{Enter}`);
  const code = await screen.findByLabelText<HTMLInputElement>('Code from the app');
  await screen.findByRole('img', { name: 'QR code for your authenticator app' });
  const secret = document.querySelector('.second-factor__secret code')?.textContent ?? '';
  await user.type(code, '000000{Enter}');
  expect(await refusal()).toContain('Wrong code');
  expect(code.value).toBe('');
  await user.type(code, `${codeOf(service, secret)}{Enter}`);
  const codes = within(await screen.findByRole('list', { name: 'Recovery codes' }));
  expect(codes.getAllByRole('listitem')).toHaveLength(10);
  await user.keyboard('{Escape}');
  expect(button('Done').disabled).toBe(true);
  await user.click(field('I have stored the recovery codes'));
  await user.click(button('Done'));
}

test(
  'the first start waits for a name and a passphrase that is not weak; a reload keeps all but the passphrase',
  LONG,
  async () => {
    const service = await openNew();
    const browser = service.browser();
    const { user } = await openConsole('/', browser);
    await title('Welcome to Gatehouse');
    expect(field('Company').value).toBe('Venue');
    screen.getByText(/^This company already exists/);
    await user.type(field('Your name'), 'Ana Ruiz');
    for (const [typed, said] of [
      ['short', 'Too short'],
      ['aaaaaaaaaaaaa', 'Easy to guess'],
    ] as const) {
      await user.clear(field('Passphrase'));
      await user.type(field('Passphrase'), typed);
      screen.getByText(said);
      expect(button('Create').disabled).toBe(true);
    }
    expect(describes(button('Create'))).toBe('Fill in the fields first.');
    await openConsole('/', browser);
    expect(field('Your name').value).toBe('Ana Ruiz');
    expect(field('Passphrase').value).toBe('');
    expect(JSON.stringify(sessionStorage)).not.toContain('aaaa');
    await user.type(field('Passphrase'), NEW);
    screen.getByText('Strong');
    expect(button('Create').disabled).toBe(false);
    await user.clear(field('Company'));
    expect(button('Create').disabled).toBe(true);
  },
);

test(
  'the first start makes an admin and a running event, shows its kiosk, and leaves them signed in',
  LONG,
  async () => {
    const service = await openNew();
    const browser = service.browser();
    const { user } = await openConsole('/', browser);
    await user.type(await screen.findByLabelText('Your name'), ' Ana Ruiz ');
    await user.type(field('Passphrase'), NEW);
    await user.click(button('Create'));
    const kiosk = within(await screen.findByRole('dialog', { name: 'Open the kiosk “Kiosk 1”' }));
    await user.click(kiosk.getByRole('button', { name: 'Done' }));
    await openConsole('/account', browser);
    await inside();
    button('Menu for Ana Ruiz');
    const { items } = (await browser.reply('GET', '/events', {})).body as EventPage;
    expect(items).toMatchObject([{ name: 'Opening night', state: 'running' }]);
  },
);

test(
  'from another computer the first start names no company, and takes only the code from the log',
  LONG,
  async () => {
    const service = await openNew();
    const code = await newSetupCode(service.deps);
    const { user } = await openConsole('/', service.browser({ address: '192.0.2.10' }));
    const typed = await screen.findByLabelText('Setup code');
    expect(field('Company').value).toBe('');
    await user.type(field('Company'), 'Arena');
    await user.type(field('Your name'), 'Ana Ruiz');
    await user.type(field('Passphrase'), NEW);
    await user.type(typed, 'not the code');
    await user.click(button('Create'));
    expect(await refusal()).toContain('one-time code');
    await user.clear(typed);
    await user.type(typed, ` ${code} `);
    await user.click(button('Create'));
    await inside();
  },
);

test(
  'a wrong passphrase and an unknown name are refused alike; five lock the name, even for the right one',
  LONG,
  async () => {
    const service = await openService();
    const staff = await service.as('staff');
    const { user } = await openConsole('/events', service.browser());
    await title('Sign in');
    await waitFor(() => expect(document.activeElement).toBe(field('Name')));
    await signIn(user, { name: 'Nobody', passphrase: staff.passphrase });
    expect(await refusal()).toBe('Wrong name or passphrase.');
    for (let tries = 0; tries < FAILURES_TO_LOCK; tries += 1) {
      await signIn(user, { ...staff, passphrase: 'not the right one' });
      await waitFor(() => expect(field('Passphrase').value).toBe(''));
    }
    expect(await refusal()).toBe('Wrong name or passphrase.');
    await signIn(user, staff);
    await screen.findByText(/^Too many failed attempts/);
    expect(screen.queryByRole('navigation')).toBeNull();
  },
);

test('sign-in offers single sign-on and passkeys only where there are any', async () => {
  const open = (single_sign_on: string | null, passkeys: boolean) =>
    openConsole('/', [
      on(setup.read, () => ({
        ...{ needed: false, code_required: false, company_name: null, recovery: false },
        ...{ single_sign_on, passkeys },
      })),
      on(session.me, () => {
        throw new Refused('sign_in_required', 401);
      }),
    ]);
  const offered = () =>
    screen.queryAllByRole('button', { name: /^Sign in with/ }).map((one) => one.textContent);
  await open('Arena ID', true);
  // This document is a browser without passkeys.
  expect(offered()).toEqual(['Sign in with Arena ID']);
  vi.stubGlobal('PublicKeyCredential', vi.fn());
  await open(null, false);
  expect(offered()).toEqual([]);
  await open(null, true);
  expect(offered()).toEqual(['Sign in with a passkey']);
});

test(
  'after the passphrase a second factor asks for its code, and takes each recovery code once',
  LONG,
  async () => {
    const service = await openService();
    const staff = await service.as('staff');
    const { code, recoveryCodes } = await enrol(service, staff);
    const visit = async () => {
      const { user } = await openConsole('/account', service.browser());
      await signIn(user, staff);
      const asked = await screen.findByLabelText<HTMLInputElement>('Code');
      expect(document.activeElement).toBe(asked);
      expect(screen.queryByRole('alert')).toBeNull();
      return { user, asked };
    };
    const first = await visit();
    await enterCode(first.user, '000000');
    expect(await refusal()).toContain('Wrong code, or already used');
    expect(first.asked.value).toBe('');
    await first.user.click(button('Back'));
    expect(field('Passphrase').value).toBe('');
    expect(screen.queryByRole('alert')).toBeNull();
    const second = await visit();
    await enterCode(second.user, recoveryCodes[0] ?? '');
    const panel = within(await screen.findByRole('region', { name: 'Second factor' }));
    const left = await panel.findByText('Recovery codes left');
    expect(left.nextElementSibling?.textContent).toBe('9');
    const third = await visit();
    await enterCode(third.user, recoveryCodes[0] ?? '');
    expect(await refusal()).toContain('already used');
    await enterCode(third.user, code());
    await inside();
  },
);

test('at a place that is locked, the second factor still lets its owner in', LONG, async () => {
  const service = await openService();
  const staff = await service.as('staff');
  const { code } = await enrol(service, staff);
  const browser = service.browser();
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ name: staff.name, passphrase: 'not the right one' });
  for (let tries = 0; tries < FAILURES_TO_LOCK; tries += 1)
    await browser.reply('POST', '/sign-in', { headers, body });
  const { user } = await openConsole('/account', browser);
  await signIn(user, staff);
  await screen.findByText(/^Too many failed attempts/);
  await user.click(button('Use your second factor'));
  await enterCode(user, code());
  await inside();
});

test(
  'an operator turns a second factor on with the passphrase and a first code, and off with the passphrase',
  LONG,
  async () => {
    const service = await openService();
    const staff = await service.as('staff');
    const { user } = await openConsole('/account', staff);
    const panel = within(await screen.findByRole('region', { name: 'Second factor' }));
    await panel.findByText('Off');
    await user.click(panel.getByRole('button', { name: 'Set up' }));
    const dialog = await screen.findByRole('dialog', { name: 'Second factor' });
    await setUpFactor(user, service, staff.passphrase, dialog);
    await panel.findByText('Recovery codes left');
    await user.click(panel.getByRole('button', { name: 'Remove' }));
    const removing = within(await screen.findByRole('dialog', { name: 'Remove' }));
    await user.type(removing.getByLabelText('Current passphrase'), staff.passphrase);
    await user.click(removing.getByRole('button', { name: 'Remove' }));
    await panel.findByText('The second factor is removed.');
    await panel.findByText('Off');
    const alone = await openConsole('/events', service.browser());
    await signIn(alone.user, staff);
    await inside();
  },
);

test(
  'in a console that other machines reach, an admin sets up a second factor first; a reviewer need not',
  LONG,
  async () => {
    const service = await openService({ isConsoleOpen: () => true });
    const admin = await service.as('admin');
    const { user } = await openConsole('/keys', admin);
    await title('Set up your second factor');
    expect(screen.queryByRole('navigation')).toBeNull();
    await setUpFactor(user, service, admin.passphrase, document.body);
    await title('Keys');
    await openConsole('/reviews', await service.as('reviewer'));
    await title('Reviews');
  },
);

test(
  'the recovery phrase, and no other words, lets an admin choose a passphrase and remove the second factor',
  LONG,
  async () => {
    const service = await openService({ recovery: { isOpen: true } });
    const admin = await service.as('admin');
    await enrol(service, admin);
    const phrase = await renewRecoveryPhrase(service.deps.db, service.clock, 'cli');
    const browser = service.browser();
    const { user } = await openConsole('/events', browser);
    await title('Set a new passphrase');
    await user.click(screen.getByLabelText('Recovery phrase'));
    await user.paste(OTHER_WORDS);
    await user.click(button('Continue'));
    expect(await refusal()).toContain('not the newest recovery words');
    await user.clear(screen.getByLabelText('Recovery phrase'));
    await user.paste(phrase);
    await user.click(button('Continue'));
    const admins = await screen.findByLabelText<HTMLSelectElement>('Admin');
    // Only an admin who has one is asked about it.
    expect(screen.queryByLabelText('Also remove the second factor')).toBeNull();
    await user.selectOptions(admins, admin.name);
    await user.click(field('Also remove the second factor'));
    await user.type(field('New passphrase'), 'short');
    expect(button('Set passphrase').disabled).toBe(true);
    await user.clear(field('New passphrase'));
    await user.type(field('New passphrase'), NEW);
    await user.click(button('Set passphrase'));
    await screen.findByText(/^The passphrase is set/);
    await signIn(user, { name: admin.name, passphrase: NEW });
    await title('Events');
  },
);
