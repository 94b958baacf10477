/**
 * Contract, "Limits", the rows of v3 (those of field lengths are tested with their fields). The cap's reset at 00:00
 * UTC needs a clock: `server/domain/days.test.ts` and `server/services/settling/settlement.test.ts` prove it.
 */
import { expect } from '@playwright/test';
import { findingsOf, fresh, freshEmail, openVenue, resultOf, test, type Venue } from '../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'Limits');
});

const CAPPED = { status: 'denied', verified: false, reasons: ['usage_cap_exceeded'] };

test.describe('Daily verification limit per account', () => {
  const cappedVenue = async (daily: number) => {
    const capped = await openVenue(venue.gatehouse, `Daily limit ${daily}`);
    await capped.cli('limit', 'set', '--daily', String(daily));
    return capped;
  };

  test('"default 66k"', async () => {
    const companies = await venue.gatehouse.cli<{ company_id: string; daily_limit: number }[]>([
      'company',
      'list',
    ]);
    expect(companies.find(({ company_id }) => company_id === venue.companyId)?.daily_limit).toBe(66_000);
  });

  test('"a run after the limit is denied … and fails the same way"; "the limit is raised on request"', async () => {
    const capped = await cappedVenue(2);
    const verdict = async () => (await capped.settle(fresh('face'))).confirmation;
    for (let n = 0; n < 2; n += 1) expect((await verdict()).verified).toBe(true);
    for (let n = 0; n < 2; n += 1) expect(await verdict()).toMatchObject(CAPPED);
    await capped.cli('limit', 'set', '--daily', '3');
    expect((await verdict()).verified).toBe(true);
    expect(await verdict()).toMatchObject(CAPPED);
  });

  test('a cap of N lets exactly N concurrent settlements through', async () => {
    const capped = await cappedVenue(3);
    const verdicts = await Promise.all(Array.from({ length: 8 }, () => capped.settle(fresh('face'))));
    expect(verdicts.filter(({ confirmation }) => confirmation.verified)).toHaveLength(3);
  });

  test('checks that settle count, passed or not; a decline or a skip does not (decisions §5.1 to §5.3)', async () => {
    const capped = await cappedVenue(2);
    const face = fresh('face');
    const declined = await capped.begin();
    await declined.flow('/decline', {});
    await capped.settle('spoof');
    await capped.settle(face);
    // The second and last of the day is used; known people still skip, and declining still works.
    expect((await capped.settle(face)).confirmation.verified).toBe(true);
    const again = await capped.begin();
    const { vyt } = resultOf((await again.flow('/decline', {})).body);
    expect((await capped.confirm(vyt)).body.reasons).toEqual(['declined']);
    expect((await capped.settle(fresh('face'))).confirmation).toMatchObject(CAPPED);
  });

  test('a cap of 0 lets nobody through', async () => {
    const capped = await cappedVenue(0);
    expect((await capped.settle(fresh('face'))).confirmation).toMatchObject(CAPPED);
  });
});

test.describe('limits that belong to fields, at both ends', () => {
  const metadata = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, 1]));
  const named = (fields: object) => ({ external_id: fresh('account'), ...fields });
  const ROWS: [row: string, within: () => object[], beyond: () => object[]][] = [
    [
      'external_id, group: length 1 to 255',
      () => [{ external_id: fresh('').padEnd(255, 'x') }, { group: 'x'.repeat(255) }, { group: 'x' }],
      () => [
        { external_id: '' },
        { external_id: 'x'.repeat(256) },
        { group: '' },
        { group: 'x'.repeat(256) },
      ],
    ],
    [
      'include_groups: 1 to 50 items, each length 1 to 255',
      () => [{ include_groups: ['x'] }, { include_groups: Array<string>(50).fill('x'.repeat(255)) }],
      () => [
        { include_groups: [] },
        { include_groups: Array<string>(51).fill('x') },
        { include_groups: [''] },
        { include_groups: ['x'.repeat(256)] },
      ],
    ],
    [
      'metadata: at most 50 keys; key length 1 to 64; string value length 1 to 1024',
      () => [
        named({ metadata: metadata(50) }),
        named({ metadata: { ['k'.repeat(64)]: 'x'.repeat(1024) } }),
        named({ metadata: { k: 'x' } }),
      ],
      () => [
        named({ metadata: metadata(51) }),
        named({ metadata: { ['k'.repeat(65)]: 'x' } }),
        named({ metadata: { '': 'x' } }),
        named({ metadata: { k: '' } }),
        named({ metadata: { k: 'x'.repeat(1025) } }),
      ],
    ],
    [
      'expire_in_days: integer 1 to 365 (ignored)',
      () => [1, 365].map((expire_in_days) => ({ email: freshEmail(), expire_in_days })),
      () => [0, 366, -1, 2.5].map((expire_in_days) => ({ email: freshEmail(), expire_in_days })),
    ],
  ];
  for (const [row, within, beyond] of ROWS) {
    test(row, async () => {
      for (const body of within()) expect(await venue.findings(body)).toEqual([]);
      for (const body of beyond()) expect(await venue.findings(body)).toHaveLength(1);
    });
  }

  test('Test token reasons: at most 20 items', async () => {
    const ask = (n: number) =>
      venue.call('/v3/test/confirmation-token', { body: { reasons: Array<string>(n).fill('collision') } });
    expect((await ask(20)).status).toBe(200);
    expect(findingsOf(await ask(21))).toEqual(['too_long at body.reasons']);
  });

  test('List verifications: limit 1 to 200, default 25; offset >= 0, default 0', async () => {
    const list = (query: string) => venue.call<Record<string, unknown>>(`/v3/verifications${query}`);
    expect((await list('')).body).toMatchObject({ limit: 25, offset: 0 });
    for (const query of ['?limit=1', '?limit=200', '?offset=0']) expect((await list(query)).status).toBe(200);
    for (const query of ['?limit=0', '?limit=201', '?offset=-1']) {
      expect((await list(query)).status).toBe(422);
    }
  });
});

test('skip window: 24 h by default, so a second visit today skips; 0 turns it off (decisions §5.2)', async () => {
  const { verification_id } = await venue.verification({ config: { skip: { window_hours: 0 } } });
  const [here, there] = [fresh('face'), fresh('face')];
  const id = async (face: string, request = {}) => (await venue.settle(face, request)).confirmation.id;
  expect(await id(here)).toBe(await id(here));
  const external_id = fresh('account');
  expect(await id(there, { verification_id, external_id })).not.toBe(
    await id(there, { verification_id, external_id }),
  );
});

test('a body that is too large is refused without being read', async () => {
  const { status, body } = await venue.call('/v3/initialize', {
    body: JSON.stringify({ origin: 'x'.repeat(1_536 * 1024) }),
  });
  expect([status, body]).toEqual([413, { detail: 'payload_too_large' }]);
});
