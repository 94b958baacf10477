/** Contract, "v1 resources" and v1 rules 1 to 3: register and get_status; decisions §4.7. */
import { expect } from '@playwright/test';
import { failure, GET_STATUS, getStatus, openLink, REGISTER, register, walk } from '../connect.ts';
import { fresh, openVenue, test, type Venue } from '../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'v1 users');
});

const SCORE = { type: 'GET_HUMANNESS_SCORE_AND_UNIQUE_HUMAN_ID' };
const PHONE = { type: 'IS_PHONE_NUMBER_VERIFIED' };

/**
 * A registered and verified person.
 * @returns the result of get_status
 */
async function connected(face: string, fields: object = {}, at = venue) {
  const reference_user_id = fresh('user');
  const { invite_url } = await register(at, { reference_user_id, data_request: [SCORE], ...fields });
  const { run, snapshot } = await walk(at, invite_url, face);
  return { reference_user_id, run, snapshot, status: await getStatus(at, reference_user_id) };
}

const uniqueIdOf = ({ simple_data_request_response: [first] }: Awaited<ReturnType<typeof getStatus>>) =>
  (first?.result as { unique_human_id?: string } | undefined)?.unique_human_id;

test('register: status, invite_url, user_id "bcu_ plus suffix", connection_verified false', async () => {
  const body = await register(venue, { reference_user_id: fresh('user') });
  expect(body).toEqual({
    status: 'success',
    invite_url: expect.stringMatching(/\/invite\/[A-Za-z0-9]{22,}$/),
    user_id: expect.stringMatching(/^bcu_\w+$/),
    connection_verified: false,
  });
  expect(new URL(body.invite_url).origin).toBe(venue.baseUrl);
});

test('reference_user_id is required: 400 INVALID_REQUEST', async () => {
  for (const body of [
    undefined,
    {},
    'null',
    { reference_user_id: null },
    { reference_user_id: '' },
    { reference_user_id: 7 },
  ])
    for (const path of [REGISTER, GET_STATUS])
      expect([path, body, await failure(venue, path, body)]).toEqual([path, body, '400 INVALID_REQUEST']);
});

test('§4.7: a known reference again under the same key gives the same user_id with a fresh invite', async () => {
  const reference_user_id = fresh('user');
  const [first, second] = [
    await register(venue, { reference_user_id }),
    await register(venue, { reference_user_id }),
  ];
  expect(second.user_id).toBe(first.user_id);
  expect(second.invite_url).not.toBe(first.invite_url);
  const live = await register(venue, { reference_user_id }, venue.keys.ak_live);
  expect(live.user_id).not.toBe(first.user_id);
});

test('§4.7: data_request "may be one object or an array"; an unknown type is INVALID_REQUEST', async () => {
  const reference_user_id = fresh('user');
  for (const data_request of [SCORE, [SCORE], [SCORE, PHONE], [], null])
    await register(venue, { reference_user_id, data_request });
  for (const data_request of [{ type: 'X' }, [SCORE, { type: 'X' }], [{}], {}, 'X', [null], [SCORE.type]])
    expect([data_request, await failure(venue, REGISTER, { reference_user_id, data_request })]).toEqual([
      data_request,
      '400 INVALID_REQUEST',
    ]);
});

test('redirect_url follows v3’s rule, and 1: "the person returns to it on completion"', async () => {
  const reference_user_id = fresh('user');
  for (const redirect_url of ['/x', 'http://shop.example', 'javascript:alert(1)', 'https://a@b.example'])
    expect(await failure(venue, REGISTER, { reference_user_id, redirect_url })).toBe('400 INVALID_REQUEST');
  const { snapshot } = await connected(fresh('face'), { redirect_url: 'https://shop.example/done?a=1' });
  expect(snapshot.result?.return_url).toMatch(/^https:\/\/shop\.example\/done\?a=1/);
  expect((await connected(fresh('face'))).snapshot.result?.return_url).toBeNull();
});

test('3: "An unknown user gives failure code DOES_NOT_EXIST", another company’s and partition’s too', async () => {
  const { reference_user_id } = await connected(fresh('face'));
  const other = await openVenue(venue.gatehouse, 'v1 stranger');
  expect(await failure(venue, GET_STATUS, { reference_user_id: fresh('nobody') })).toBe('404 DOES_NOT_EXIST');
  for (const key of [venue.keys.ak_live, other.keys.ak_test])
    expect(await failure(venue, GET_STATUS, { reference_user_id }, { key })).toBe('404 DOES_NOT_EXIST');
});

