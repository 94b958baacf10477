/** POST /v3/confirmations and POST /v3/test/confirmation-token: contract rules 5 and 6; decisions §3.12, §3.13. */
import { describe, expect, it } from 'vitest';
import { NOW } from '../../../testing/service/rows.ts';
import { NO_SKIP, passOf, run } from '../../../testing/service/runs.ts';
import {
  openTestService,
  refusalOf,
  type TestService,
  type V3KeyType,
} from '../../../testing/service/temp-service.ts';
import { createCompany } from '../companies/companies.ts';
import { readConfirmation } from './confirmations.ts';
import { ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import { authenticateV3 } from '../keys/keys.ts';
import { lookUpByIdentity } from './lookup.ts';
import { settleTestPass } from './test-token.ts';

const EMAIL = 'alice@example.com';
type Lookup = Parameters<typeof lookUpByIdentity>[2];
type TestToken = Parameters<typeof settleTestPass>[2];

const lookUp = async (service: TestService, body: Lookup, key: V3KeyType = 'sk_test') =>
  lookUpByIdentity(service.deps, await service.caller(key), body);
const mint = async (service: TestService, body: TestToken, key: V3KeyType = 'sk_test') =>
  settleTestPass(service.deps, await service.caller(key), body);

describe('rule 5: lookup by identity', () => {
  it('finds the latest settled pass, whatever its outcome', async () => {
    const service = await openTestService();
    await run(service, 'alice', { email: EMAIL, external_id: 'acct' });
    expect(await lookUp(service, { email: ` ${EMAIL.toUpperCase()} ` })).toMatchObject({ verified: true });
    service.clock.advance(1);
    const config = { limit: { kind: 'total' }, skip: { window_hours: 0 } };
    const denied = await run(service, 'alice', { email: EMAIL, external_id: 'acct', config });
    expect(await lookUp(service, { email: EMAIL })).toMatchObject({
      id: (await passOf(service, denied)).id,
      verified: false,
      reasons: ['limit_reached'],
    });
  });

  it('finds a phone in any notation', async () => {
    const service = await openTestService();
    await run(service, 'alice', { phone: '+12105550123' });
    expect(await lookUp(service, { phone: '+1 (210) 555-0123' })).toMatchObject({ verified: true });
  });

  it('narrows to a verification, and to a group', async () => {
    const service = await openTestService();
    const other = await service.verification(newId(NOW));
    const account = { email: EMAIL, external_id: 'acct' };
    const inGroup = await run(service, 'alice', { ...account, group: 'g' });
    service.clock.advance(1);
    const ungrouped = await run(service, 'alice', { ...account, ...NO_SKIP });
    const ids = { g: (await passOf(service, inGroup)).id, none: (await passOf(service, ungrouped)).id };
    expect((await lookUp(service, { email: EMAIL })).id).toBe(ids.none);
    expect((await lookUp(service, { email: EMAIL, group: 'g' })).id).toBe(ids.g);
    expect(await refusalOf(lookUp(service, { email: EMAIL, group: 'h' }))).toBe('no_settled_pass');
    expect(await refusalOf(lookUp(service, { email: EMAIL, verification_id: other }))).toBe(
      'no_settled_pass',
    );
    const here = service.company.default_verification_id.toUpperCase();
    expect((await lookUp(service, { email: EMAIL, verification_id: here })).id).toBe(ids.none);
  });

  it.each<[string, Lookup]>([
    ['one_identifier_only', {}],
    ['one_identifier_only', { email: EMAIL, phone: '+12105550123' }],
    ['identifier_unrecognized', { email: 'nonsense' }],
    ['identifier_unrecognized', { phone: '123' }],
    ['no_settled_pass', { email: 'nobody@example.com' }],
  ])('§3.12: %s for %o', async (code, body) => {
    expect(await refusalOf(lookUp(await openTestService(), body))).toBe(code);
  });

  it('is scoped to the company and the partition of the key', async () => {
    const service = await openTestService();
    await run(service, 'alice', { email: EMAIL });
    expect(await refusalOf(lookUp(service, { email: EMAIL }, 'sk_live'))).toBe('no_settled_pass');
    const other = await createCompany(service.deps.db, service.clock, { name: 'Other', actor: 'cli' });
    const stranger = await authenticateV3(service.deps.db, other.keys.sk_test, {
      secretOnly: true,
      nowMs: NOW,
    });
    expect(await refusalOf(lookUpByIdentity(service.deps, stranger, { email: EMAIL }))).toBe(
      'no_settled_pass',
    );
  });
});

describe('rule 6: test tokens', () => {
  it.each<[TestToken, { status: string; reasons: string[]; verified: boolean }]>([
    [{}, { status: 'approved', reasons: [], verified: true }],
    [
      { status: 'approved', reasons: ['collision'] },
      { status: 'approved', reasons: ['collision'], verified: true },
    ],
    [{ status: 'denied' }, { status: 'denied', reasons: ['manual_override'], verified: false }],
    [
      { status: 'denied', reasons: ['liveness_failed', 'liveness_failed'] },
      { status: 'denied', reasons: ['liveness_failed'], verified: false },
    ],
  ])('%o settles a real pass with that verdict', async (body, expected) => {
    const service = await openTestService();
    const { token, verified } = await mint(service, body);
    expect(verified).toBe(expected.verified);
    expect(await readConfirmation(service.deps, await service.caller('sk_test'), token)).toMatchObject({
      ...expected,
      is_test: true,
    });
  });

  it('is invisible to live keys', async () => {
    const service = await openTestService();
    const { token } = await mint(service, {});
    expect(await refusalOf(readConfirmation(service.deps, await service.caller('sk_live'), token))).toBe(
      'not found',
    );
  });

  it.each(['pk_live', 'sk_live', 'pk_test'] as const)('§3.13: test_key_required for %s', async (key) => {
    expect(await refusalOf(mint(await openTestService(), {}, key))).toBe('test_key_required');
  });

  it('§3.13: unknown_reason names them', async () => {
    const error: unknown = await mint(await openTestService(), {
      reasons: ['collision', 'boredom', 'toString'],
    }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      code: 'unknown_reason',
      options: { extra: { reasons: ['boredom', 'toString'] } },
    });
  });

  it('belongs to the given verification, else to the default', async () => {
    const service = await openTestService();
    const id = await service.verification(newId(NOW), { externalId: 'flow' });
    const confirmed = async (body: TestToken) =>
      readConfirmation(service.deps, await service.caller('sk_test'), (await mint(service, body)).token);
    expect((await confirmed({ verification_id: id })).verification.external_id).toBe('flow');
    expect((await confirmed({})).verification.external_id).toBeNull();
    expect(await refusalOf(mint(service, { verification_id: newId(NOW) }))).toBe('no_matching_verification');
  });
});
