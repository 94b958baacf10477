/** Decisions §6: a desktop hands its run to a phone; codes are single, device-bound, and of no use to a third device. */
import { expect } from '@playwright/test';
import type { HandoffOpenResponse, HandoffResponse } from '../../../server/contract/flow.ts';
import { send } from '../../support/http.ts';
import { runOf } from '../../support/run.ts';
import { captured, fresh, sharedVenue, test, type Venue } from '../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await sharedVenue(gatehouse);
});

async function offered() {
  const desktop = await venue.begin();
  const { body } = await desktop.flow<HandoffResponse>('/handoff', {});
  return { desktop, offer: body, code: new URL(body.url).hash.slice('#h='.length) };
}

const open = (sessionId: string, code: string) =>
  send<HandoffOpenResponse>(`${venue.baseUrl}/flow/handoff/open`, {
    body: { session_id: sessionId, code, device: 'mobile' },
  });
const phoneOf = (sessionId: string, { body }: { body: HandoffOpenResponse }) =>
  runOf(venue, { sessionId, url: '', flowToken: body.flow_token });
const refused = (status: number, detail: string) => ({ status, body: { detail } });

test('both devices show one code; confirmed, the phone does the check and the desktop sees the result', async () => {
  const { desktop, offer, code } = await offered();
  expect(offer.match_code).toMatch(/^\d\d$/);
  expect(offer.url.split('#')[0]).toBe(`${venue.baseUrl}/verification?vys=${desktop.sessionId}`);
  expect((await desktop.snapshot()).handoff).toMatchObject({ state: 'offered' });

  const opened = await open(desktop.sessionId, code);
  expect(opened.body.match_code).toBe(offer.match_code);
  expect((await desktop.snapshot()).handoff).toMatchObject({ state: 'opened' });

  const phone = phoneOf(desktop.sessionId, opened);
  expect((await phone.flow('/handoff/confirm', { accepted: true })).body.handoff).toMatchObject({
    state: 'confirmed',
  });
  await captured(phone, fresh('face'));
  expect(await desktop.snapshot()).toMatchObject({ state: 'settled', result: { verified: true } });
});

test('before both screens were compared the phone may do nothing', async () => {
  const { desktop, code } = await offered();
  const phone = phoneOf(desktop.sessionId, await open(desktop.sessionId, code));
  expect(await phone.flow('/test-capture', { face: 'x' })).toMatchObject(refused(409, 'handoff_unconfirmed'));
});

test('a code is good once: a third device is refused, before and after the phone has confirmed', async () => {
  const { desktop, code } = await offered();
  const phone = phoneOf(desktop.sessionId, await open(desktop.sessionId, code));
  expect(await open(desktop.sessionId, code)).toMatchObject(refused(409, 'handoff_used'));
  await phone.flow('/handoff/confirm', { accepted: true });
  expect(await open(desktop.sessionId, code)).toMatchObject(refused(409, 'handoff_used'));
});

test('of two phones at once one gets the run', async () => {
  const { desktop, code } = await offered();
  const replies = await Promise.all([1, 2, 3].map(() => open(desktop.sessionId, code)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

test('a number that is not the other screen’s ends the hand-off; the desktop goes on', async () => {
  const { desktop, code } = await offered();
  const phone = phoneOf(desktop.sessionId, await open(desktop.sessionId, code));
  await phone.flow('/handoff/confirm', { accepted: false });
  expect(await phone.flow('/test-capture', { face: 'x' })).toMatchObject(refused(401, 'invalid_flow_token'));
  expect((await desktop.snapshot()).handoff).toBeNull();
  expect((await captured(desktop, fresh('face'))).state).toBe('settled');
});

test('a new code ends the old one; a code of another session, or of none, is not found', async () => {
  const { desktop, code } = await offered();
  const { body } = await desktop.flow<HandoffResponse>('/handoff', {});
  expect(await open(desktop.sessionId, code)).toMatchObject(refused(404, 'not found'));
  const other = await offered();
  expect(await open(other.desktop.sessionId, new URL(body.url).hash.slice(3))).toMatchObject(
    refused(404, 'not found'),
  );
  expect(await open('vs_nobody', code)).toMatchObject(refused(404, 'not found'));
});

test('a session that has ended is handed to nobody', async () => {
  const { desktop, code } = await offered();
  await desktop.flow('/decline', {});
  expect(await open(desktop.sessionId, code)).toMatchObject(refused(409, 'session_settled'));
  expect(await desktop.flow('/handoff', {})).toMatchObject(refused(409, 'session_settled'));
});

test('only the device that holds the run offers it', async () => {
  const { desktop } = await offered();
  const stranger = runOf(venue, { sessionId: desktop.sessionId, url: '', flowToken: 'ft_stranger' });
  expect(await stranger.flow('/handoff', {})).toMatchObject(refused(401, 'invalid_flow_token'));
});
