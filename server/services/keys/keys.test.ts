/** Decisions §2 and §3.1; contract, "Authentication", v3. */
import { describe, expect, it } from 'vitest';
import { endKeyAt } from '../../store/keys/keys.ts';
import { NOW } from '../../../testing/store/rows.ts';
import { passOf, run } from '../../../testing/service/runs.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { createCompany } from '../companies/companies.ts';
import type { Database } from '../../store/sql/port.ts';
import { createUsageTracker } from './usage-tracker.ts';
import { authenticateV3, listCompanyKeys, revokeKeys, testKey } from './keys.ts';

const SK_FORM = `sk_test_${'a'.repeat(32)}`;

const authenticate = ({ deps, clock }: TestService, bearer: string | null, secretOnly = false) =>
  authenticateV3(deps.db, bearer, { secretOnly, nowMs: clock.now() });

const revoke = ({ deps, clock, company }: TestService, keyOrPairId: string) =>
  revokeKeys(deps.db, clock, { companyId: company.company_id, keyOrPairId, reason: 'lost', actor: 'cli' });

describe('§2.1 and §2.2: issued keys', () => {
  it('a new company has one set in both partitions, of the documented form', async () => {
    const { company } = await openTestService();
    const kinds = ['pk_live', 'sk_live', 'pk_test', 'sk_test', 'ak_live', 'ak_test'] as const;
    for (const kind of kinds) expect(company.keys[kind]).toMatch(new RegExp(`^${kind}_[A-Za-z0-9]{32}$`));
    expect(new Set(Object.values(company.keys)).size).toBe(6);
  });

  it('pk and sk of a partition are a pair, an ak is single', async () => {
    const { deps, clock, company } = await openTestService();
    const listed = await listCompanyKeys(deps.db, company.company_id, clock.now());
    const pairOf = new Map(listed.map(({ kind, pair_id }) => [kind, pair_id]));
    expect(pairOf.get('pk_live')).toBe(pairOf.get('sk_live'));
    expect(pairOf.get('pk_test')).toBe(pairOf.get('sk_test'));
    expect(new Set(pairOf.values()).size).toBe(4);
  });

  it('a list shows the prefix and the last four characters, never the whole key', async () => {
    const { deps, clock, company } = await openTestService();
    const listed = await listCompanyKeys(deps.db, company.company_id, clock.now());
    const sk = listed.find(({ kind }) => kind === 'sk_live');
    expect(sk).toEqual({
      key_id: expect.any(String) as unknown,
      pair_id: expect.any(String) as unknown,
      kind: 'sk_live',
      display: `sk_live_…${company.keys.sk_live.slice(-4)}`,
      name: null,
      state: 'active',
      created_at: new Date(NOW).toISOString(),
      last_used_at: null,
      ends_at: null,
    });
    for (const key of Object.values(company.keys)) {
      expect(JSON.stringify(listed)).not.toContain(key.slice(8, 36));
    }
  });

  it('the database contains no complete key', async () => {
    const { deps, company } = await openTestService();
    const rows = await deps.db.all<Record<string, unknown>>('SELECT * FROM keys');
    const text = rows.map((row) => Object.values(row).map(String).join(' ')).join('\n');
    for (const key of Object.values(company.keys)) expect(text).not.toContain(key.slice(8));
  });
});

describe('§3.1: the bearer token', () => {
  it('grants the scope of its company and partition', async () => {
    const service = await openTestService();
    const { company } = service;
    for (const type of ['pk_live', 'sk_live', 'pk_test', 'sk_test'] as const) {
      expect(await authenticate(service, company.keys[type])).toMatchObject({
        kind: type.slice(0, 2),
        scope: { companyId: company.company_id, partition: type.slice(3) },
      });
    }
  });

  it('missing is authentication_required', async () => {
    expect(await refusalOf(authenticate(await openTestService(), null))).toBe('authentication_required');
  });

  it.each(['x', 'sk_live', 'sk_prod_abc', 'SK_LIVE_abc', 'ak_test_abc', 'Bearer sk_live_x', 'pk-live-x'])(
    'with none of the four prefixes is invalid_key_type: %s',
    async (bearer) => {
      expect(await refusalOf(authenticate(await openTestService(), bearer))).toBe('invalid_key_type');
    },
  );

  it('an API-KEY of v1 and v2 is not accepted in v3', async () => {
    const service = await openTestService();
    expect(await refusalOf(authenticate(service, service.company.keys.ak_live))).toBe('invalid_key_type');
  });

  it('a publishable key instead of a secret one is invalid_key_type, revoked or not', async () => {
    const service = await openTestService();
    expect(await refusalOf(authenticate(service, service.company.keys.pk_live, true))).toBe(
      'invalid_key_type',
    );
    expect(await refusalOf(authenticate(service, `pk_live_${'a'.repeat(32)}`, true))).toBe(
      'invalid_key_type',
    );
    expect(await authenticate(service, service.company.keys.sk_live, true)).toBeDefined();
  });

  it.each([SK_FORM, 'sk_live_', 'sk_live_short', `${SK_FORM}x`])(
    'with the right prefix but unknown is invalid_or_revoked_key: %s',
    async (bearer) => {
      expect(await refusalOf(authenticate(await openTestService(), bearer))).toBe('invalid_or_revoked_key');
    },
  );

  it('with one character changed is unknown', async () => {
    const service = await openTestService();
    const key = service.company.keys.sk_live;
    const changed = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    expect(await refusalOf(authenticate(service, changed))).toBe('invalid_or_revoked_key');
  });
});

