/** Contract, "verification record", lookup and list; decisions §3.14. */
import { describe, expect, it } from 'vitest';
import { NOW } from '../../../testing/store/rows.ts';
import {
  BASE_URL,
  openTestService,
  refusalOf,
  type TestService,
} from '../../../testing/service/temp-service.ts';
import { newId } from '../ports/ids.ts';
import {
  listCompanyVerifications,
  lookUpVerification,
  saveVerification,
  type VerificationChange,
} from './verifications.ts';

const save = ({ deps, clock, company }: TestService, change: VerificationChange, id?: string) =>
  saveVerification(deps.db, clock, {
    companyId: company.company_id,
    change,
    actor: 'cli',
    ...(id !== undefined && { id }),
  });

const lookUp = ({ deps, company }: TestService, by: { id?: string; external_id?: string }) =>
  lookUpVerification(deps, company.company_id, by);

const ids = async ({ deps, company }: TestService, limit: number, offset: number) =>
  (await listCompanyVerifications(deps.db, company.company_id, { limit, offset })).items.map(
    ({ verification_id: id }) => id,
  );

describe('saving', () => {
  it('creates a record with every field, and the documented defaults of its config', async () => {
    const service = await openTestService();
    const record = await save(service, { origin: 'Example.com', config: { collision: { action: 'flag' } } });
    expect(record).toEqual({
      embed_origins: [],
      verification_id: expect.any(String) as unknown,
      external_id: null,
      external_tenant_id: null,
      origin: 'https://example.com',
      return_path: null,
      start_path: null,
      redirect_url: null,
      asset_id: null,
      config: {
        require_account: false,
        is_test: false,
        is_demo: false,
        track_attributes: [],
        collision: { action: 'flag' },
      },
    });
  });

  it('changes the given fields and leaves the rest', async () => {
    const service = await openTestService();
    const made = await save(service, { origin: 'example.com', returnPath: '/a', externalId: 'flow' });
    const changed = await save(service, { returnPath: null }, made?.verification_id);
    expect(changed).toEqual({ ...made, return_path: null });
  });

  it.each<[string, VerificationChange]>([
    ['invalid_origin', { origin: 'example.com/path' }],
    ['invalid_origin', { origin: 'http://example.com' }],
    ['invalid_origin', { origin: 'null' }],
    ['invalid_origin', { origin: 'a.example,b.example' }],
    ['invalid_origin', { embedOrigins: ['null'] }],
    ['invalid_origin', { embedOrigins: ['https://*.t.example'] }],
    ['invalid_redirect_url', { redirectUrl: 'http://example.com/' }],
    ['invalid_redirect_url', { redirectUrl: '/done' }],
  ])('refuses an address that a person cannot return to: %s %o', async (code, change) => {
    await expect(save(await openTestService(), change)).rejects.toMatchObject({ code });
  });

  it('moves the default, so that there is always exactly one', async () => {
    const service = await openTestService();
    const made = await save(service, { makeDefault: true });
    expect((await lookUp(service, {})).verification_id).toBe(made?.verification_id);
    await save(service, { makeDefault: true }, service.company.default_verification_id);
    expect((await lookUp(service, {})).verification_id).toBe(service.company.default_verification_id);
  });

  it('refuses an external_id that another verification of the company has', async () => {
    const service = await openTestService();
    const made = await save(service, { externalId: 'flow' });
    expect(await refusalOf(save(service, { externalId: 'flow' }))).toBe('external_id_already_exists');
    const again = await save(service, { externalId: 'flow', returnPath: '/x' }, made?.verification_id);
    expect(again?.external_id).toBe('flow');
  });

  it('of an unknown ID, or one of another company, is null', async () => {
    const service = await openTestService();
    expect(await save(service, { returnPath: '/x' }, newId(NOW))).toBeNull();
    const other = await openTestService();
    expect(await save(service, { returnPath: '/x' }, other.company.default_verification_id)).toBeNull();
  });
});

describe('lookup', () => {
  it('with neither ID is the default, with its own link', async () => {
    const service = await openTestService();
    const id = service.company.default_verification_id;
    expect(await lookUp(service, {})).toMatchObject({ verification_id: id, url: `${BASE_URL}/v/${id}` });
  });

  it('by ID or external ID; with both, both must match', async () => {
    const service = await openTestService();
    const id = newId(NOW);
    await service.verification(id, { externalId: 'flow' });
    for (const by of [{ id: id.toUpperCase() }, { external_id: 'flow' }, { id, external_id: 'flow' }]) {
      expect((await lookUp(service, by)).verification_id).toBe(id);
    }
    for (const by of [{ id: newId(NOW) }, { external_id: 'x' }, { id, external_id: 'x' }]) {
      expect(await refusalOf(lookUp(service, by))).toBe('not_found');
    }
  });

  it("another company's is not found", async () => {
    const [service, other] = [await openTestService(), await openTestService()];
    expect(await refusalOf(lookUp(service, { id: other.company.default_verification_id }))).toBe('not_found');
  });
});

describe('the list', () => {
  it('§3.14: oldest first, so that pages are stable', async () => {
    const service = await openTestService();
    const made = [service.company.default_verification_id];
    for (let n = 1; n <= 6; n++) {
      service.clock.advance(n % 2);
      made.push((await save(service, {}))?.verification_id ?? '');
    }
    expect(await ids(service, 200, 0)).toEqual(made);
    expect([
      ...(await ids(service, 3, 0)),
      ...(await ids(service, 3, 3)),
      ...(await ids(service, 3, 6)),
    ]).toEqual(made);
    expect(await ids(service, 3, 100)).toEqual([]);
  });

  it('returns the total, the limit and the offset', async () => {
    const { deps, company } = await openTestService();
    const page = { limit: 25, offset: 7 };
    const beyond = { limit: 200, offset: 1e20 };
    expect(await listCompanyVerifications(deps.db, company.company_id, beyond)).toMatchObject({
      ...beyond,
      items: [],
    });
    expect(await listCompanyVerifications(deps.db, company.company_id, page)).toEqual({
      items: [],
      total: 1,
      limit: 25,
      offset: 7,
    });
  });
});
