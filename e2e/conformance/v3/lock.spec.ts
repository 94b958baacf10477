/** Contract, "Rules for the confirmation endpoints", 4: lock. */
import { expect } from '@playwright/test';
import { fresh, NO_SKIP, sharedVenue, test, type Venue } from '../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await sharedVenue(gatehouse);
});

test('"confirmation with locked true", complete, and the same when it is repeated', async () => {
  const { vyt, confirmation } = await venue.settle(fresh('face'));
  const first = await venue.lock(vyt);
  expect(first).toMatchObject({ status: 200, body: { ...confirmation, verified: false, locked: true } });
  expect((await venue.lock(vyt)).body).toEqual(first.body);
});

test('"Lock marks the pass consumed, so the person must verify again on the next run": no skip any more', async () => {
  const [face, external_id] = [fresh('face'), fresh('account')];
  const first = await venue.settle(face, { external_id });
  await venue.lock(first.vyt);
  const next = await venue.settle(face, { external_id });
  expect(next.confirmation.id).not.toBe(first.confirmation.id);
});

test('"Locking during testing denies the test user on every retry"', async () => {
  const [face, external_id] = [fresh('face'), fresh('account')];
  await venue.lock((await venue.settle(face, { external_id })).vyt);
  for (let retry = 0; retry < 3; retry += 1) {
    const { confirmation } = await venue.settle(face, { external_id });
    expect(confirmation).toMatchObject({ verified: false, status: 'denied' });
    expect(confirmation.reasons).toContain('pass_locked');
  }
});

test('"It applies to the person’s pass on the verification, not only to the token in hand"', async () => {
  const [face, external_id] = [fresh('face'), fresh('account')];
  const request = { external_id, config: NO_SKIP };
  const first = await venue.settle(face, request);
  const second = await venue.settle(face, request);
  await venue.lock(second.vyt);
  expect((await venue.confirm(first.vyt)).body).toMatchObject({ locked: true, verified: false });
});

test('another verification, and another person, are not affected', async () => {
  const [face, external_id] = [fresh('face'), fresh('account')];
  const { verification_id } = await venue.verification();
  const here = await venue.settle(face);
  const there = await venue.settle(face, { verification_id, config: { collision: { action: 'flag' } } });
  const stranger = await venue.settle(fresh('face'), { external_id });
  await venue.lock(here.vyt);
  expect((await venue.confirm(there.vyt)).body).toMatchObject({ locked: false, verified: true });
  expect((await venue.confirm(stranger.vyt)).body).toMatchObject({ locked: false, verified: true });
});

test('a denied pass can be locked too: 200 with verified false', async () => {
  const { vyt } = await venue.settle('spoof');
  expect(await venue.lock(vyt)).toMatchObject({ status: 200, body: { locked: true, verified: false } });
});

test('errors are those of reading', async () => {
  const { vyt } = await venue.settle(fresh('face'));
  expect(await venue.lock('x')).toMatchObject({
    status: 401,
    body: { detail: 'invalid_confirmation_token' },
  });
  expect(await venue.lock(vyt, venue.keys.pk_test)).toMatchObject({
    status: 401,
    body: { detail: 'invalid_key_type' },
  });
  expect(await venue.lock(vyt, venue.keys.sk_live)).toMatchObject({
    status: 404,
    body: { detail: 'not found' },
  });
  expect((await venue.confirm(vyt)).body).toMatchObject({ locked: false });
});
