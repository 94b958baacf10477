/** Contract, "Errors", v3: each row of initialize and of "any"; decisions §3.1 to §3.7 for what the contract leaves open. */
import { expect } from '@playwright/test';
import {
  type Finding,
  findingsOf,
  fresh,
  freshEmail,
  freshPhone,
  NOBODYS_UUID,
  NO_SKIP,
} from '../../support.ts';
import { openVenue, test, type Venue } from '../../support.ts';

let venue: Venue;
let other: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'Initialize, errors');
  other = await openVenue(gatehouse, 'Somebody else');
});

test('"Status code plus JSON {detail: <code>}"', async () => {
  const { status, body, headers } = await venue.initialize({ redirect_url: 'x' });
  expect([status, body]).toEqual([400, { detail: 'invalid_redirect_url' }]);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(headers.get('cache-control')).toBe('no-store');
});

test('400 identifiers_require_secret_key: "A secret-only identifier field was sent with a publishable key"', async () => {
  expect(await venue.refusal({ external_id: 'x' }, venue.keys.pk_test)).toBe(
    '400 identifiers_require_secret_key',
  );
});

test('401 invalid_key_type: "Key is not a recognized publishable or secret key"', async () => {
  for (const key of ['nonsense', venue.keys.ak_test, 'sk_prod_x', 'SK_TEST_x']) {
    expect(await venue.refusal({}, key)).toBe('401 invalid_key_type');
  }
});

test('401 invalid_or_revoked_key: "Key unknown or revoked"', async () => {
  for (const key of [`sk_test_${'x'.repeat(32)}`, `${venue.keys.sk_test}x`, 'pk_live_', 'sk_test_ü']) {
    expect(await venue.refusal({}, encodeURI(key))).toBe('401 invalid_or_revoked_key');
  }
});

test('401 authentication_required: no bearer token (decisions §3.1)', async () => {
  for (const headers of [undefined, { authorization: 'Basic eDp5' }, { authorization: 'Bearer' }]) {
    const reply = await venue.call('/v3/initialize', { key: null, body: {}, ...(headers && { headers }) });
    expect([reply.status, reply.body]).toEqual([401, { detail: 'authentication_required' }]);
  }
});

test('403 config_requires_test_key: "config sent with a live key"', async () => {
  expect(await venue.refusal({ config: { unheard: 1 } }, venue.keys.sk_live)).toBe(
    '403 config_requires_test_key',
  );
});

test.describe('404 no_matching_verification: "No verification could be resolved"', () => {
  test('an unknown id or external id', async () => {
    expect(await venue.refusal({ verification_id: NOBODYS_UUID })).toBe('404 no_matching_verification');
    expect(await venue.refusal({ verification_external_id: 'none' })).toBe('404 no_matching_verification');
  });

  test('another company’s is not found (decisions §1.2)', async () => {
    expect(await venue.refusal({ verification_id: other.defaultVerificationId })).toBe(
      '404 no_matching_verification',
    );
  });

  test('a live publishable key can only name a saved origin (decisions §3.5)', async () => {
    await venue.verification({ origin: 'https://known.example' });
    const { pk_live, pk_test, sk_live } = venue.keys;
    expect((await venue.initialize({ origin: 'known.example' }, pk_live)).status).toBe(200);
    expect(await venue.refusal({ origin: 'stranger.example' }, pk_live)).toBe('404 no_matching_verification');
    for (const key of [pk_test, sk_live]) {
      expect((await venue.initialize({ origin: 'stranger.example' }, key)).status).toBe(200);
    }
  });
});

test.describe('409 external_id_already_exists: "external_id already bound to a verification"', () => {
  test('another verification is refused; the same is a return visit (decisions §3.6)', async () => {
    const external_id = fresh('account');
    await venue.settle(fresh('face'), { external_id });
    const { verification_id } = await venue.verification();
    expect(await venue.refusal({ external_id, verification_id })).toBe('409 external_id_already_exists');
    expect((await venue.initialize({ external_id })).status).toBe(200);
  });

  test('a run that was denied binds nothing; the other partition and company are unaffected', async () => {
    const [denied, bound] = [fresh('account'), fresh('account')];
    await venue.settle('spoof', { external_id: denied });
    await venue.settle(fresh('face'), { external_id: bound });
    const { verification_id } = await venue.verification();
    expect((await venue.initialize({ external_id: denied, verification_id })).status).toBe(200);
    expect((await venue.initialize({ external_id: bound, verification_id }, venue.keys.sk_live)).status).toBe(
      200,
    );
    expect((await other.initialize({ external_id: bound })).status).toBe(200);
  });
});

