/** Contract, "Rules for the confirmation endpoints" 1 to 6; decisions §3.9 to §3.13. */
import { describe, expect, it } from 'vitest';
import { NOW, pass as passRow, seedPass } from '../../../testing/store/rows.ts';
import { NO_SKIP, passOf, run, sessionOf, startRun } from '../../../testing/service/runs.ts';
import {
  openTestService,
  refusalOf,
  type TestService,
  type V3KeyType,
} from '../../../testing/service/temp-service.ts';
import { detachPass } from '../../store/passes/changes.ts';
import { createCompany } from '../companies/companies.ts';
import { lookUpByIdentity, readConfirmation, TOKEN_LIFETIME_MS } from './confirmations.ts';
import { decline } from '../runs/flow.ts';
import { newId } from '../ports/ids.ts';
import { authenticateV3 } from '../keys/keys.ts';
import { captureTestFace } from '../capture/test-capture.ts';
import { confirmCode, requestCode } from '../runs/phone-step.ts';
import { lockConfirmation } from './lock.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { settleTestPass } from './test-token.ts';

const read = async (service: TestService, token: string, key: V3KeyType = 'sk_test') =>
  readConfirmation(service.deps, await service.caller(key), token);
const lock = async (service: TestService, token: string) =>
  lockConfirmation(service.deps, await service.caller('sk_test'), token);
const tokenOf = (snapshot: { result: { vyt: string } | null }): string => snapshot.result?.vyt ?? '';

describe('the confirmation', () => {
  it('of a clean pass', async () => {
    const service = await openTestService();
    const snapshot = await run(service, 'alice', { external_id: 'acct', group: 'g', email: 'a@example.com' });
    expect(await read(service, tokenOf(snapshot))).toEqual({
      verified: true,
      status: 'approved',
      reasons: [],
      declined: false,
      group: 'g',
      groups: [],
      id: (await passOf(service, snapshot)).id,
      confirmed_at: '2030-05-15T12:00:00.000Z',
      locked: false,
      is_test: true,
      score: 0,
      band: 'low',
      external_id: 'acct',
      identity: null,
      verification: { external_id: null, external_tenant_id: null },
    });
  });

  it('of a flagged pass is approved with reasons and groups (§3.10)', async () => {
    const service = await openTestService();
    const config = { collision: { action: 'flag' }, skip: { window_hours: 0 } };
    await run(service, 'alice', { group: 'g' });
    const again = await run(service, 'alice', { group: 'g', config });
    expect(await read(service, tokenOf(again))).toMatchObject({
      verified: true,
      status: 'approved',
      reasons: ['collision'],
      group: 'g',
      groups: ['g'],
    });
  });

  it('rule 2: of a declined run is no error', async () => {
    const service = await openTestService();
    const snapshot = await decline(service.deps, await startRun(service));
    expect(snapshot.result?.vyc).toBe(0);
    expect(await read(service, tokenOf(snapshot))).toMatchObject({
      verified: false,
      status: 'denied',
      declined: true,
      reasons: ['declined'],
      score: null,
      band: null,
    });
  });

  it('names its verification', async () => {
    const service = await openTestService();
    const id = await service.verification(newId(NOW), { externalId: 'flow', externalTenantId: 'tenant' });
    const snapshot = await run(service, 'alice', { verification_id: id });
    expect((await read(service, tokenOf(snapshot))).verification).toEqual({
      external_id: 'flow',
      external_tenant_id: 'tenant',
    });
  });

  it('may be read again, which is recorded', async () => {
    const service = await openTestService();
    const snapshot = await run(service, 'alice');
    const first = await read(service, tokenOf(snapshot));
    expect(await read(service, tokenOf(snapshot))).toEqual(first);
    await service.deps.reads.flush();
    const row = await service.deps.db.one<{ n: number }>('SELECT read_count AS n FROM passes');
    expect(row?.n).toBe(2);
  });
});

describe('identity: only with sharing turned on and a verified credential', () => {
  const share = { identity: { share: true } };
  const email = 'Alice@example.com';

  it('according to the config of the verification', async () => {
    const service = await openTestService();
    const id = await service.verification(newId(NOW), { config: share });
    const shared = await run(service, 'alice', { verification_id: id, email });
    const unshared = await run(service, 'bob', { email: 'bob@example.com' });
    expect((await read(service, tokenOf(shared))).identity).toEqual({
      provider: 'email',
      identifier: 'alice@example.com',
    });
    expect((await read(service, tokenOf(unshared))).identity).toBeNull();
  });

  it('rule 6 of initialize: according to the config of the run, which replaces the stored one', async () => {
    const service = await openTestService();
    const id = await service.verification(newId(NOW), { config: share });
    const on = await run(service, 'alice', { email, config: share });
    const off = await run(service, 'bob', { verification_id: id, email: 'bob@example.com', config: {} });
    expect((await read(service, tokenOf(on))).identity).toMatchObject({ provider: 'email' });
    expect((await read(service, tokenOf(off))).identity).toBeNull();
  });

  it('is null for a run without one, and for a denied one', async () => {
    const service = await openTestService();
    const bare = await run(service, 'alice', { config: share });
    const denied = await run(service, 'alice', {
      email: 'new@example.com',
      config: { ...share, skip: { window_hours: 0 } },
    });
    expect((await read(service, tokenOf(bare))).identity).toBeNull();
    expect(await read(service, tokenOf(denied))).toMatchObject({ status: 'denied', identity: null });
  });
});

