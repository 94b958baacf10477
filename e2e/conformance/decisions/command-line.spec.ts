/** Decisions §7: the command line's JSON, on the data of a running server. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import { limitMs } from '../../../testing/tier.ts';
import {
  captured,
  fresh,
  freshEmail,
  ISO_TIME,
  NO_SKIP,
  openVenue,
  resultOf,
  REVIEWING,
  test,
  UUID,
  type Venue,
} from '../support.ts';

let venue: Venue;
test.beforeAll(async ({ gatehouse }) => {
  venue = await openVenue(gatehouse, 'Command line');
});

/** A command on the server's own data. */
const run = (args: readonly string[]) => venue.gatehouse.command(args);

type Key = {
  key_id: string;
  pair_id: string;
  kind: string;
  display: string;
  state: string;
  last_used_at: string | null;
  ends_at: string | null;
};
const keys = () => venue.cli<Key[]>('keys', 'list');
const keyOf = async (kind: string, state = 'active') =>
  (await keys()).find((key) => key.kind === kind && key.state === state)!;

test('company create: ids and complete keys of each kind, only once', async () => {
  const { code, stdout } = await run(['company', 'create', '--name', 'Björn’s "Halle"', '--json']);
  const created = JSON.parse(stdout) as { company_id: string; keys: Record<string, string> };
  expect([code, Object.keys(created).sort()]).toEqual([0, ['company_id', 'default_verification_id', 'keys']]);
  expect(created.company_id).toMatch(UUID);
  for (const kind of ['pk_live', 'sk_live', 'pk_test', 'sk_test', 'ak_live', 'ak_test']) {
    expect(created.keys[kind]).toMatch(new RegExp(`^${kind}_[A-Za-z0-9]{32}$`));
  }
  const list = JSON.parse((await run(['company', 'list', '--json'])).stdout) as object[];
  expect(list).toContainEqual({
    company_id: created.company_id,
    name: 'Björn’s "Halle"',
    daily_limit: 66_000,
    created_at: expect.stringMatching(ISO_TIME),
  });
});

