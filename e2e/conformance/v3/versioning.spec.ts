/** Contract, "Versioning": "Deprecated items stay until the next external version is minted". */
import { expect } from '@playwright/test';
import { fresh, freshEmail, sharedVenue, test, type Venue } from '../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await sharedVenue(gatehouse);
});

test('1: "The version is in the path"', async () => {
  expect((await venue.call('/v3/initialize', { body: {} })).status).toBe(200);
  expect((await venue.call('/initialize', { body: {} })).status).toBe(404);
});

test('2: deprecated fields of initialize are still accepted: expire_in_days, verification_external_id, external_tracker', async () => {
  await venue.verification({ 'external-id': 'old' });
  expect((await venue.initialize({ external_tracker: 'x' })).status).toBe(200);
  expect((await venue.initialize({ verification_external_id: 'old' })).status).toBe(200);
  expect((await venue.initialize({ email: freshEmail(), expire_in_days: 30 })).status).toBe(200);
});

test('2: invite_id is still returned', async () => {
  const { body } = await venue.initialize({ email: freshEmail(), expire_in_days: 30 });
  expect(typeof body.invite_id).toBe('string');
});

for (const [field, type] of [
  ['id', 'string'],
  ['confirmed_at', 'string'],
  ['locked', 'boolean'],
  ['is_test', 'boolean'],
  ['score', 'number'],
  ['band', 'string'],
  ['external_id', 'string'],
  ['identity', 'object'],
] as const) {
  test(`2: the confirmation still has ${field}`, async () => {
    const { confirmation } = await venue.settle(fresh('face'), {
      external_id: fresh('account'),
      email: freshEmail(),
      config: { identity: { share: true } },
    });
    expect(typeof confirmation[field]).toBe(type);
    expect(confirmation[field]).not.toBeNull();
  });
}

test('2: POST /v3/keys/test still works', async () => {
  expect((await venue.call('/v3/keys/test', { method: 'POST' })).status).toBe(200);
});

test('3: the additions work: metadata, auto_return, include_groups with groups, session_id', async () => {
  const { status, body } = await venue.initialize({
    external_id: fresh('account'),
    metadata: { tier: 'gold' },
    auto_return: true,
    group: 'friday',
    include_groups: ['thursday'],
  });
  expect([status, typeof body.session_id]).toEqual([200, 'string']);
});
