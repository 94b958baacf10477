/** Decisions §2.3: a roll issues a new pair, and the old one keeps working until a chosen end. */
import { describe, expect, it } from 'vitest';
import { NOW } from '../../../testing/store/rows.ts';
import { openTestService, refusalOf, type TestService } from '../../../testing/service/temp-service.ts';
import { createCompany } from '../companies/companies.ts';
import { authenticateV3, listCompanyKeys, revokeKeys, rollKeys } from './keys.ts';
import type { Overlap } from '../../contract/console/keys.ts';

const HOUR_MS = 3_600_000;

const authenticate = ({ deps, clock }: TestService, key: string | undefined) =>
  authenticateV3(deps.db, key ?? null, { secretOnly: false, nowMs: clock.now() });

const works = async (service: TestService, key: string | undefined) =>
  (await refusalOf(authenticate(service, key))) === '(not refused)';

const roll = ({ deps, clock, company }: TestService, pairId: string, overlap: Overlap) =>
  deps.db.tx((tx) =>
    rollKeys(tx, clock.now(), {
      companyId: company.company_id,
      pairId,
      overlap,
      reason: 'yearly',
      actor: 'cli',
    }),
  );

const livePair = async (service: TestService) =>
  (await authenticate(service, service.company.keys.sk_live)).pairId;

describe('a roll', () => {
  it.each([
    ['1h', HOUR_MS],
    ['24h', 24 * HOUR_MS],
    ['7d', 7 * 24 * HOUR_MS],
  ] as const)(
    'with an overlap of %s keeps the old pair working until just before its end',
    async (overlap, ms) => {
      const service = await openTestService();
      const { pk_live: oldPk, sk_live: oldSk } = service.company.keys;
      const rolled = await roll(service, await livePair(service), overlap);
      expect(rolled).toMatchObject({ old_ends_at: new Date(NOW + ms).toISOString() });
      service.clock.set(NOW + ms - 1);
      for (const key of [oldPk, oldSk, rolled?.keys.pk_live, rolled?.keys.sk_live]) {
        expect(await works(service, key)).toBe(true);
      }
      service.clock.set(NOW + ms);
      for (const key of [oldPk, oldSk]) expect(await works(service, key)).toBe(false);
      for (const key of [rolled?.keys.pk_live, rolled?.keys.sk_live]) {
        expect(await works(service, key)).toBe(true);
      }
    },
  );

  it('keeps the family of its keys, so that settings of a key follow it (decisions §2.5)', async () => {
    const service = await openTestService();
    const old = await authenticate(service, service.company.keys.sk_live);
    const rolled = await roll(service, old.pairId, 'now');
    const next = await authenticate(service, rolled?.keys.sk_live);
    expect(next.pairId).not.toBe(old.pairId);
    expect(next.lineageId).toBe(old.lineageId);
  });

  it('without an overlap ends the old pair immediately', async () => {
    const service = await openTestService();
    const rolled = await roll(service, await livePair(service), 'now');
    expect(await works(service, service.company.keys.sk_live)).toBe(false);
    expect(await works(service, rolled?.keys.sk_live)).toBe(true);
  });

  it('issues a matching pair of the same partition, and leaves the other partition alone', async () => {
    const service = await openTestService();
    const rolled = await roll(service, await livePair(service), 'now');
    expect(Object.keys(rolled?.keys ?? {}).toSorted()).toEqual(['pk_live', 'sk_live']);
    const [pk, sk] = [
      await authenticate(service, rolled?.keys.pk_live),
      await authenticate(service, rolled?.keys.sk_live),
    ];
    expect(pk.pairId).toBe(sk.pairId);
    expect(pk.pairId).toBe(rolled?.pair_id);
    expect(await works(service, service.company.keys.sk_test)).toBe(true);
  });

  it('of a single API-KEY issues a single one', async () => {
    const service = await openTestService();
    const listed = await listCompanyKeys(service.deps.db, service.company.company_id, NOW);
    const pairId = listed.find(({ kind }) => kind === 'ak_live')?.pair_id ?? '';
    expect(Object.keys((await roll(service, pairId, '24h'))?.keys ?? {})).toEqual(['ak_live']);
  });

  it('repeated never lengthens the life of a key that is ending, and says when it ends', async () => {
    const service = await openTestService();
    const pairId = await livePair(service);
    await roll(service, pairId, '1h');
    const again = await roll(service, pairId, '7d');
    expect(again?.old_ends_at).toBe(new Date(NOW + HOUR_MS).toISOString());
    service.clock.set(NOW + HOUR_MS);
    expect(await works(service, service.company.keys.sk_live)).toBe(false);
  });

  it('of a pair that has ended, is revoked, or belongs to another company, returns null', async () => {
    const service = await openTestService();
    const { deps, clock, company } = service;
    const other = await createCompany(deps.db, clock, { name: 'Other', actor: 'cli' });
    expect(await roll(service, (await authenticate(service, other.keys.sk_live)).pairId, 'now')).toBeNull();
    const pairId = await livePair(service);
    await roll(service, pairId, 'now');
    expect(await roll(service, pairId, '7d')).toBeNull();
    const testPair = (await authenticate(service, company.keys.sk_test)).pairId;
    const { company_id: companyId } = company;
    await revokeKeys(deps.db, clock, { companyId, keyOrPairId: testPair, reason: 'lost', actor: 'cli' });
    expect(await roll(service, testPair, '7d')).toBeNull();
  });

  it('a revocation during the overlap ends the old pair immediately', async () => {
    const service = await openTestService();
    const { deps, clock, company } = service;
    const pairId = await livePair(service);
    const rolled = await roll(service, pairId, '7d');
    const { company_id: companyId } = company;
    await revokeKeys(deps.db, clock, { companyId, keyOrPairId: pairId, reason: 'leaked', actor: 'cli' });
    expect(await works(service, company.keys.sk_live)).toBe(false);
    expect(await works(service, rolled?.keys.sk_live)).toBe(true);
  });

  it('is recorded in the audit log with its reason, without a key', async () => {
    const service = await openTestService();
    const rolled = await roll(service, await livePair(service), '1h');
    const entry = await service.deps.db.one<{ actor: string; details: string }>(
      "SELECT actor, details FROM audit_entries WHERE action = 'key.roll'",
    );
    expect(JSON.parse(entry?.details ?? '{}')).toMatchObject({ reason: 'yearly', overlap: '1h' });
    expect(entry?.details).not.toContain(rolled?.keys.sk_live?.slice(8) ?? '');
  });
});