test.describe('keys', () => {
  test('keys list: the named fields, never a complete key', async () => {
    const list = await keys();
    expect(list).toHaveLength(6);
    for (const key of list) {
      expect(Object.keys(key)).toEqual([
        'key_id',
        'pair_id',
        'kind',
        'display',
        'state',
        'created_at',
        'last_used_at',
        'ends_at',
        'name',
      ]);
      expect(key.display).toMatch(/^[a-z]{2}_(live|test)_….{4}$/);
    }
    const text = JSON.stringify(list);
    for (const whole of Object.values(venue.keys)) expect(text).not.toContain(whole);
  });

  test('keys export: lines for a shell with new test keys that work, and no live key', async () => {
    const other = await openVenue(venue.gatehouse, 'Exporting');
    const variables = await other.cli<Record<string, string>>('keys', 'export');
    expect(Object.keys(variables)).toEqual(['BASE', 'COMPANY', 'SK_TEST', 'PK_TEST', 'AK_TEST']);
    expect(Object.values(variables).filter((value) => value.includes('_live_'))).toEqual([]);
    expect(variables['COMPANY']).toBe(other.companyId);
    expect((await other.initialize({}, variables['SK_TEST'])).status).toBe(200);
    // The keys that the company had still work.
    expect((await other.initialize({}, other.keys.sk_test)).status).toBe(200);
  });

  test('keys roll: "a new pair is issued and the old one keeps working until a chosen end"', async () => {
    const other = await openVenue(venue.gatehouse, 'Rolling');
    const pair = (await other.cli<Key[]>('keys', 'list')).find(({ kind }) => kind === 'sk_test')!.pair_id;
    const roll = (overlap: string, pairId: string) =>
      other.cli<{ pair_id: string; keys: Record<string, string> }>(
        ...['keys', 'roll', '--pair', pairId, '--overlap', overlap, '--reason', 'yearly'],
      );
    const rolled = await roll('1h', pair);
    expect(Object.keys(rolled.keys).sort()).toEqual(['pk_test', 'sk_test']);
    const status = async (key: string) => (await other.initialize({}, key)).status;
    expect(await status(rolled.keys['sk_test']!)).toBe(200);
    expect(await status(other.keys.sk_test)).toBe(200);
    const states = (await other.cli<Key[]>('keys', 'list')).filter(({ pair_id }) => pair_id === pair);
    expect(states.map(({ state, ends_at }) => [state, ends_at !== null])).toEqual([
      ['ending', true],
      ['ending', true],
    ]);

    const atOnce = await roll('now', rolled.pair_id);
    expect(await status(rolled.keys['sk_test']!)).toBe(401);
    expect(await status(atOnce.keys['pk_test']!)).toBe(200);
    // The next pair confirms earlier tokens, because they belong to the partition.
    const { vyt } = await settledWith(other, atOnce.keys['sk_test']!);
    expect((await other.confirm(vyt, other.keys.sk_test)).status).toBe(200);
  });

  test('keys revoke: immediately on a running server, by key or by pair', async () => {
    const other = await openVenue(venue.gatehouse, 'Revoking');
    const { pair_id } = (await other.cli<Key[]>('keys', 'list')).find(({ kind }) => kind === 'pk_live')!;
    const revoked = await other.cli<Key[]>('keys', 'revoke', '--key', pair_id, '--reason', 'lost');
    expect(revoked.map(({ kind, state }) => [kind, state]).sort()).toEqual([
      ['pk_live', 'revoked'],
      ['sk_live', 'revoked'],
    ]);
    for (const key of [other.keys.pk_live, other.keys.sk_live]) {
      expect(await other.refusal({}, key)).toBe('401 invalid_or_revoked_key');
    }
    expect((await other.initialize({})).status).toBe(200);
  });

  test('result-token-key rotate: a running server uses the new key, and issued tokens stay valid', async () => {
    const before = await settledWith(venue, venue.keys.sk_test);
    const { version } = await venue.gatehouse.cli<{ version: number }>(['result-token-key', 'rotate'], {
      reason: 'yearly',
    });
    const versionOf = (token: string) => Buffer.from(token.slice('vyt_'.length), 'base64url')[0];
    let after = before.vyt;
    await expect
      .poll(async () => versionOf((after = (await settledWith(venue, venue.keys.sk_test)).vyt)))
      .toBe(version);
    for (const token of [before.vyt, after]) expect((await venue.confirm(token)).status).toBe(200);
  });

  test('last_used_at: "kept to the minute"', async () => {
    await venue.initialize({});
    await expect
      .poll(async () => (await keyOf('sk_test')).last_used_at, { timeout: limitMs(15_000) })
      .toMatch(/T\d\d:\d\d:00\.000Z$/);
  });
});

async function settledWith(at: Venue, key: string) {
  const person = await at.begin({}, key);
  return resultOf(await captured(person, fresh('face')));
}

test.describe('verification', () => {
  test('create prints the record; list contains it; update changes the given fields, an empty text clears', async () => {
    const made = await venue.verification({ origin: 'bar.example', 'external-id': 'bar', config: NO_SKIP });
    expect(made).toMatchObject({ external_id: 'bar', origin: 'https://bar.example', config: NO_SKIP });
    const update = (...fields: string[]) =>
      venue.cli<object>('verification', 'update', '--verification', made.verification_id, ...fields);
    expect(await update('--return-path', '/in', '--origin', '')).toEqual({
      ...made,
      return_path: '/in',
      origin: null,
    });
    expect(await venue.cli('verification', 'list')).toContainEqual({
      ...made,
      return_path: '/in',
      origin: null,
    });
    await update('--default');
    const { body } = await venue.call<{ external_id: string }>('/v3/verifications/lookup', { body: {} });
    expect(body.external_id).toBe('bar');
  });

  test('--config @file reads a file', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-config-'));
    const file = path.join(folder, 'config.json');
    await writeFile(file, JSON.stringify(NO_SKIP));
    expect((await venue.verification({ config: `@${file}` })).config).toMatchObject(NO_SKIP);
    await rm(folder, { recursive: true });
  });
});

