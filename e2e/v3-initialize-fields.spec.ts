/** POST /v3/initialize: every field's type, bounds and nullability (contract, "v3: initialize request", "Limits"). */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import type { NewCompany } from '../server/services/companies/companies.ts';
import { send } from './support/http.ts';
import { type Gatehouse, startGatehouse } from './support/server.ts';

const LONGEST = 'x'.repeat(255);
const TOO_LONG = 'x'.repeat(256);

let gatehouse: Gatehouse;
let company: NewCompany;
test.beforeAll(async () => {
  gatehouse = await startGatehouse();
  ({ company } = gatehouse);
  await gatehouse.cli(['verification', 'create', '--company', company.company_id, '--external-id', 'door-2']);
});
test.afterAll(async () => {
  await gatehouse.stop();
});

type Body = Record<string, unknown>;
const post = (body: unknown, key: string = company.keys.sk_test) =>
  send<Body>(`${gatehouse.baseUrl}/v3/initialize`, { key, body, method: 'POST' });
const withIdentifier = (body: Body): Body => ({ external_id: randomUUID(), ...body });

/** Every field with values that fit. */
const FITTING: Record<string, () => Body[]> = {
  origin: () => [{ origin: 'venue.example' }, { origin: 'https://venue.example' }],
  return_path: () => [{ return_path: '/back' }],
  start_path: () => [{ start_path: '/shop', origin: 'venue.example' }],
  verification_id: () => [{ verification_id: company.default_verification_id }],
  verification_external_id: () => [{ verification_external_id: 'door-2' }],
  email: () => [{ email: 'fits@venue.example' }],
  phone: () => [{ phone: '+4915112345678' }],
  external_id: () => [{ external_id: 'x' }, { external_id: LONGEST }],
  external_tracker: () => [{ external_tracker: 'anything' }],
  group: () => [{ group: 'g' }, { group: LONGEST }],
  include_groups: () => [
    { include_groups: ['h'] },
    { group: 'g', include_groups: ['g', 'g', LONGEST] },
    { include_groups: Array.from({ length: 50 }, (_, index) => `g${index}`) },
  ],
  redirect_url: () => [
    { redirect_url: 'https://venue.example/back?x=1' },
    { redirect_url: 'http://localhost:3000/' },
    { redirect_url: 'http://192.168.1.20/back' },
  ],
  pass_params: () => [{ pass_params: {} }, { pass_params: { order: '17', vyt: 'ignored' } }],
  expire_in_days: () => [
    { email: 'one@venue.example', expire_in_days: 1 },
    { email: 'year@venue.example', expire_in_days: 365 },
  ],
  config: () => [{ config: {} }, { config: { collision: { action: 'flag' }, is_demo: true } }],
  auto_return: () => [{ auto_return: true }, { auto_return: false }],
  metadata: () => [
    withIdentifier({ metadata: {} }),
    withIdentifier({ metadata: { a: 'x'.repeat(1024), b: 0, c: 1.5, d: false, ['k'.repeat(64)]: 'v' } }),
    withIdentifier({
      metadata: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, index])),
    }),
  ],
};

for (const [field, bodies] of Object.entries(FITTING)) {
  test(`${field} is optional, may be null, and takes what fits`, async () => {
    for (const body of [{ [field]: null }, ...bodies()]) {
      const reply = await post(body);
      expect(reply.status, JSON.stringify([body, reply.body]).slice(0, 400)).toBe(200);
    }
  });
}

type Misfit = [value: unknown, type: string, within?: (string | number)[]];
const text: Misfit[] = [
  [5, 'string_type'],
  [{}, 'string_type'],
  [true, 'string_type'],
];
const id: Misfit[] = [...text, ['', 'string_too_short'], [TOO_LONG, 'string_too_long']];
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));
const MISFITS: Record<string, Misfit[]> = {
  origin: text,
  return_path: text,
  start_path: text,
  verification_id: [...text, ['no-uuid', 'uuid_parsing']],
  verification_external_id: text,
  email: text,
  phone: text,
  external_id: id,
  external_tracker: text,
  group: id,
  include_groups: [
    ['g', 'list_type'],
    [{}, 'list_type'],
    [[], 'too_short'],
    [Array.from({ length: 51 }, (_, i) => `g${i}`), 'too_long'],
    [[''], 'string_too_short', [0]],
    [['g', TOO_LONG], 'string_too_long', [1]],
    [['g', 5], 'string_type', [1]],
  ],
  redirect_url: text,
  pass_params: [
    ['x', 'dict_type'],
    [[], 'dict_type'],
    [{ order: 17 }, 'string_type', ['order']],
  ],
  expire_in_days: [
    ['5', 'int_type'],
    [1.5, 'int_type'],
    [0, 'greater_than_equal'],
    [366, 'less_than_equal'],
  ],
  config: [
    ['x', 'dict_type'],
    [[], 'dict_type'],
  ],
  auto_return: [
    ['true', 'bool_type'],
    [1, 'bool_type'],
  ],
  metadata: [
    ['x', 'dict_type'],
    [many(51), 'too_long'],
    [{ a: '' }, 'string_too_short', ['a']],
    [{ a: 'x'.repeat(1025) }, 'string_too_long', ['a']],
    [{ '': 'v' }, 'string_too_short', ['', '[key]']],
    [{ ['k'.repeat(65)]: 'v' }, 'string_too_long', ['k'.repeat(65), '[key]']],
    [{ a: null }, 'string_type', ['a']],
    [{ a: {} }, 'string_type', ['a']],
    [{ a: ['x'] }, 'string_type', ['a']],
  ],
};

for (const [field, misfits] of Object.entries(MISFITS)) {
  test(`${field} is refused with 422 where it does not fit`, async () => {
    for (const [value, type, within = []] of misfits) {
      const { status, body } = await post({ [field]: value });
      expect(status, JSON.stringify([value, body])).toBe(422);
      const detail = body['detail'] as Body[];
      expect(detail.map((finding) => [finding['loc'], finding['type']])).toEqual([
        [['body', field, ...within], type],
      ]);
      for (const finding of detail) expect(typeof finding['msg']).toBe('string');
    }
  });
}

test('every misfit of a body is told, whichever key sent it', async () => {
  const { status, body } = await post({ external_id: '', auto_return: 'x', email: 5 }, company.keys.pk_live);
  expect(status).toBe(422);
  expect((body['detail'] as Body[]).map((finding) => (finding['loc'] as string[])[1]).sort()).toEqual([
    'auto_return',
    'email',
    'external_id',
  ]);
});

test('a body that is none, or no object, or no JSON is refused with 422; unknown fields are ignored', async () => {
  const detailOf = async (body: unknown) => {
    const reply = await post(body);
    expect(reply.status).toBe(422);
    return (reply.body['detail'] as Body[]).map(({ type, loc }) => [type, (loc as unknown[])[0]]);
  };
  expect(await detailOf(undefined)).toEqual([['missing', 'body']]);
  expect(await detailOf('{"email": ')).toEqual([['json_invalid', 'body']]);
  expect(await detailOf('[]')).toEqual([['dict_type', 'body']]);
  expect(await detailOf('"x"')).toEqual([['dict_type', 'body']]);
  expect((await post({ something_new: 1 })).status).toBe(200);
});
