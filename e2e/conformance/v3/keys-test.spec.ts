/** Contract, "v3: key test" and rule 7 of the confirmation endpoints. */
import { expect } from '@playwright/test';
import type { KeyTestResponse } from '../../../server/contract/v3.ts';
import { openVenue, test, type Venue } from '../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'Key tests');
});

const ask = (key: string | null, headers?: Record<string, string>) =>
  venue.call<KeyTestResponse>('/v3/keys/test', { method: 'POST', key, ...(headers && { headers }) });

for (const kind of ['pk_live', 'pk_test', 'sk_live', 'sk_test'] as const) {
  test(`${kind}: valid, its kind, its partition, "Owning company"`, async () => {
    const { status, body } = await ask(venue.keys[kind]);
    expect([status, body]).toEqual([
      200,
      { valid: true, key_type: kind, is_test: kind.endsWith('test'), customer_id: venue.companyId },
    ]);
  });

  test(`${kind}: an unknown key of the right form keeps its kind, and nothing else is returned`, async () => {
    const { status, body } = await ask(`${kind}_${'0'.repeat(32)}`);
    expect([status, body]).toEqual([200, { valid: false, key_type: kind, is_test: null, customer_id: null }]);
  });
}

test('7: "always answers 200; a bad key gives valid false"', async () => {
  const UNKNOWN = { valid: false, key_type: 'unknown', is_test: null, customer_id: null };
  for (const key of [null, 'x', 'sk_test_', venue.keys.ak_live, `${venue.keys.sk_test}0`, 'sk_prod_x']) {
    const { status, body } = await ask(key);
    expect([status, body]).toEqual([200, UNKNOWN]);
  }
  expect((await ask(null, { authorization: 'Basic eDp5' })).body).toEqual(UNKNOWN);
});

test('valid: "False for unknown or revoked keys"', async () => {
  const other = await openVenue(venue.gatehouse, 'Revoked');
  const keys = await other.cli<{ key_id: string; kind: string }[]>('keys', 'list');
  const { key_id } = keys.find(({ kind }) => kind === 'pk_live')!;
  await other.cli('keys', 'revoke', '--key', key_id, '--reason', 'lost');
  expect(await ask(other.keys.pk_live)).toMatchObject({
    status: 200,
    body: { valid: false, key_type: 'pk_live', is_test: null, customer_id: null },
  });
  expect((await ask(other.keys.sk_live)).body.valid).toBe(true);
});

test('"no body": a body is ignored', async () => {
  for (const body of ['{', 'null', '{"a":1}', '']) {
    const reply = await venue.call<KeyTestResponse>('/v3/keys/test', { method: 'POST', body });
    expect([reply.status, (reply.body as Partial<KeyTestResponse>).valid]).toEqual([200, true]);
  }
});
