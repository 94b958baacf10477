/** Contract, v2 rule 5 and "v2 verification": status; decisions §4.3. */
import { expect } from '@playwright/test';
import { broughtBack, create, failure, openLink, STATUS, status, walk } from '../connect.ts';
import { fresh, openVenue, test, type Venue } from '../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'v2 status');
});

const REDIRECT = 'https://shop.example/back';
const begin = () => create(venue, { external_id: fresh('guest'), redirect: REDIRECT });
const incomplete = (external_id: string) => ({ verification_complete: false, external_id });
const complete = (external_id: string) => ({ verification_complete: true, external_id });

test('5: "an in-flight verification answers 200 with verification_complete false"', async () => {
  const { external_id, verification_url: link } = await begin();
  expect(await status(venue, { external_id })).toEqual(incomplete(external_id));
  await openLink(venue, link);
  expect(await status(venue, { external_id })).toEqual(incomplete(external_id));
});

test('"finishes the liveness check": true, by token and by external_id', async () => {
  const { external_id, verification_url: link } = await begin();
  const { snapshot } = await walk(venue, link, fresh('face'));
  const token = broughtBack(snapshot).get('vy_token');
  expect(await status(venue, { external_id })).toEqual(complete(external_id));
  expect(await status(venue, { token })).toEqual(complete(external_id));
  expect(await status(venue, { token, external_id })).toEqual(complete(external_id));
});

test('§4.3: "denied, declined and in review read false"', async () => {
  const denied = await begin();
  const { snapshot } = await walk(venue, denied.verification_url, 'spoof');
  expect(await status(venue, { external_id: denied.external_id })).toEqual(incomplete(denied.external_id));
  expect(await status(venue, { token: broughtBack(snapshot).get('vy_token') })).toEqual(
    incomplete(denied.external_id),
  );
  const declined = await begin();
  await (await openLink(venue, declined.verification_url)).flow('/decline', {});
  expect(await status(venue, { external_id: declined.external_id })).toEqual(
    incomplete(declined.external_id),
  );
  const face = fresh('face');
  await walk(venue, (await begin()).verification_url, face);
  const reviewed = await begin();
  const { run } = await walk(venue, reviewed.verification_url, face);
  expect(await status(venue, { external_id: reviewed.external_id })).toEqual(
    incomplete(reviewed.external_id),
  );
  await run.flow('/test-review', { decision: 'approve' });
  expect(await status(venue, { external_id: reviewed.external_id })).toEqual(complete(reviewed.external_id));
});

test('§4.3: by external_id it is "complete if any of its runs is"; the token reports on its own run', async () => {
  const external_id = fresh('guest');
  const again = () => create(venue, { external_id, redirect: REDIRECT });
  const failed = await walk(venue, (await again()).verification_url, 'blurred');
  await walk(venue, (await again()).verification_url, fresh('face'));
  await again();
  expect(await status(venue, { external_id })).toEqual(complete(external_id));
  const token = broughtBack(failed.snapshot).get('vy_token');
  expect(await status(venue, { token, external_id })).toEqual(incomplete(external_id));
});

test('§4.3: with both, "the external_id must belong to it (else 404)"', async () => {
  const { external_id, verification_url: link } = await begin();
  const token = broughtBack((await walk(venue, link, fresh('face'))).snapshot).get('vy_token');
  const other = await begin();
  expect(await failure(venue, STATUS, { token, external_id: other.external_id })).toBe('404 DOES_NOT_EXIST');
  expect(await status(venue, { token, external_id })).toEqual(complete(external_id));
});

test('"At least one is required": neither is 400 INVALID_API_ACCESS', async () => {
  for (const body of [undefined, {}, 'null', { token: null, external_id: null }, { other: 1 }])
    expect(await failure(venue, STATUS, body)).toBe('400 INVALID_API_ACCESS');
});

test('5: "a 404 is returned only when no verification matches"', async () => {
  for (const body of [
    { external_id: fresh('nobody') },
    { token: 'vt:00000000-0000-4000-8000-000000000000' },
    { token: 'vt:x' },
    { token: 'x' },
  ])
    expect([body, await failure(venue, STATUS, body)]).toEqual([body, '404 DOES_NOT_EXIST']);
});

test('§1.2: runs of another company or the other partition do not exist', async () => {
  const { external_id, verification_url: link } = await begin();
  const token = broughtBack((await walk(venue, link, fresh('face'))).snapshot).get('vy_token');
  const other = await openVenue(venue.gatehouse, 'v2 stranger');
  for (const key of [venue.keys.ak_live, other.keys.ak_test])
    for (const body of [{ external_id }, { token }, { token, external_id }])
      expect(await failure(venue, STATUS, body, { key })).toBe('404 DOES_NOT_EXIST');
});

test('§2.3: a rolled key sees the runs of its old one', async () => {
  const rolled = await openVenue(venue.gatehouse, 'v2 rolled');
  const { external_id } = await create(rolled, { external_id: fresh('guest') });
  const keys = await rolled.cli<{ pair_id: string; kind: string }[]>('keys', 'list');
  const pair = keys.find(({ kind }) => kind === 'ak_test')?.pair_id ?? '';
  const made = await rolled.cli<{ keys: { ak_test: string } }>(
    'keys',
    'roll',
    '--pair',
    pair,
    '--overlap',
    'now',
    '--reason',
    'test',
  );
  expect(await failure(rolled, STATUS, { external_id })).toBe('401 INVALID_API_KEY');
  expect(await failure(rolled, STATUS, { external_id: 'x' }, { key: made.keys.ak_test })).toBe(
    '404 DOES_NOT_EXIST',
  );
  expect(await create(rolled, { external_id }, made.keys.ak_test)).toMatchObject({ external_id });
});

test('wrong types are 400 INVALID_REQUEST', async () => {
  for (const body of [{ token: 1 }, { external_id: 1 }, { external_id: '' }, [], 'text', '"text"', '{'])
    expect(await failure(venue, STATUS, body)).toBe('400 INVALID_REQUEST');
});
