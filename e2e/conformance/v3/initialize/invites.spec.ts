/** Contract, "Rules for POST /v3/initialize", 5: expire_in_days and its durable invites. */
import { expect } from '@playwright/test';
import type { OpenResponse } from '../../../../server/contract/flow.ts';
import { send } from '../../../support/http.ts';
import { runOf } from '../../../support/run.ts';
import { captured, fresh, freshEmail, sharedVenue, resultOf, test, UUID, type Venue } from '../../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await sharedVenue(gatehouse);
});

async function invite(days = 7, email = freshEmail()) {
  const { status, body } = await venue.initialize({ email, expire_in_days: days });
  expect(status).toBe(200);
  const url = `${venue.baseUrl}/flow/invites/${body.url.split('/').at(-1)!}/open`;
  /** Opens the link, on a new device unless a token is given. */
  const open = (flowToken?: string) =>
    send<OpenResponse>(url, { body: { device: 'mobile' }, ...(flowToken !== undefined && { flowToken }) });
  return { ...body, email, open };
}

const runIn = ({ body }: { body: OpenResponse }) =>
  runOf(venue, { sessionId: body.snapshot.session_id, url: '', flowToken: body.flow_token });

test('"any in-range value behaves the same"', async () => {
  for (const days of [1, 365]) {
    const { session_id, invite_id, open } = await invite(days);
    expect(session_id).toBeNull();
    expect(invite_id).toMatch(UUID);
    expect((await open()).body.snapshot).toMatchObject({ state: 'open', step: 'consent' });
  }
});

test('"It needs email"', async () => {
  expect(await venue.refusal({ expire_in_days: 7 })).toBe('400 expire_in_days_requires_email');
  expect(await venue.refusal({ expire_in_days: 7, external_id: fresh('account') })).toBe(
    '400 expire_in_days_requires_email',
  );
});

test('"The response carries invite_id and session_id is null"', async () => {
  const { session_id, invite_id, url } = await invite();
  expect([session_id, typeof invite_id]).toEqual([null, 'string']);
  expect(url).toContain('/invite/');
});

test('"the link … resumes where the person stopped", even on another device', async () => {
  const { open } = await invite();
  const first = await open();
  await runIn(first).flow('/consent', { accepted: true });
  const again = await open();
  expect(again.body.snapshot).toMatchObject({
    session_id: first.body.snapshot.session_id,
    step: 'capture',
  });
  // The new device has taken the run over.
  expect(await runIn(first).flow('/decline', {})).toMatchObject({
    status: 401,
    body: { detail: 'invalid_flow_token' },
  });
});

test('"the link stays claimable until redeemed": a settled run redeems it, once', async () => {
  const { open, email } = await invite();
  const opened = await open();
  await runIn(opened).flow('/consent', { accepted: true });
  const { vyt } = resultOf(await captured(runIn(opened), fresh('face')));
  expect((await venue.confirm(vyt)).body).toMatchObject({ verified: true });
  expect((await venue.lookup({ email })).body).toMatchObject({ verified: true });
  expect(await open()).toMatchObject({ status: 409, body: { detail: 'invite_redeemed' } });
});

test('"… or revoked": a revoked link is dead, and so is its current run', async () => {
  const { open, invite_id } = await invite();
  const opened = await open();
  await venue.cli('invites', 'revoke', '--invite', invite_id!, '--reason', 'wrong person');
  expect(await open()).toMatchObject({ status: 410, body: { detail: 'invite_revoked' } });
  expect(await runIn(opened).flow('/consent', { accepted: true })).toMatchObject({
    status: 410,
    body: { detail: 'session_cancelled' },
  });
});

test('"Invite links never auto-return", whatever the verification says', async () => {
  const { verification_id } = await venue.verification({ config: { returning: { auto_return: true } } });
  const { body } = await venue.initialize({ email: freshEmail(), expire_in_days: 7, verification_id });
  const opened = await send<OpenResponse>(
    `${venue.baseUrl}/flow/invites/${body.url.split('/').at(-1)!}/open`,
    { body: { device: 'mobile' } },
  );
  expect(opened.body.snapshot.auto_return).toBe(false);
});

test('an unknown code is not found', async () => {
  expect(
    await send(`${venue.baseUrl}/flow/invites/nobody/open`, { body: { device: 'mobile' } }),
  ).toMatchObject({ status: 404, body: { detail: 'not found' } });
});