test('before a run has_connection is false, and there are no results', async () => {
  const reference_user_id = fresh('user');
  await register(venue, { reference_user_id, data_request: [SCORE, PHONE] });
  expect(await getStatus(venue, reference_user_id)).toEqual({
    status: 'success',
    has_connection: false,
    simple_data_request_response: [],
  });
});

test('§4.7: both "turn true when the run is approved", and 3: "one result per requested type"', async () => {
  const { reference_user_id, status } = await connected(fresh('face'), {
    data_request: [PHONE, SCORE, PHONE],
  });
  expect(status).toEqual({
    status: 'success',
    has_connection: true,
    simple_data_request_response: [
      { ...PHONE, result: { is_phone_number_verified: true } },
      {
        ...SCORE,
        result: {
          humanness_score: expect.any(Number),
          unique_human_id: expect.stringMatching(/^uh_[A-Za-z0-9_-]{43}$/),
        },
      },
    ],
  });
  expect((await register(venue, { reference_user_id })).connection_verified).toBe(true);
});

test('§4.7: humanness_score is 0 to 100, "higher is more human"', async () => {
  const { status } = await connected(fresh('face'));
  const { humanness_score: score } = status.simple_data_request_response[0]!.result as {
    humanness_score: number;
  };
  expect(Number.isInteger(score)).toBe(true);
  expect(score).toBeGreaterThan(50);
  expect(score).toBeLessThanOrEqual(100);
});

test('§4.7: unique_human_id is "the same for one person within a company, and unlinkable between companies"', async () => {
  const [face, other] = [fresh('face'), await openVenue(venue.gatehouse, 'v1 elsewhere')];
  const region = () => ({ uniqueness_region_id: fresh('region') });
  const here = uniqueIdOf((await connected(face, region())).status);
  expect(here).toBeDefined();
  expect(uniqueIdOf((await connected(face, region())).status)).toBe(here);
  expect(uniqueIdOf((await connected(fresh('face'), region())).status)).not.toBe(here);
  expect(uniqueIdOf((await connected(face, region(), other)).status)).not.toBe(here);
});

test('an empty list if no results were requested', async () => {
  const { status } = await connected(fresh('face'), { data_request: [] });
  expect(status).toEqual({ status: 'success', has_connection: true, simple_data_request_response: [] });
});

test('a run that fails or is declined creates no connection', async () => {
  expect((await connected('spoof')).status.has_connection).toBe(false);
  const reference_user_id = fresh('user');
  const { invite_url } = await register(venue, { reference_user_id });
  await (await openLink(venue, invite_url)).flow('/decline', {});
  expect((await getStatus(venue, reference_user_id)).has_connection).toBe(false);
});

test('2: uniqueness "is enforced per service account by default", "uniqueness_region_id scopes it"', async () => {
  const face = fresh('face');
  expect((await connected(face)).status.has_connection).toBe(true);
  const second = await connected(face);
  expect([second.snapshot.state, second.status.has_connection]).toEqual(['in_review', false]);
  await second.run.flow('/test-review', { decision: 'approve_flagged' });
  expect((await getStatus(venue, second.reference_user_id)).has_connection).toBe(true);
  const elsewhere = await connected(face, { uniqueness_region_id: fresh('survey') });
  expect(elsewhere.status.has_connection).toBe(true);
});

test('§4.7: a reviewer’s denial creates no connection', async () => {
  const face = fresh('face');
  await connected(face);
  const second = await connected(face);
  await second.run.flow('/test-review', { decision: 'deny' });
  expect((await getStatus(venue, second.reference_user_id)).has_connection).toBe(false);
});

test('§1.4: bodies are never coerced, unknown fields are ignored', async () => {
  const reference_user_id = fresh('user');
  for (const field of ['redirect_url', 'uniqueness_region_id'])
    for (const value of [5, true, [], {}])
      expect(await failure(venue, REGISTER, { reference_user_id, [field]: value })).toBe(
        '400 INVALID_REQUEST',
      );
  await register(venue, { reference_user_id, more: { of: 'this' } });
});