test.describe('reviews', () => {
  for (const [decision, expected] of [
    [
      'same_person',
      { verified: false, reasons: ['collision_company', 'duplicate_account', 'reviewer_denied'] },
    ],
    ['different_people', { verified: true, reasons: [] }],
    ['same_person_allow', { verified: true, reasons: ['collision_company', 'duplicate_account'] }],
  ] as const) {
    test(`list and decide: ${decision}, once`, async () => {
      const face = fresh('face');
      await venue.settle(face, { external_id: fresh('account') });
      const waiting = await venue.begin({ external_id: fresh('account'), config: REVIEWING });
      const { vyt } = resultOf((await waiting.flow('/test-capture', { face })).body);
      const open = await venue.cli<{ case_id: string; is_test: boolean; reasons: string[] }[]>(
        'reviews',
        'list',
      );
      expect(open).toEqual([
        {
          case_id: expect.stringMatching(UUID),
          company_id: venue.companyId,
          is_test: true,
          reasons: ['collision_company', 'duplicate_account'],
          groups: [],
          opened_at: expect.stringMatching(ISO_TIME),
        },
      ]);
      const { case_id } = open[0]!;
      const decide = ['reviews', 'decide', '--case', case_id, '--decision', decision, '--reason', 'looked'];
      expect(JSON.parse((await run([...decide, '--json'])).stdout)).toEqual({ case_id, decision });
      expect((await venue.confirm(vyt)).body).toMatchObject(expected);
      expect(await run(decide)).toMatchObject({ code: 1, stdout: '' });
      expect(await venue.cli('reviews', 'list')).toEqual([]);
    });
  }
});

test('invites list and revoke', async () => {
  const { body } = await venue.initialize({ email: freshEmail(), expire_in_days: 7 });
  const invite = {
    invite_id: body.invite_id,
    verification_id: expect.stringMatching(UUID),
    is_test: true,
    created_at: expect.stringMatching(ISO_TIME),
    revoked_at: null,
  };
  expect(await venue.cli('invites', 'list')).toContainEqual(invite);
  const revoke = ['invites', 'revoke', '--invite', body.invite_id!, '--reason', 'wrong person'];
  expect(await venue.cli(...revoke)).toEqual({ invite_id: body.invite_id, state: 'revoked' });
  expect(await venue.cli('invites', 'list')).toContainEqual({
    ...invite,
    revoked_at: expect.stringMatching(ISO_TIME),
  });
  expect(await run([...revoke, '--company', venue.companyId])).toMatchObject({ code: 1, stdout: '' });
});

test('test-data clear: runs, people and their claims are removed; live data and keys stay', async () => {
  const other = await openVenue(venue.gatehouse, 'Clearing');
  const email = freshEmail();
  const { vyt } = await other.settle('face', { email, external_id: 'account' });
  const live = await other.begin({}, other.keys.pk_live);
  const kept = resultOf((await live.flow('/decline', {})).body).vyt;
  expect(await other.cli('test-data', 'clear')).toEqual({
    removed: expect.objectContaining({ passes: 1, people: 1, sessions: 1 }),
  });
  expect((await other.confirm(vyt)).status).toBe(404);
  expect((await other.lookup({ email })).status).toBe(404);
  expect((await other.confirm(kept, other.keys.sk_live)).status).toBe(200);
  expect((await other.settle('face', { email })).confirmation).toMatchObject({ verified: true, reasons: [] });
});