describe('§2.3: revoking and rolling', () => {
  it('a revoked key ends immediately, and so does its pair if the pair is named', async () => {
    const service = await openTestService();
    const { company } = service;
    const { pairId } = await authenticate(service, company.keys.sk_live);
    expect(await revoke(service, pairId)).toHaveLength(2);
    for (const type of ['pk_live', 'sk_live'] as const) {
      expect(await refusalOf(authenticate(service, company.keys[type]))).toBe('invalid_or_revoked_key');
    }
    expect(await authenticate(service, company.keys.sk_test)).toBeDefined();
  });

  it('one key can be revoked alone; doing so again revokes nothing', async () => {
    const service = await openTestService();
    const { keyId } = await authenticate(service, service.company.keys.pk_live);
    expect(await revoke(service, keyId)).toMatchObject([{ state: 'revoked', kind: 'pk_live' }]);
    expect(await revoke(service, keyId)).toEqual([]);
    expect(await authenticate(service, service.company.keys.sk_live)).toBeDefined();
  });

  it('no key of another company can be revoked', async () => {
    const service = await openTestService();
    const other = await createCompany(service.deps.db, service.clock, { name: 'Other', actor: 'cli' });
    const { keyId } = await authenticate(service, other.keys.sk_live);
    expect(await revoke(service, keyId)).toEqual([]);
    expect(await authenticate(service, other.keys.sk_live)).toBeDefined();
  });

  it('is recorded in the audit log with its reason, without the key', async () => {
    const service = await openTestService();
    const { keyId } = await authenticate(service, service.company.keys.sk_live);
    await revoke(service, keyId);
    const entry = await service.deps.db.one<{ actor: string; details: string }>(
      "SELECT actor, details FROM audit_entries WHERE action = 'key.revoke'",
    );
    expect(entry?.actor).toBe('cli');
    expect(JSON.parse(entry?.details ?? '{}')).toMatchObject({ reason: 'lost' });
    expect(entry?.details).not.toContain(service.company.keys.sk_live.slice(8, 36));
  });

  it('a rolled key works until just before its end', async () => {
    const service = await openTestService();
    const { deps, clock, company } = service;
    const { keyId } = await authenticate(service, company.keys.sk_live);
    await deps.db.tx((tx) => endKeyAt(tx, company.company_id, keyId, NOW + 1_000, 'rolled'));
    clock.set(NOW + 999);
    expect(await authenticate(service, company.keys.sk_live)).toBeDefined();
    expect(await listCompanyKeys(deps.db, company.company_id, clock.now())).toContainEqual(
      expect.objectContaining({ key_id: keyId, state: 'ending' }),
    );
    clock.set(NOW + 1_000);
    expect(await refusalOf(authenticate(service, company.keys.sk_live))).toBe('invalid_or_revoked_key');
    expect(await testKey(deps.db, company.keys.sk_live, clock.now())).toMatchObject({ valid: false });
    expect(await listCompanyKeys(deps.db, company.company_id, clock.now())).toContainEqual(
      expect.objectContaining({ key_id: keyId, state: 'ended' }),
    );
  });
});

