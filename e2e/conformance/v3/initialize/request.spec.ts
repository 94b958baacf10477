/** Contract, "v3: initialize request": each row of the field table: type, required key, limits. */
import { expect } from '@playwright/test';
import { fresh, freshEmail, freshPhone, NO_SKIP, openVenue, test, type Venue } from '../../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'Initialize, fields');
  await venue.verification({
    origin: 'https://shop.example',
    'return-path': '/thanks',
    'external-id': 'shop',
  });
});

type Row = {
  field: string;
  type: string;
  /** Which keys may send it. */
  needs: 'any' | 'secret' | 'test key';
  valid: () => unknown;
  /** Other fields that a valid use requires. */
  beside?: () => Record<string, unknown>;
  wrong: [value: unknown, finding: string][];
};

const NOT_TEXT: Row['wrong'] = [
  [5, 'string_type'],
  [true, 'string_type'],
  [['x'], 'string_type'],
  [{}, 'string_type'],
];
const id255: Row['wrong'] = [
  ['', 'string_too_short'],
  ['x'.repeat(256), 'string_too_long'],
  [5, 'string_type'],
];

const ROWS: Row[] = [
  { field: 'origin', type: 'string', needs: 'any', valid: () => 'https://shop.example', wrong: NOT_TEXT },
  {
    field: 'return_path',
    type: 'string',
    needs: 'any',
    valid: () => '/back',
    beside: () => ({ origin: 'shop.example' }),
    wrong: NOT_TEXT,
  },
  {
    field: 'start_path',
    type: 'string',
    needs: 'any',
    valid: () => '/from',
    beside: () => ({ origin: 'shop.example' }),
    wrong: NOT_TEXT,
  },
  {
    field: 'verification_id',
    type: 'string (uuid) or null',
    needs: 'secret',
    valid: () => venue.defaultVerificationId,
    wrong: [
      ['not-a-uuid', 'uuid_parsing'],
      ['', 'uuid_parsing'],
      [7, 'string_type'],
    ],
  },
  {
    field: 'verification_external_id',
    type: 'string or null',
    needs: 'secret',
    valid: () => 'shop',
    wrong: NOT_TEXT,
  },
  { field: 'email', type: 'string or null', needs: 'secret', valid: freshEmail, wrong: NOT_TEXT },
  { field: 'phone', type: 'string or null', needs: 'secret', valid: freshPhone, wrong: NOT_TEXT },
  {
    field: 'external_id',
    type: 'string, length 1 to 255, or null',
    needs: 'secret',
    valid: () => fresh('account'),
    wrong: id255,
  },
  { field: 'external_tracker', type: 'string or null', needs: 'any', valid: () => 'x', wrong: NOT_TEXT },
  {
    field: 'group',
    type: 'string, length 1 to 255, or null',
    needs: 'secret',
    valid: () => 'friday',
    wrong: id255,
  },
  {
    field: 'include_groups',
    type: 'array of 1 to 50 strings, each length 1 to 255, or null',
    needs: 'secret',
    valid: () => ['thursday'],
    wrong: [
      [[], 'too_short'],
      [Array.from({ length: 51 }, (_, i) => `g${i}`), 'too_long'],
      ['thursday', 'list_type'],
    ],
  },
  {
    field: 'redirect_url',
    type: 'string or null',
    needs: 'secret',
    valid: () => 'https://shop.example/',
    wrong: NOT_TEXT,
  },
  {
    field: 'pass_params',
    type: 'object of string to string, or null',
    needs: 'any',
    valid: () => ({ order: '17' }),
    wrong: [
      ['order=17', 'dict_type'],
      [['order'], 'dict_type'],
    ],
  },
  {
    field: 'expire_in_days',
    type: 'integer 1 to 365, or null',
    // It needs `email`, which needs a secret key.
    needs: 'secret',
    valid: () => 30,
    beside: () => ({ email: freshEmail() }),
    wrong: [
      [0, 'greater_than_equal'],
      [366, 'less_than_equal'],
      ['30', 'int_type'],
      [1.5, 'int_type'],
      [true, 'int_type'],
    ],
  },
  {
    field: 'config',
    type: 'object (free form) or null',
    needs: 'test key',
    valid: () => NO_SKIP,
    wrong: [
      ['{}', 'dict_type'],
      [[], 'dict_type'],
    ],
  },
  {
    field: 'auto_return',
    type: 'boolean or null',
    needs: 'any',
    valid: () => true,
    wrong: [
      ['true', 'bool_type'],
      [1, 'bool_type'],
    ],
  },
  {
    field: 'metadata',
    type: 'object',
    needs: 'secret',
    valid: () => ({ tier: 'gold' }),
    beside: () => ({ external_id: fresh('account') }),
    wrong: [
      ['tier', 'dict_type'],
      [['tier'], 'dict_type'],
    ],
  },
];

for (const { field, type, needs, valid, beside = () => ({}), wrong } of ROWS) {
  test.describe(`field ${field}`, () => {
    test(`type: ${type}`, async () => {
      expect(await venue.findings({ ...beside(), [field]: valid() })).toEqual([]);
      for (const [value, finding] of wrong) {
        expect(await venue.findings({ ...beside(), [field]: value })).toEqual([
          `${finding} at body.${field}`,
        ]);
      }
    });

    test('"every field optional": null is the same as leaving it out', async () => {
      expect((await venue.initialize({ [field]: null })).status).toBe(200);
    });

    test(`key needed: ${needs}`, async () => {
      const { pk_test, pk_live, sk_test, sk_live } = venue.keys;
      const accepted = { any: [pk_test, pk_live, sk_test, sk_live], secret: [sk_test, sk_live] };
      const allowed = needs === 'test key' ? [pk_test, sk_test] : accepted[needs];
      for (const key of [pk_test, pk_live, sk_test, sk_live]) {
        const { status } = await venue.initialize({ ...beside(), [field]: valid() }, key);
        const refused = needs === 'test key' ? 403 : 400;
        expect([key.slice(0, 7), status]).toEqual([key.slice(0, 7), allowed.includes(key) ? 200 : refused]);
      }
    });
  });
}

test.describe('limits are inclusive', () => {
  for (const field of ['external_id', 'group']) {
    test(`${field}: "length 1 to 255"`, async () => {
      expect(await venue.findings({ [field]: fresh('x').slice(-1) })).toEqual([]);
      expect(await venue.findings({ [field]: fresh('x').padEnd(255, 'x') })).toEqual([]);
      // Characters are counted, not code units, of which an emoji has two.
      expect(await venue.findings({ [field]: '🎟'.repeat(255) })).toEqual([]);
    });
  }

  test('include_groups: "1 to 50 strings, each length 1 to 255"', async () => {
    const fifty = Array.from({ length: 50 }, (_, i) => String(i).padEnd(255, 'x'));
    expect(await venue.findings({ group: 'g', include_groups: fifty })).toEqual([]);
    expect(await venue.findings({ include_groups: ['a', '', 'x'.repeat(256), 5] })).toEqual([
      'string_too_short at body.include_groups.1',
      'string_too_long at body.include_groups.2',
      'string_type at body.include_groups.3',
    ]);
  });

  test('expire_in_days: "integer 1 to 365"', async () => {
    for (const days of [1, 365]) {
      expect(await venue.findings({ email: freshEmail(), expire_in_days: days })).toEqual([]);
    }
  });

  test('pass_params: "object of string to string"', async () => {
    expect(await venue.findings({ pass_params: { a: '', b: 5, c: null } })).toEqual([
      'string_type at body.pass_params.b',
      'string_type at body.pass_params.c',
    ]);
  });
});