describe('§3.9: the token', () => {
  it('can be exchanged until just before 30 minutes after it was issued', async () => {
    const service = await openTestService();
    const token = tokenOf(await run(service, 'alice'));
    service.clock.advance(TOKEN_LIFETIME_MS - 1);
    expect((await read(service, token)).verified).toBe(true);
    service.clock.advance(1);
    expect(await refusalOf(read(service, token))).toBe('token_expired');
  });

  it('of a skip counts from its own issue', async () => {
    const service = await openTestService();
    await run(service, 'alice');
    service.clock.advance(TOKEN_LIFETIME_MS);
    const token = tokenOf(await run(service, 'alice'));
    service.clock.advance(TOKEN_LIFETIME_MS - 1);
    expect((await read(service, token)).verified).toBe(true);
  });

  it('counts from the settlement if that is later: a review may take days', async () => {
    const service = await openTestService();
    const { deps, company } = service;
    const settledAt = NOW + 3 * 24 * 3_600_000;
    const id = newId(NOW);
    await seedPass(
      deps.db,
      service.scope('test'),
      passRow(company.default_verification_id, id, { settledAt }),
    );
    const token = deps.tokens.mint({ passId: id, mintedAt: NOW }, 'vs_run');
    service.clock.set(settledAt + TOKEN_LIFETIME_MS - 1);
    expect((await read(service, token)).verified).toBe(true);
  });

  it.each(['', 'x', 'vyt_x', 'vyt_' + 'A'.repeat(73)])(
    'malformed is invalid_confirmation_token: %s',
    async (token) => {
      expect(await refusalOf(read(await openTestService(), token))).toBe('invalid_confirmation_token');
    },
  );

  it('valid but without a settled pass is not found: in review, or deleted', async () => {
    const service = await openTestService();
    const config = { collision: { action: 'review' }, skip: { window_hours: 0 } };
    await run(service, 'alice', { config });
    const waiting = await run(service, 'alice', { config });
    // Decisions §3.20: told apart while a reviewer has it.
    const state = async (of: TestService, token: string, key?: V3KeyType) =>
      read(of, token, key).catch((error: unknown) => (error instanceof Refusal ? error.facts.extra : error));
    expect(await refusalOf(read(service, tokenOf(waiting)))).toBe('not_found');
    expect(await state(service, tokenOf(waiting))).toEqual({ state: 'in_review' });
    expect(await state(service, tokenOf(waiting), 'sk_live')).toBeUndefined();
    const gone = service.deps.tokens.mint({ passId: newId(NOW), mintedAt: NOW }, 'vs_run');
    expect(await refusalOf(read(service, gone))).toBe('not_found');
  });

  it('rule 1: of another company or partition is not found, expired or not', async () => {
    const service = await openTestService();
    const { deps, clock } = service;
    const token = tokenOf(await run(service, 'alice'));
    const other = await createCompany(deps.db, clock, { name: 'Other', actor: 'cli' });
    const stranger = await authenticateV3(deps.db, other.keys.sk_test, { secretOnly: true, nowMs: NOW });
    for (const elapsed of [0, TOKEN_LIFETIME_MS]) {
      clock.set(NOW + elapsed);
      expect(await refusalOf(read(service, token, 'sk_live'))).toBe('not_found');
      expect(await refusalOf(readConfirmation(deps, stranger, token))).toBe('not_found');
      expect(await refusalOf(lockConfirmation(deps, stranger, token))).toBe('not_found');
    }
  });
});

