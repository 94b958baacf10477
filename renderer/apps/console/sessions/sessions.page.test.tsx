/** Sessions and passes at the real service: what each role finds, reads and may do to one, or to several at once. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { CONSENT_VERSIONS } from '../../../../server/contract/consent-texts.ts';
import type { Role } from '../../../../server/contract/console/common.ts';
import type { SessionPage } from '../../../../server/contract/console/sessions.ts';
import type { InitializeRequest } from '../../../../server/contract/v3.ts';
import { giveConsent, openSession } from '../../../../server/services/runs/flow.ts';
import { initialize } from '../../../../server/services/runs/initialize.ts';
import { run, sessionOf } from '../../../../testing/service/runs.ts';
import { limitMs } from '../../../../testing/tier.ts';
import { openService } from '../at-service.fixture.ts';
import { openConsole } from '../console.fixture.tsx';

/** Several dialogs at a real service, one after the other. */
const LONG = { timeout: limitMs(30_000) };
const REASON = 'Asked for at the door';
const ANA = { external_id: 'guest-1', email: 'ana@example.com', group: 'day-1' };
const MARKUP = '<img src=x onerror=alert(1)>';

async function openSessions() {
  const service = await openService();
  return {
    ...service,
    /** A guest has the link open. */
    begin: async (request: InitializeRequest) => {
      const { session_id: id } = await initialize(service.deps, await service.caller('sk_test'), request);
      await openSession(service.deps, id ?? '', { device: 'mobile' }, null);
      return sessionOf(service, id ?? '');
    },
    visit: async (role: Role, query = '') => {
      const operator = await service.as(role);
      const { user } = await openConsole(`/sessions?partition=test${query}`, operator);
      /** A dialog opens over the drawer, which is the first one. */
      const dialogs = () => screen.findAllByRole('dialog');
      return {
        ...{ user, operator },
        drawer: async () => within((await dialogs())[0]!),
        openRow: async (name: string) => user.click(await screen.findByRole('button', { name })),
        press: async (action: string) => {
          const [drawer] = await dialogs();
          await user.click(await within(drawer!).findByRole('button', { name: action }));
        },
        /** Gives the reason, which opens the button, and waits until the dialog is closed. */
        confirm: async (action: string) => {
          const asked = await screen.findByLabelText(/^Reason/);
          const dialog = within(asked.closest<HTMLElement>('[role=dialog]')!);
          const act = dialog.getByRole<HTMLButtonElement>('button', { name: action });
          expect(act.disabled).toBe(true);
          await user.type(asked, REASON);
          await user.click(act);
          await waitFor(() => expect(screen.queryByLabelText(/^Reason/)).toBeNull());
        },
      };
    },
  };
}

test(
  'staff find a session, release it for another device, and end it; they read the start of an address',
  LONG,
  async () => {
    const service = await openSessions();
    await service.begin({ external_id: 'guest-5', email: 'ana@example.com' });
    await run(service, 'max', { external_id: 'guest-2' });
    const { user, drawer, openRow, press, confirm } = await service.visit('staff');
    await screen.findByText('2 rows');
    expect(screen.queryByRole('link', { name: 'People' })).toBeNull();
    await user.type(screen.getByLabelText('Find'), 'guest-5');
    await screen.findByText('1 row');
    await openRow('guest-5');
    await (await drawer()).findByText('Link opened');
    (await drawer()).getByText('a•••@example.com');
    expect((await drawer()).queryByRole('button', { name: 'Lock pass' })).toBeNull();
    await press('Release for another device');
    await confirm('Release for another device');
    await (await drawer()).findByText(/^Released for another device/);
    (await drawer()).getByText(REASON, { exact: false });
    await press('End the check');
    // A second “Cancel” beside it would not say what it cancels.
    await user.click(await screen.findByRole('button', { name: 'Keep it open' }));
    await press('End the check');
    await confirm('End the check');
    await waitFor(async () => expect((await drawer()).getAllByText('Ended early')).not.toHaveLength(0));
  },
);

