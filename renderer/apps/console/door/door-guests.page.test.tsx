/** What the door's team decides about guests, at the real service, with a kiosk that is paired and test faces that walk up. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Role } from '../../../../server/contract/console/common.ts';
import type { EventRecord } from '../../../../server/contract/console/events.ts';
import type { KioskWithCode } from '../../../../server/contract/console/kiosks.ts';
import { guestNumber } from '../../../../server/contract/guest-number.ts';
import { captureTestFace } from '../../../../server/services/capture/test-capture.ts';
import { changeDailyLimit } from '../../../../server/services/companies/companies.ts';
import { decline, giveConsent } from '../../../../server/services/runs/flow.ts';
import { requestCode } from '../../../../server/services/runs/phone-step.ts';
import { noteHeartbeat } from '../../../../server/services/venue/kiosk-config.ts';
import { pairDevice } from '../../../../server/services/venue/kiosk-pairing.ts';
import { startWalkUp } from '../../../../server/services/venue/kiosk-runs.ts';
import { authoriseKiosk } from '../../../../server/services/venue/kiosk-tokens.ts';
import { sessionOf } from '../../../../testing/service/runs.ts';
import { limitMs } from '../../../../testing/tier.ts';
import { openService } from '../at-service.fixture.ts';
import { openConsole } from '../console.fixture.tsx';

/** Several dialogs at a real service, one after the other. */
const LONG = { timeout: limitMs(30_000) };
const HOUR_MS = 3_600_000;
const TEST = 'partition=test';
const VERIFICATION_ID = '01a1fd74-0fe9-71f1-a527-419a33965f8d';

/** An event that runs now, one entry per person, and a kiosk at its door. */
async function openDoor(config: Record<string, unknown> = {}) {
  const service = await openService();
  const { deps, clock } = service;
  const admin = await service.as('admin');
  const at = (ms: number) => new Date(clock.now() + ms).toISOString();
  const limit = { kind: 'total', max: 1 };
  const verification_id = await service.verification(VERIFICATION_ID, { config });
  const body = { name: 'Night', verification_id, starts_at: at(-HOUR_MS), ends_at: at(8 * HOUR_MS), limit };
  const { event_id } = await admin.ok<EventRecord>(`/events?${TEST}`, { body });
  const added = await admin.ok<KioskWithCode>(`/kiosks?${TEST}`, { body: { name: 'North', event_id } });
  const { device_token: token } = await pairDevice(deps, added.code);
  const begin = async () => {
    const { snapshot } = await startWalkUp(deps, await authoriseKiosk(deps.db, token));
    return sessionOf(service, snapshot.session_id);
  };
  return {
    ...service,
    begin,
    consent: async () => {
      const { id } = await begin();
      await giveConsent(deps, await sessionOf(service, id), { accepted: true });
      return sessionOf(service, id);
    },
    heartbeat: async (sessionId: string) =>
      noteHeartbeat(deps, await authoriseKiosk(deps.db, token), {
        ...{ screen: 'ask_staff', camera: 'ready', session_id: sessionId },
      }),
    visit: async (role: Role) => {
      const { user } = await openConsole(`/door?${TEST}&event=${event_id}`, await service.as(role));
      const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
      const confirm = async (name: string, reason: string) => {
        const asked = await screen.findByLabelText(/^Reason/);
        const dialog = within(asked.closest<HTMLElement>('[role=dialog]')!);
        const act = dialog.getByRole<HTMLButtonElement>('button', { name });
        expect(act.disabled).toBe(true);
        await user.type(asked, reason);
        await user.click(act);
        await waitFor(() => expect(screen.queryByLabelText(/^Reason/)).toBeNull());
      };
      return { user, press, confirm };
    },
  };
}
type Door = Awaited<ReturnType<typeof openDoor>>;

const pass = async (door: Door, face: string) => captureTestFace(door.deps, await door.consent(), face);

test('staff ask a reviewer about a denied guest, whom only a reviewer lets in', LONG, async () => {
  const door = await openDoor();
  await pass(door, 'dora');
  await pass(door, 'dora');
  const staff = await door.visit('staff');
  await staff.press('Ask a reviewer');
  expect(screen.queryByRole('button', { name: 'Let in' })).toBeNull();
  await staff.confirm('Ask a reviewer', 'Twin of a guest inside');
  await screen.findByText('Waiting for a reviewer');
  const reviewer = await door.visit('reviewer');
  await screen.findByRole('link', { name: 'Open the case' });
  await reviewer.press('Let in');
  await reviewer.press('Known to staff');
  await screen.findByText(/^Let in by .+: Known to staff/);
});

test('a guest without a result is checked again on a phone', LONG, async () => {
  const door = await openDoor();
  await decline(door.deps, await door.begin());
  const { press, confirm } = await door.visit('staff');
  await press('Check again');
  await confirm('Check again', 'changed their mind');
  await screen.findByRole('img', { name: 'QR code of the new check' });
});

test('a guest who asks for staff has a number, and is let in with two touches', LONG, async () => {
  const door = await openDoor();
  const { press } = await door.visit('reviewer');
  const session = await door.begin();
  await door.heartbeat(session.id);
  await screen.findAllByText(/Asks for staff/);
  expect(document.body.textContent).toContain(`No. ${guestNumber(session.id)}`);
  await press('Let in');
  await press('Can’t use the camera');
  await screen.findByText(/^Let in by .+: Can’t use the camera/);
  await waitFor(() => expect(document.querySelector('.latest')?.textContent).not.toMatch(/Asks for staff/));
  const { passId } = await sessionOf(door, session.id);
  expect(passId).not.toBeNull();
});

test('once the daily cap is reached, staff read why, and no guest is shown as denied', LONG, async () => {
  const door = await openDoor();
  const { deps, company } = door;
  await pass(door, 'fred');
  const cap = { companyId: company.company_id, dailyLimit: 1, actor: 'cli' } as const;
  await changeDailyLimit(deps.db, deps.clock, cap);
  await pass(door, 'gina');
  await door.visit('staff');
  await screen.findByText(/The daily cap of 1 checks? is reached/);
  expect(document.querySelector('.door__main [data-tone="refused"]')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Check again' })).toBeNull();
});

test('a check that is stuck is released for another device, or ended without a result', LONG, async () => {
  const door = await openDoor();
  await door.begin();
  const { user, press, confirm } = await door.visit('staff');
  await screen.findByText(/Reading the consent/);
  await press('Release');
  await confirm('Release', 'the tablet froze');
  await door.begin();
  await user.click((await screen.findAllByRole('button', { name: 'End the check' }))[0]!);
  await press('Let it continue');
  await user.click((await screen.findAllByRole('button', { name: 'End the check' }))[0]!);
  await confirm('End the check', 'walked away');
  await screen.findByText(/Ended without a result/);
});

test('staff read out the code of a guest whose number no gateway sends to', LONG, async () => {
  const door = await openDoor({ phone: { required: true } });
  await door.visit('staff');
  await requestCode(door.deps, await door.consent(), '+12105550123');
  const codes = within(await screen.findByRole('region', { name: 'Codes to read out' }));
  await codes.findByText(/550 123/);
  codes.getByText(/^\d{3}.?\d{3}$/);
});
