/** Contract, "Rules for POST /v3/initialize", 11: metadata. */
import { expect } from '@playwright/test';
import { fresh, freshEmail, freshPhone, sharedVenue, test, type Venue } from '../../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await sharedVenue(gatehouse);
});

const findings = (metadata: unknown) => venue.findings({ external_id: fresh('account'), metadata });

test('"needs one identifier (email, phone or external_id); without one the session is refused"', async () => {
  const metadata = { tier: 'gold' };
  expect(await venue.refusal({ metadata })).toBe('400 metadata_requires_identifier');
  for (const identifier of [
    { email: freshEmail() },
    { phone: freshPhone() },
    { external_id: fresh('account') },
  ]) {
    expect((await venue.initialize({ metadata, ...identifier })).status).toBe(200);
  }
});

test('"At most 50 keys per session"', async () => {
  const keys = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i]));
  expect(await findings(keys(50))).toEqual([]);
  expect(await findings(keys(51))).toEqual(['too_long at body.metadata']);
});

test('"Key length 1 to 64 characters"', async () => {
  expect(await findings({ k: 1, ['k'.repeat(64)]: 1 })).toEqual([]);
  expect(await findings({ '': 1 })).toEqual(['string_too_short at body.metadata..[key]']);
  const long = 'k'.repeat(65);
  expect(await findings({ [long]: 1 })).toEqual([`string_too_long at body.metadata.${long}.[key]`]);
});

test('"A value is a string (length 1 to 1024), a number or a boolean"', async () => {
  expect(await findings({ a: 'x', b: 'x'.repeat(1024), c: -1.5, d: 0, e: false })).toEqual([]);
  expect(await findings({ a: 'x'.repeat(1025) })).toEqual(['string_too_long at body.metadata.a']);
  expect(await findings({ a: {}, b: [], c: ['x'] })).toEqual([
    'string_type at body.metadata.a',
    'string_type at body.metadata.b',
    'string_type at body.metadata.c',
  ]);
});

test('"An empty value is refused, so an accepted session kept every key"', async () => {
  expect(await findings({ a: '' })).toEqual(['string_too_short at body.metadata.a']);
  expect(await findings({ a: null })).toEqual(['string_type at body.metadata.a']);
});

test('"Never changes a result"', async () => {
  const verdict = async (metadata: Record<string, string | number | boolean>) => {
    const { confirmation } = await venue.settle(fresh('face'), { external_id: fresh('account'), metadata });
    const { id, confirmed_at, external_id, ...rest } = confirmation;
    expect([id, confirmed_at, external_id].every((own) => own !== null)).toBe(true);
    return rest;
  };
  const plain = await verdict({});
  expect(await verdict({ risk: 'high', verified: false, status: 'denied', __proto__x: 1 })).toEqual(plain);
});

test('a confirmation does not contain the person’s metadata', async () => {
  const secret = fresh('kept-for-the-dashboard');
  const { confirmation, snapshot } = await venue.settle(fresh('face'), {
    external_id: fresh('account'),
    metadata: { note: secret },
  });
  expect(JSON.stringify([confirmation, snapshot])).not.toContain(secret);
});