test('doctor: whether all is well, each check with its value, and nothing changed', async () => {
  const port = new URL(venue.gatehouse.baseUrl).port;
  const { code, stdout } = await run(['doctor', '--port', port, '--json']);
  const health = JSON.parse(stdout) as {
    status: string;
    service: { status: string };
    checks: { check: string; severity: string | null }[];
    conditions: { code: string; severity: string }[];
  };
  expect(health.service).toMatchObject({ status: 'ready' });
  expect(health.checks.map(({ check }) => check)).toEqual(
    expect.arrayContaining(['database', 'faces', 'disk', 'clock', 'clean_up', 'cameras', 'webhooks']),
  );
  const worst = health.conditions.filter(({ severity }) => severity !== 'notice');
  expect([code, health.status]).toEqual(worst.length === 0 ? [0, 'well'] : [1, 'warning']);

  const gone = await run(['doctor', '--port', '9', '--json']);
  expect([gone.code, JSON.parse(gone.stdout)]).toMatchObject([
    2,
    { status: 'critical', service: { status: 'not_reached' } },
  ]);
});

test('doctor: where there is no data it cannot look, and says so', async () => {
  const nowhere = await mkdtemp(path.join(tmpdir(), 'gatehouse-nowhere-'));
  const { code, stderr } = await run(['doctor', '--data-dir', nowhere]);
  expect(code).toBe(3);
  expect(stderr).toContain('gatehouse: ');
  await rm(nowhere, { recursive: true });
});

test('secrets list: every kind with its age, place and way of replacing, and no value', async () => {
  const { code, stdout } = await run(['secrets', 'list', '--json']);
  const kept = JSON.parse(stdout) as {
    key: string;
    count: number;
    oldest_at: string | null;
    place: string;
  }[];
  expect([code, kept.map(({ key }) => key)]).toEqual([
    0,
    expect.arrayContaining(['database_key', 'api_key', 'result_token_key', 'direct_link_key']),
  ]);
  for (const { key, oldest_at, place } of kept) {
    expect(place).not.toBe('');
    // On PostgreSQL a command may print the database's key, and then nothing tells its age.
    if (key !== 'database_key') expect(oldest_at).toMatch(ISO_TIME);
  }
  expect(stdout).not.toMatch(/[sp]k_(live|test)_|whsec_|\$argon2/);
});

test('codes key, codes make, codes verify: a code is checked with the public key alone, before and after a rotation', async () => {
  const now = Date.now();
  const group = fresh('group');
  const event = await venue.cli<{ event_id: string }>(
    ...['event', 'create', '--partition', 'test', '--name', group, '--group', group],
    ...[
      '--starts',
      new Date(now - 3_600_000).toISOString(),
      '--ends',
      new Date(now + 3_600_000).toISOString(),
    ],
  );
  const of = ['--partition', 'test', '--event', event.event_id];
  type Key = { key_id: string; public_key: string; codes: number; redeemed: number };
  const [key] = await venue.cli<Key[]>('codes', 'key', ...of);
  expect(key).toMatchObject({ codes: 0, redeemed: 0 });
  const { confirmation } = await venue.settle(fresh('face'), { group });
  const make = () =>
    venue.cli<{ code: string; key_id: string }>(
      'codes',
      'make',
      '--partition',
      'test',
      '--pass',
      confirmation.id,
    );
  const { code, key_id: keyId } = await make();
  expect(await make()).toMatchObject({ code, key_id: key?.key_id });
  const verify = (text: string, publicKey = key?.public_key ?? '') =>
    run(['codes', 'verify', '--code', text, '--key', publicKey, '--json']);
  const good = await verify(code);
  expect([good.code, JSON.parse(good.stdout)]).toMatchObject([0, { valid: true, key_id: keyId }]);
  const changed = `${code.slice(0, -1)}${code.endsWith('A') ? 'Q' : 'A'}`;
  expect(await verify(changed)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/changed|not a humans-only/),
  });
  const rotated = await venue.cli<Key[]>(
    'codes',
    'key',
    ...of,
    '--rotate',
    '--end-codes',
    '--reason',
    'Leaked',
  );
  expect(rotated).toMatchObject([{ codes: 0 }]);
  const renewed = await make();
  expect(renewed.key_id).toBe(rotated[0]?.key_id);
  expect((await verify(renewed.code)).stderr).toContain('another event');
});