describe('§3.1 and the contract: the key test never fails', () => {
  it('returns the kind, the partition and the company of a working key', async () => {
    const { deps, clock, company } = await openTestService();
    for (const type of ['pk_live', 'pk_test', 'sk_live', 'sk_test'] as const) {
      expect(await testKey(deps.db, company.keys[type], clock.now())).toEqual({
        valid: true,
        key_type: type,
        is_test: type.endsWith('test'),
        customer_id: company.company_id,
      });
    }
  });

  it('returns the kind by prefix if the form is right, and nothing else', async () => {
    const { deps, clock } = await openTestService();
    expect(await testKey(deps.db, SK_FORM, clock.now())).toEqual({
      valid: false,
      key_type: 'sk_test',
      is_test: null,
      customer_id: null,
    });
  });

  it.each([
    null,
    '',
    'x',
    'sk_live_',
    `${SK_FORM}x`,
    `sk_test_${'!'.repeat(32)}`,
    `ak_test_${'a'.repeat(32)}`,
  ])('returns unknown if the form is wrong: %s', async (bearer) => {
    const { deps, clock } = await openTestService();
    expect(await testKey(deps.db, bearer, clock.now())).toEqual({
      valid: false,
      key_type: 'unknown',
      is_test: null,
      customer_id: null,
    });
  });

  it('a revoked key is not valid, and names no company', async () => {
    const service = await openTestService();
    const { deps, clock, company } = service;
    await revoke(service, (await authenticate(service, company.keys.sk_test)).keyId);
    expect(await testKey(deps.db, company.keys.sk_test, clock.now())).toEqual({
      valid: false,
      key_type: 'sk_test',
      is_test: null,
      customer_id: null,
    });
  });
});

describe('§2.4: last_used_at', () => {
  it('has a resolution of a minute, with one write a minute', async () => {
    const service = await openTestService();
    const { deps, clock, company } = service;
    const { keyId } = await authenticate(service, company.keys.sk_live);
    const lastUsed = async () =>
      (await listCompanyKeys(deps.db, company.company_id, clock.now())).find(({ key_id }) => key_id === keyId)
        ?.last_used_at;
    clock.set(NOW + 90_500);
    deps.reads.keyUsed(keyId);
    await deps.reads.flush();
    expect(await lastUsed()).toBe(new Date(NOW + 60_000).toISOString());
    clock.set(NOW + 10_000);
    deps.reads.keyUsed(keyId);
    await deps.reads.flush();
    expect(await lastUsed()).toBe(new Date(NOW + 60_000).toISOString());
  });
});

it('reads and uses of keys that could not be recorded are recorded later', async () => {
  const service = await openTestService();
  const { deps, clock, company } = service;
  const pass = await passOf(service, await run(service, 'ana'));
  const { key_id: keyId } = (await listCompanyKeys(deps.db, company.company_id, clock.now()))[0]!;
  let isFull = true;
  const db: Database = {
    ...deps.db,
    tx: (...work) => (isFull ? Promise.reject(new Error('full')) : deps.db.tx(...work)),
  };
  const tracker = createUsageTracker(db, clock, () => undefined);
  for (let n = 0; n < 3; n += 1) tracker.count(service.scope('test'), pass.id);
  tracker.keyUsed(keyId);
  await expect(tracker.flush()).rejects.toThrow('full');
  tracker.count(service.scope('test'), pass.id);
  isFull = false;
  await tracker.close();
  const count = 'SELECT read_count AS n FROM passes WHERE id = ?';
  expect(await deps.db.one(count, pass.id)).toEqual({ n: 4 });
  const keys = await listCompanyKeys(deps.db, company.company_id, clock.now());
  expect(keys.find((key) => key.key_id === keyId)?.last_used_at).not.toBeNull();
});

it('reads and uses of keys that cannot be recorded do not stop the others', async () => {
  const { deps, clock, company } = await openTestService();
  const { key_id: keyId } = (await listCompanyKeys(deps.db, company.company_id, clock.now()))[0]!;
  const failures = [new Error('full')];
  const db: Database = {
    ...deps.db,
    tx: (work, lock) => (failures.length > 0 ? Promise.reject(failures.pop()!) : deps.db.tx(work, lock)),
  };
  const tracker = createUsageTracker(db, clock, () => undefined);
  for (let n = 0; n < 100; n += 1)
    tracker.count({ companyId: company.company_id, partition: 'live' }, `${n}`);
  tracker.keyUsed(keyId);
  await expect(tracker.close()).rejects.toThrow('full');
  const key = (await listCompanyKeys(deps.db, company.company_id, clock.now())).find(
    (k) => k.key_id === keyId,
  );
  expect(key?.last_used_at).not.toBeNull();
});
