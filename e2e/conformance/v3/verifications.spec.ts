/** Contract, "v3: verification record", lookup and list; decisions §3.8, §3.14. */
import { expect } from '@playwright/test';
import type { OpenResponse } from '../../../server/contract/flow.ts';
import type { VerificationRecord } from '../../../server/services/companies/verifications.ts';
import { send } from '../../support/http.ts';
import { findingsOf, NOBODYS_UUID, openVenue, test, type Venue } from '../support.ts';

type Page = { items: VerificationRecord[]; total: number; limit: number; offset: number };

const FIELDS = {
  origin: 'https://full.example',
  'return-path': '/back',
  'start-path': '/from',
  'redirect-url': 'https://full.example/done',
  'external-id': 'full',
  'external-tenant-id': 'tenant',
  config: { collision: { action: 'flag' }, require_account: true },
};

let venue: Venue;
let other: Venue;
let full: VerificationRecord;
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'Verifications');
  other = await openVenue(gatehouse, 'Verifications of others');
  full = await venue.verification(FIELDS);
  await venue.verification({ 'external-id': 'third' });
});

const lookUp = (body: unknown, key?: string) =>
  venue.call<VerificationRecord & { url: string }>('/v3/verifications/lookup', {
    body,
    ...(key !== undefined && { key }),
  });
const list = (query = '', key?: string) =>
  venue.call<Page>(`/v3/verifications${query}`, key === undefined ? {} : { key });

test.describe('record', () => {
  test('the nine required fields, as they were saved', async () => {
    const { body } = await lookUp({ external_id: 'full' });
    expect(body).toEqual({
      url: `${venue.baseUrl}/v/${full.verification_id}`,
      verification_id: full.verification_id,
      external_id: 'full',
      external_tenant_id: 'tenant',
      origin: 'https://full.example',
      return_path: '/back',
      start_path: '/from',
      redirect_url: 'https://full.example/done',
      asset_id: null,
      config: {
        require_account: true,
        is_test: false,
        is_demo: false,
        track_attributes: [],
        collision: { action: 'flag' },
      },
    });
  });

  test('"string or null, each required": null if nothing was saved', async () => {
    const { body } = await lookUp({});
    expect(body).toEqual({
      url: `${venue.baseUrl}/v/${venue.defaultVerificationId}`,
      verification_id: venue.defaultVerificationId,
      external_id: null,
      external_tenant_id: null,
      origin: null,
      return_path: null,
      start_path: null,
      redirect_url: null,
      asset_id: null,
      config: { require_account: false, is_test: false, is_demo: false, track_attributes: [] },
    });
  });

  test('"url, required, only in the lookup response"', async () => {
    const { body } = await list();
    expect(body.items.every((item) => !('url' in item))).toBe(true);
  });

  test('the url creates a session each time a person opens it (decisions §3.8)', async () => {
    const { body } = await lookUp({ id: full.verification_id });
    const open = () =>
      send<OpenResponse>(`${venue.baseUrl}/flow/verifications/${new URL(body.url).pathname.slice(3)}/open`, {
        body: { device: 'mobile' },
      });
    const [one, two] = [await open(), await open()];
    expect([one.status, one.body.snapshot.state]).toEqual([200, 'open']);
    expect(two.body.snapshot.session_id).not.toBe(one.body.snapshot.session_id);
  });
});

test.describe('lookup', () => {
  test('by id and by external_id', async () => {
    expect((await lookUp({ id: full.verification_id })).body.external_id).toBe('full');
    expect((await lookUp({ external_id: 'third' })).body.external_id).toBe('third');
  });

  test('with neither, the default verification (decisions §3.14)', async () => {
    expect((await lookUp({})).body.verification_id).toBe(venue.defaultVerificationId);
    expect((await lookUp({ id: null, external_id: null })).body.verification_id).toBe(
      venue.defaultVerificationId,
    );
  });

  test('one that does not exist, or another company’s, is not found', async () => {
    for (const body of [
      { id: NOBODYS_UUID },
      { external_id: 'none' },
      { id: other.defaultVerificationId },
      { id: full.verification_id, external_id: 'third' },
    ]) {
      expect(await lookUp(body)).toMatchObject({ status: 404, body: { detail: 'not found' } });
    }
  });

  test('"id (uuid or null), external_id (string or null)"', async () => {
    expect(findingsOf(await lookUp({ id: 'x', external_id: 5 }))).toEqual([
      'uuid_parsing at body.id',
      'string_type at body.external_id',
    ]);
  });
});

test.describe('list', () => {
  test('"items, total, limit, offset"; limit "default 25", offset "default 0"; oldest first', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    expect({ ...body, items: body.items.map((item) => item.external_id) }).toEqual({
      items: [null, 'full', 'third'],
      total: 3,
      limit: 25,
      offset: 0,
    });
  });

  test('limit and offset page through it', async () => {
    const page = await list('?limit=1&offset=1');
    expect(page.body).toMatchObject({ total: 3, limit: 1, offset: 1, items: [{ external_id: 'full' }] });
    expect((await list('?offset=99')).body).toMatchObject({ items: [], total: 3, offset: 99 });
  });

  test('"limit (integer 1 to 200)", "offset (integer >= 0)"', async () => {
    for (const query of ['?limit=1', '?limit=200', '?offset=0']) expect((await list(query)).status).toBe(200);
    for (const [query, finding] of [
      ['?limit=0', 'greater_than_equal at query.limit'],
      ['?limit=201', 'less_than_equal at query.limit'],
      ['?limit=x', 'int_parsing at query.limit'],
      ['?limit=1.5', 'int_parsing at query.limit'],
      ['?offset=-1', 'greater_than_equal at query.offset'],
      ['?offset=x', 'int_parsing at query.offset'],
    ] as const) {
      expect(findingsOf(await list(query)), query).toEqual([finding]);
    }
  });

  test('both partitions of a company have the same verifications; another company has its own', async () => {
    expect((await list('', venue.keys.sk_live)).body.total).toBe(3);
    expect((await list('', other.keys.sk_test)).body.total).toBe(1);
  });
});

test('key: secret only (decisions §3.1)', async () => {
  for (const reply of [await list('', venue.keys.pk_test), await lookUp({}, venue.keys.pk_live)]) {
    expect(reply).toMatchObject({ status: 401, body: { detail: 'invalid_key_type' } });
  }
});