describe('rule 4: lock', () => {
  it('makes the pass read as not passed, though still approved', async () => {
    const service = await openTestService();
    const token = tokenOf(await run(service, 'alice'));
    expect(await lock(service, token)).toMatchObject({ verified: false, locked: true, status: 'approved' });
    expect(await read(service, token)).toMatchObject({ verified: false, locked: true, status: 'approved' });
  });

  it('is idempotent, and is recorded once', async () => {
    const service = await openTestService();
    const token = tokenOf(await run(service, 'alice'));
    const first = await lock(service, token);
    service.clock.advance(1_000);
    expect(await lock(service, token)).toEqual(first);
    const row = await service.deps.db.one<{ n: number }>(
      "SELECT COUNT(*) AS n FROM audit_entries WHERE action = 'pass.lock'",
    );
    expect(row?.n).toBe(1);
  });

  it('the person must verify again, and is denied: no skip, on every retry', async () => {
    const service = await openTestService();
    await lock(service, tokenOf(await run(service, 'alice')));
    for (let n = 0; n < 2; n++) {
      const again = await run(service, 'alice');
      expect(await read(service, tokenOf(again))).toMatchObject({
        verified: false,
        status: 'denied',
        reasons: ['pass_locked'],
      });
    }
  });

  it("applies to the person's passes on the verification, in any group, and to no other verification", async () => {
    const service = await openTestService();
    const elsewhere = await service.verification(newId(NOW));
    const inG = tokenOf(await run(service, 'alice', { group: 'g' }));
    const inH = tokenOf(await run(service, 'alice', { group: 'h' }));
    const other = tokenOf(await run(service, 'alice', { group: 'i', verification_id: elsewhere }));
    await lock(service, inG);
    expect(await read(service, inH)).toMatchObject({ verified: false, locked: true });
    expect(await read(service, other)).toMatchObject({ verified: true, locked: false });
    const third = await run(service, 'alice', { group: 'j' });
    expect((await passOf(service, third)).reasons).toEqual(['pass_locked']);
  });

  it('reads the pass under its lock: a reviewer who has just detached it saves the other person’s passes', async () => {
    const service = await openTestService();
    const { deps } = service;
    const first = await run(service, 'alice', { group: 'g' });
    const second = await run(service, 'alice', { group: 'h' });
    const detached = (await passOf(service, second)).id;
    const db: typeof deps.db = {
      ...deps.db,
      async tx(work, by) {
        await deps.db.tx((tx) => detachPass(tx, service.scope('test'), detached));
        return deps.db.tx(work, by);
      },
    };
    await lockConfirmation({ ...deps, db }, await service.caller('sk_test'), tokenOf(second));
    expect(await read(service, tokenOf(second))).toMatchObject({ locked: true });
    expect(await read(service, tokenOf(first))).toMatchObject({ locked: false });
  });

  it('of one person does not affect another', async () => {
    const service = await openTestService();
    const bob = tokenOf(await run(service, 'bob'));
    await lock(service, tokenOf(await run(service, 'alice')));
    expect((await read(service, bob)).verified).toBe(true);
    expect((await run(service, 'bob', NO_SKIP)).result?.verified).toBe(false);
    expect((await passOf(service, await run(service, 'bob', NO_SKIP))).reasons).not.toContain('pass_locked');
  });
});

// POST /v3/confirmations and POST /v3/test/confirmation-token: contract rules 5 and 6; decisions §3.12, §3.13.

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

  it('finds a pass by each credential of its run: the one that was sent and the phone proven by code', async () => {
    const service = await openTestService();
    const started = await startRun(service, { email: EMAIL, config: { phone: { required: true } } });
    await requestCode(service.deps, started, '+12105550123');
    await confirmCode(service.deps, started, '550123');
    await captureTestFace(service.deps, await sessionOf(service, started.id), 'alice');
    expect(await lookUp(service, { phone: '+12105550123' })).toEqual(await lookUp(service, { email: EMAIL }));
    expect(await refusalOf(lookUp(service, { phone: '+12105550124' }))).toBe('no_settled_pass');
  });

  it('finds the earlier pass of a run that skipped the check', async () => {
    const service = await openTestService();
    const first = await run(service, 'alice');
    await run(service, 'alice', { email: EMAIL });
    expect((await lookUp(service, { email: EMAIL })).id).toBe((await passOf(service, first)).id);
    expect(await refusalOf(lookUp(service, { email: EMAIL }, 'sk_live'))).toBe('no_settled_pass');
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

  it('declined is a denial: an approval with that reason is not declined', async () => {
    const service = await openTestService();
    const confirmed = async (status: 'approved' | 'denied') =>
      read(service, (await mint(service, { status, reasons: ['declined'] })).token);
    expect(await confirmed('denied')).toMatchObject({ verified: false, declined: true });
    expect(await confirmed('approved')).toMatchObject({ verified: true, declined: false });
  });

  it('is invisible to live keys', async () => {
    const service = await openTestService();
    const { token } = await mint(service, {});
    expect(await refusalOf(readConfirmation(service.deps, await service.caller('sk_live'), token))).toBe(
      'not_found',
    );
  });

  it.each(['pk_live', 'sk_live', 'pk_test'] as const)('§3.13: test_key_required for %s', async (key) => {
    expect(await refusalOf(mint(await openTestService(), {}, key))).toBe('test_key_required');
  });

  it('§3.13: unknown_reason names them', async () => {
    const error: unknown = await mint(await openTestService(), {
      reasons: ['collision', 'boredom', 'toString'],
    }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({
      code: 'unknown_reason',
      facts: { extra: { reasons: ['boredom', 'toString'] } },
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
