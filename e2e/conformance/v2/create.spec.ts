/** Contract, "v2 resources" and v2 rules 1 to 4: create and its links; decisions §4.2 to §4.5. */
import { expect } from '@playwright/test';
import {
  broughtBack,
  connect,
  CREATE,
  create,
  failure,
  openLink,
  provePhone,
  status,
  walk,
} from '../connect.ts';
import { captured, fresh, freshPhone, openVenue, test, type Venue } from '../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'v2 create');
});

const ANY_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const REDIRECT = 'https://shop.example/back?keep=1';

test('§4.3: "nothing is required"; external_id is "the generated one", a UUID', async () => {
  for (const body of [
    undefined,
    {},
    '',
    'null',
    { external_id: null, redirect: null, region: null, phone: null },
  ]) {
    const reply = await connect<Record<string, string>>(venue, CREATE, body);
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.body).sort()).toEqual(['external_id', 'verification_url']);
    expect(reply.body['external_id']).toMatch(ANY_UUID);
  }
});

test('external_id "echoes the sent value", and §4.3: "reusing an external_id is legal"', async () => {
  const id = fresh('guest');
  const [first, second] = [
    await create(venue, { external_id: id }),
    await create(venue, { external_id: id }),
  ];
  expect([first.external_id, second.external_id]).toEqual([id, id]);
  expect(first.verification_url).not.toBe(second.verification_url);
});

test('§4.4: without phone the link is {connect_url}/connect?session_id=…', async () => {
  const { verification_url: link } = await create(venue);
  const url = new URL(link);
  expect([url.origin, url.pathname, [...url.searchParams.keys()]]).toEqual([
    venue.baseUrl,
    '/connect',
    ['session_id'],
  ]);
});

test('§4.4: with phone it is {connect_url}/connect/direct?session_id=…&t=…, without the number or its code', async () => {
  const phone = freshPhone();
  const { verification_url: link } = await create(venue, { phone });
  const url = new URL(link);
  expect([url.pathname, [...url.searchParams.keys()]]).toEqual(['/connect/direct', ['session_id', 't']]);
  const t = url.searchParams.get('t') ?? '';
  const readable = t + Buffer.from(t, 'base64url').toString('latin1');
  expect(readable).not.toContain(phone.slice(-6));
  const again = new URL((await create(venue, { phone })).verification_url).searchParams.get('t');
  expect(again).not.toBe(t);
});

test('3: "phone on create makes the link skip the phone one-time-code step"', async () => {
  const direct = await openLink(venue, (await create(venue, { phone: freshPhone() })).verification_url);
  expect((await direct.snapshot()).step).toBe('capture');
  const landing = await openLink(venue, (await create(venue)).verification_url);
  expect((await landing.snapshot()).step).toBe('phone');
});

test('§4.4: t is "single-use" and bound to its session', async () => {
  const { verification_url: link } = await create(venue, { phone: freshPhone() });
  const session = new URL(link).searchParams.get('session_id') ?? '';
  const foreign = new URL((await create(venue, { phone: freshPhone() })).verification_url).searchParams.get(
    't',
  );
  const open = (t: string | null) =>
    connect<{ detail?: string }>(
      venue,
      `/flow/sessions/${session}/open`,
      { device: 'mobile', t },
      { key: null },
    );
  expect((await open(foreign)).status).toBe(404);
  await openLink(venue, link);
  expect((await open(new URL(link).searchParams.get('t'))).status).toBe(409);
});

test('§4.5: "a demo key takes test numbers only"; a production key takes real ones only', async () => {
  const { ak_live } = venue.keys;
  expect(await failure(venue, CREATE, { phone: '+4915112345678' })).toBe('400 INVALID_REQUEST');
  expect(await failure(venue, CREATE, { phone: freshPhone() }, { key: ak_live })).toBe('400 INVALID_REQUEST');
  const { verification_url: link } = await create(venue, { phone: '+4915112345678' }, ak_live);
  // "skipping for real numbers is not available": locked to the number, but the code is still requested.
  const snapshot = await (await openLink(venue, link)).snapshot();
  expect(snapshot.step).toBe('phone');
});

test('phone is E.164: anything else is refused', async () => {
  for (const phone of ['', 'x', '015112345678', '+1', '+99901123', '+12105550'])
    expect([phone, await failure(venue, CREATE, { phone })]).toEqual([phone, '400 INVALID_REQUEST']);
});