test.describe('409 identity_already_claimed (decisions §3.6)', () => {
  for (const [field, make] of [
    ['email', freshEmail],
    ['phone', freshPhone],
  ] as const) {
    test(`${field}: unless the request’s external_id is that same person’s`, async () => {
      const [identity, external_id] = [{ [field]: make() }, fresh('account')];
      await venue.settle(fresh('face'), { ...identity, external_id });
      expect(await venue.refusal(identity)).toBe('409 identity_already_claimed');
      expect(await venue.refusal({ ...identity, external_id: fresh('account') })).toBe(
        '409 identity_already_claimed',
      );
      expect((await venue.initialize({ ...identity, external_id })).status).toBe(200);
      expect((await venue.initialize(identity, venue.keys.sk_live)).status).toBe(200);
      expect((await other.initialize(identity)).status).toBe(200);
    });
  }

  test('one that was only sent, or whose run was denied, is free', async () => {
    const email = freshEmail();
    await venue.initialize({ email });
    await venue.settle('spoof', { email });
    expect((await venue.initialize({ email })).status).toBe(200);
  });
});

test.describe('422 config_incomplete: "config declares options not built yet; the message lists them"', () => {
  test('names with a dot are nested objects', async () => {
    expect(await venue.refusal({ config: { b: 1, collision: { action: 'deny', x: 1 }, a: 1 } })).toBe(
      '422 config_incomplete: missing b, collision.x, a',
    );
    expect(await venue.refusal({ config: { constructor: 1 } })).toBe(
      '422 config_incomplete: missing constructor',
    );
  });

  test('a known option with an invalid value is a finding', async () => {
    expect(
      await venue.findings({ config: { collision: { action: 'shrug' }, limit: { kind: 'day', max: 0 } } }),
    ).toEqual([
      'literal_error at body.config.collision.action',
      'greater_than_equal at body.config.limit.max',
    ]);
  });
});

test.describe('422 validation error body: "Body fails schema validation"', () => {
  test('"detail: array of objects with loc, msg, type and optionally input and ctx"; every error is listed', async () => {
    const reply = await venue.initialize<{ detail: Finding[] }>({
      origin: 5,
      external_id: '',
      auto_return: 'x',
    });
    expect(reply.status).toBe(422);
    expect(reply.body.detail).toEqual([
      { type: 'string_type', loc: ['body', 'origin'], msg: expect.any(String), input: 5 },
      {
        type: 'string_too_short',
        loc: ['body', 'external_id'],
        msg: expect.any(String),
        input: '',
        ctx: { min_length: 1 },
      },
      { type: 'bool_type', loc: ['body', 'auto_return'], msg: expect.any(String), input: 'x' },
    ]);
  });

  test('"body required": a missing body, null, text and a list are refused', async () => {
    const none = await venue.call('/v3/initialize', { method: 'POST' });
    expect(findingsOf(none)).toEqual(['missing at body']);
    expect(await venue.findings('null')).toEqual(['missing at body']);
    expect(await venue.findings('"text"')).toEqual(['dict_type at body']);
    expect(await venue.findings('[]')).toEqual(['dict_type at body']);
  });

  test('invalid JSON: json_invalid', async () => {
    for (const text of ['{', '{"origin": }', 'origin=x', '{"a":1}}', '\u0000']) {
      expect(await venue.findings(text)).toEqual([expect.stringMatching(/^json_invalid at body\.\d+$/)]);
    }
  });
});

test.describe('400 for combinations of fields (decisions §3.4)', () => {
  for (const [code, body] of [
    ['one_identifier_only', { email: 'a@example.com', phone: '+999011234567' }],
    ['identifier_unrecognized', { email: 'nobody' }],
    ['identifier_unrecognized', { email: '' }],
    ['identifier_unrecognized', { phone: '12345' }],
    ['identifier_unrecognized', { phone: '+1' }],
    ['start_path_requires_origin', { start_path: '/x' }],
    ['return_path_requires_origin', { return_path: '/x' }],
    ['invalid_origin', { origin: 'null' }],
    ['invalid_origin', { origin: '*.t.example' }],
    ['invalid_origin', { origin: 'a.example,b.example' }],
    ['invalid_redirect_url', { redirect_url: 'nowhere' }],
    ['expire_in_days_requires_email', { expire_in_days: 3 }],
    ['metadata_requires_identifier', { metadata: { a: 1 } }],
  ] as const) {
    test(`${code}: ${JSON.stringify(body)}`, async () => {
      expect(await venue.refusal(body)).toBe(`400 ${code}`);
    });
  }
});

test('order of checks: key, schema, privilege, meaning (decisions §1.3)', async () => {
  const wrong = { group: 5, email: 'nobody', config: { x: 1 } };
  expect(await venue.refusal(wrong, 'sk_test_x')).toBe('401 invalid_or_revoked_key');
  expect(await venue.findings(wrong, venue.keys.pk_live)).toEqual(['string_type at body.group']);
  expect(await venue.refusal({ ...wrong, group: 'g' }, venue.keys.pk_live)).toBe(
    '400 identifiers_require_secret_key',
  );
  expect(await venue.refusal({ ...wrong, group: 'g' }, venue.keys.sk_live)).toBe(
    '403 config_requires_test_key',
  );
  expect(await venue.refusal({ email: 'nobody', config: NO_SKIP, verification_id: NOBODYS_UUID })).toBe(
    '400 identifier_unrecognized',
  );
});