test('a session shows the consent text that the guest read, in the guest’s language', LONG, async () => {
  const service = await openSessions();
  const session = await service.begin({ external_id: 'reads-french' });
  const text_version = CONSENT_VERSIONS.hosted;
  await giveConsent(service.deps, session, {
    ...{ accepted: true, text_version, language: 'fr', retention_days: 30 },
  });
  const { user, drawer } = await service.visit('staff', `&open=${session.id}`);
  const facts = await drawer();
  await facts.findAllByText(new RegExp(`Text ${text_version}, Français`));
  await user.click(facts.getByText('Read the text'));
  const text = (await facts.findByText(/ceux des invités précédents/)).closest('[lang]');
  expect(text?.getAttribute('lang')).toBe('fr');
  expect(text?.textContent).toMatch(/Jusqu’à 30\sjours après votre dernière visite/);
  // What differed from guest to guest is named in the operator's language.
  expect(text?.textContent).toContain('[organiser] s’assure');
});

test(
  'a reviewer locks and unlocks a pass, and no verdict; markup of a customer is shown as text',
  LONG,
  async () => {
    const service = await openSessions();
    await run(service, 'ana', { ...ANA, metadata: { full_name: 'Ana Ruiz', note: MARKUP } });
    const page = await service.visit('reviewer', '&status=approved&group=day-1');
    await page.openRow('guest-1');
    const drawer = await page.drawer();
    await drawer.findByRole('button', { name: 'Lock pass' });
    expect(drawer.queryByRole('button', { name: 'Change result to denied' })).toBeNull();
    await page.press('Lock pass');
    await page.confirm('Lock pass');
    await drawer.findByText('Locked');
    await drawer.findByText(/^Pass locked/);
    await page.press('Unlock pass');
    await page.confirm('Unlock pass');
    await page.user.click(drawer.getByRole('link', { name: 'Open person' }));
    await screen.findByText(MARKUP);
    expect(screen.getAllByText('Ana Ruiz')).not.toHaveLength(0);
    expect(document.querySelector('[role=dialog] img')).toBeNull();
  },
);

test('an admin overrides a verdict, and the timeline keeps both', LONG, async () => {
  const service = await openSessions();
  await run(service, 'ana', ANA);
  const { session_id: id } = await run(service, 'ana', { external_id: 'guest-1b', group: 'day-1' });
  const { drawer, press, confirm } = await service.visit('admin', `&open=${id}`);
  await (await drawer()).findAllByText('Denied');
  await press('Change result to passed');
  await confirm('Change result to passed');
  await (await drawer()).findByText(new RegExp(`^Let in by .+: ${REASON}$`));
  (await drawer()).getByText('Same face already passed in this group');
  (await drawer()).getByText(/^Passed by an operator/);
});

test(
  'several open sessions are ended with one reason; one that ends meanwhile keeps no other open',
  LONG,
  async () => {
    const service = await openSessions();
    const guests = ['left-1', 'left-2', 'left-3'];
    for (const external_id of guests) await service.begin({ external_id });
    const { user, operator, confirm } = await service.visit('staff');
    await screen.findByText('3 rows');
    expect(screen.queryByRole('checkbox')).toBeNull();
    await user.selectOptions(screen.getByLabelText('Result'), 'open');
    await user.click(await screen.findByLabelText('Select all sessions shown'));
    await user.click(screen.getByLabelText('Select left-3'));
    await screen.findByText('2 sessions selected');
    screen.getByRole('region', { name: 'End 2 checks' });
    const read = async () =>
      (await operator.ok<SessionPage>('/sessions?partition=test')).items.map(
        ({ external_id, status, session_id }) => ({ external_id, status, session_id }),
      );
    await user.click(screen.getByLabelText('Select left-3'));
    await screen.findByText('3 sessions selected');
    await user.click(screen.getByRole('button', { name: 'End 3 checks' }));
    await user.click(await screen.findByRole('button', { name: 'Keep them open' }));
    await user.click(screen.getByRole('button', { name: 'End 3 checks' }));
    await screen.findByLabelText(/^Reason/);
    const second = (await read()).find(({ external_id }) => external_id === 'left-2')!.session_id;
    await operator.ok(`/sessions/${second}/cancel?partition=test`, { body: { reason: 'At another desk' } });
    await confirm('End 3 checks');
    await screen.findByText('No results');
    expect((await read()).map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  },
);