test('§4.3: redirect follows v3’s rule for redirect_url', async () => {
  for (const redirect of ['https://shop.example/', 'http://localhost:3000/x', 'http://192.168.1.4/'])
    expect((await connect(venue, CREATE, { redirect })).status).toBe(200);
  for (const redirect of [
    '',
    '/back',
    'shop.example',
    'http://shop.example',
    'javascript:alert(1)',
    'ftp://x.example',
    'https://shop.example@evil.example/',
  ])
    expect([redirect, await failure(venue, CREATE, { redirect })]).toEqual([redirect, '400 INVALID_REQUEST']);
});

test('§1.4: bodies are never coerced, and unknown fields are ignored', async () => {
  for (const field of ['external_id', 'redirect', 'region', 'phone'])
    for (const value of [5, true, [], {}])
      expect(await failure(venue, CREATE, { [field]: value })).toBe('400 INVALID_REQUEST');
  expect((await connect(venue, CREATE, { nonsense: [1], secret: { a: 1 } })).status).toBe(200);
});

test('"Limits": external_id and region have 1 to 255 characters', async () => {
  for (const field of ['external_id', 'region']) {
    expect((await connect(venue, CREATE, { [field]: 'a'.repeat(255) })).status).toBe(200);
    expect(await failure(venue, CREATE, { [field]: '' })).toBe('400 INVALID_REQUEST');
    expect(await failure(venue, CREATE, { [field]: 'a'.repeat(256) })).toBe('400 INVALID_REQUEST');
  }
});

test('1: "afterwards redirected to redirect with vy_token and vy_status appended"', async () => {
  const { verification_url: link } = await create(venue, { redirect: REDIRECT });
  const { snapshot } = await walk(venue, link, fresh('face'));
  const url = new URL(snapshot.result?.return_url ?? '');
  expect(url.origin + url.pathname).toBe('https://shop.example/back');
  expect([...url.searchParams.keys()]).toEqual(['keep', 'vy_token', 'vy_status']);
  expect(url.searchParams.get('vy_token')).toMatch(/^vt:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(url.searchParams.get('vy_status')).toBe('approved');
});

test('§4.3: vy_status is "denied" after a failure or decline, "pending" during a review', async () => {
  const link = async () => (await create(venue, { redirect: REDIRECT })).verification_url;
  const failed = await walk(venue, await link(), 'spoof');
  expect(broughtBack(failed.snapshot).get('vy_status')).toBe('denied');
  const declining = await openLink(venue, await link());
  const declined = (await declining.flow('/decline', {})).body;
  expect(broughtBack(declined).get('vy_status')).toBe('denied');
  const face = fresh('face');
  await walk(venue, await link(), face);
  const inReview = (await walk(venue, await link(), face)).snapshot;
  expect(inReview.state).toBe('in_review');
  expect(broughtBack(inReview).get('vy_status')).toBe('pending');
});

test('4: "region limits each person to one account per region", and the next region is free', async () => {
  const [face, phone, here, there] = [fresh('face'), freshPhone(), fresh('region'), fresh('region')];
  const visit = async (region: string) => {
    const { verification_url: link, external_id } = await create(venue, { region, phone });
    const run = await openLink(venue, link);
    const before = await run.snapshot();
    const snapshot = before.state === 'open' ? await captured(run, face) : before;
    return { state: snapshot.state, captured: before.state === 'open', external_id };
  };
  const first = await visit(here);
  expect(first).toMatchObject({ state: 'settled', captured: true });
  // "joins a new region without a new liveness check"
  const second = await visit(there);
  expect(second).toMatchObject({ state: 'settled', captured: false });
  expect((await status(venue, { external_id: second.external_id })).verification_complete).toBe(true);
});

test('4: "Without region each person is limited to one account across the whole integration"', async () => {
  const face = fresh('face');
  const first = await walk(venue, (await create(venue)).verification_url, face);
  const second = await walk(venue, (await create(venue)).verification_url, face);
  expect([first.snapshot.state, second.snapshot.state]).toEqual(['settled', 'in_review']);
});

test('§6: a demo session accepts only test numbers, even on the landing page', async () => {
  const run = await openLink(venue, (await create(venue)).verification_url);
  expect((await run.flow('/phone', { phone: '+4915112345678' })).status).toBe(400);
  await provePhone(run);
  expect((await run.snapshot()).step).toBe('capture');
});
