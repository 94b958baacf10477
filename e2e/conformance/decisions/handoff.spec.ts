/**
 * Decisions §6: a desktop hands its run to a phone; codes are single-use, device-bound, and useless to a third device.
 */
import { expect } from '@playwright/test';
import type { HandoffOpenResponse, HandoffResponse } from '../../../server/contract/flow.ts';
import { refused, send } from '../../support/http.ts';
import { type Run, runOf } from '../../support/run.ts';
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
const confirm = (phone: Run, number: string) => phone.flow('/handoff/confirm', { number });
/** Numbers other than the desktop's. */
const wrongNumbers = (right: string) =>
  Array.from({ length: 90 }, (_, index) => String(10 + index)).filter((number) => number !== right);

test('the person types the desktop’s number; then the phone does the check and the desktop sees the result', async () => {
  const { desktop, offer, code } = await offered();
  expect(offer.match_code).toMatch(/^\d\d$/);
  expect(offer.url.split('#')[0]).toBe(`${venue.baseUrl}/verification?vys=${desktop.sessionId}`);
  expect((await desktop.snapshot()).handoff).toMatchObject({ state: 'offered' });

  const opened = await open(desktop.sessionId, code);
  expect((await desktop.snapshot()).handoff).toMatchObject({ state: 'opened' });

  const phone = phoneOf(desktop.sessionId, opened);
  expect((await confirm(phone, offer.match_code)).body.handoff).toMatchObject({ state: 'confirmed' });
  await captured(phone, fresh('face'));
  expect(await desktop.snapshot()).toMatchObject({ state: 'settled', result: { verified: true } });
});

test('the server tells the phone who requests the check, and never the number', async () => {
  const { desktop, code } = await offered();
  const { body } = await open(desktop.sessionId, code);
  expect(body).toEqual({
    flow_token: expect.stringMatching(/^ft_/) as unknown,
    branding: { organiser: expect.stringMatching(/./) as unknown, logo_url: null },
    is_test: true,
    tries_left: 3,
  });
});

test('an unconfirmed phone gets handoff_unconfirmed everywhere, even if the run has settled meanwhile', async () => {
  const { desktop, code } = await offered();
  const { body } = await open(desktop.sessionId, code);
  const phone = phoneOf(desktop.sessionId, { body });
  const unconfirmed = { status: 409, body: { detail: 'handoff_unconfirmed' } };
  const everywhere = async () => {
    for (const [path, sent] of [
      ['/open', { device: 'mobile' }],
      ['/consent', { accepted: true }],
      ['/phone', { phone: '+999011234567' }],
      ['/phone/confirm', { code: '234567' }],
      ['/test-capture', { face: 'x' }],
      ['/test-review', { decision: 'approve' }],
      ['/capture/messages', { type: 'poll' }],
      ['/handoff', {}],
      ['/decline', {}],
    ] as const) {
      const { status, body: told } = await phone.flow(path, sent);
      expect({ path, status, body: told }).toEqual({ path, ...unconfirmed });
    }
    for (const path of ['', '/events']) {
      const reply = await fetch(`${venue.baseUrl}/flow/sessions/${desktop.sessionId}${path}`, {
        headers: { 'x-flow-token': body.flow_token },
      });
      const told = (await reply.json()) as unknown;
      expect({ path, status: reply.status, body: told }).toEqual({ path, ...unconfirmed });
    }
  };
  await everywhere();
  await captured(desktop, fresh('face'));
  await everywhere();
});

test('three wrong numbers end the code; the desktop keeps the run and can offer a new one', async () => {
  const { desktop, offer, code } = await offered();
  const phone = phoneOf(desktop.sessionId, await open(desktop.sessionId, code));
  for (const nonsense of ['', '4', '123', 'ab', ' 42']) {
    expect((await confirm(phone, nonsense)).status).toBe(422);
  }
  const [first = '', second = '', third = ''] = wrongNumbers(offer.match_code);
  expect(await confirm(phone, first)).toMatchObject({
    status: 400,
    body: { detail: 'wrong_number', tries_left: 2 },
  });
  expect(await confirm(phone, second)).toMatchObject({
    status: 400,
    body: { detail: 'wrong_number', tries_left: 1 },
  });
  expect(await confirm(phone, third)).toMatchObject(refused(410, 'handoff_ended'));
  expect(await confirm(phone, offer.match_code)).toMatchObject(refused(401, 'invalid_flow_token'));
  expect((await desktop.snapshot()).handoff).toMatchObject({ state: 'ended' });
  const { status } = await desktop.flow('/handoff', {});
  expect(status).toBe(200);
  expect((await desktop.snapshot()).handoff).toMatchObject({ state: 'offered' });
});

test('of guesses sent at the same time at most three count', async () => {
  const { desktop, offer, code } = await offered();
  const phone = phoneOf(desktop.sessionId, await open(desktop.sessionId, code));
  const guesses = [...wrongNumbers(offer.match_code).slice(0, 20), offer.match_code];
  const details = (await Promise.all(guesses.map((number) => confirm(phone, number)))).map(
    ({ body }) => (body as unknown as { detail?: string }).detail,
  );
  expect(details.filter((detail) => detail === 'wrong_number').length).toBeLessThanOrEqual(2);
  expect(details).toHaveLength(21);
  const { handoff } = await desktop.snapshot();
  // The right number is one of the three that counted, or the code has ended.
  if (handoff?.state === 'confirmed') expect(details).toContain(undefined);
  else expect(handoff).toMatchObject({ state: 'ended' });
});

test('a code works once: a third device is refused, before and after the phone has confirmed', async () => {
  const { desktop, offer, code } = await offered();
  const phone = phoneOf(desktop.sessionId, await open(desktop.sessionId, code));
  expect(await open(desktop.sessionId, code)).toMatchObject(refused(409, 'handoff_used'));
  await confirm(phone, offer.match_code);
  expect(await open(desktop.sessionId, code)).toMatchObject(refused(409, 'handoff_used'));
});

test('of two phones at the same time one gets the run', async () => {
  const { desktop, code } = await offered();
  const replies = await Promise.all([1, 2, 3].map(() => open(desktop.sessionId, code)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

test('a phone whose handoff was replaced gets nothing more, not even on an open stream', async () => {
  const { desktop, offer, code } = await offered();
  const { body } = await open(desktop.sessionId, code);
  await confirm(phoneOf(desktop.sessionId, { body }), offer.match_code);
  const events = await fetch(`${venue.baseUrl}/flow/sessions/${desktop.sessionId}/events`, {
    headers: { 'x-flow-token': body.flow_token },
  });
  expect(events.status).toBe(200);
  await desktop.flow('/handoff', {});
  await captured(desktop, fresh('face'));
  // The server ends the stream, which is all that text() waits for.
  expect(await events.text()).not.toContain('vyt_');
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

test('a session that has ended cannot be handed over', async () => {
  const { desktop, code } = await offered();
  await desktop.flow('/decline', {});
  expect(await open(desktop.sessionId, code)).toMatchObject(refused(409, 'session_settled'));
  expect(await desktop.flow('/handoff', {})).toMatchObject(refused(409, 'session_settled'));
});

test('only the device that holds the run can offer it', async () => {
  const { desktop } = await offered();
  const stranger = runOf(venue, { sessionId: desktop.sessionId, url: '', flowToken: 'ft_stranger' });
  expect(await stranger.flow('/handoff', {})).toMatchObject(refused(401, 'invalid_flow_token'));
});
