/** Contract, "Rules for the confirmation endpoints" 1 to 6; decisions §3.9 to §3.13. */
import { describe, expect, it } from 'vitest';
import { NOW, pass as passRow, seedPass } from '../../../testing/service/rows.ts';
import { NO_SKIP, passOf, run, startRun } from '../../../testing/service/runs.ts';
import {
  openTestService,
  refusalOf,
  type TestService,
  type V3KeyType,
} from '../../../testing/service/temp-service.ts';
import { createCompany } from '../companies/companies.ts';
import { readConfirmation, TOKEN_LIFETIME_MS } from './confirmations.ts';
import { decline } from '../runs/flow.ts';
import { newId } from '../ids.ts';
import { authenticateV3 } from '../keys/keys.ts';
import { lockConfirmation } from './lock.ts';

const read = async (service: TestService, token: string, key: V3KeyType = 'sk_test') =>
  readConfirmation(service.deps, await service.caller(key), token);
const lock = async (service: TestService, token: string, key: V3KeyType = 'sk_test') =>
  lockConfirmation(service.deps, await service.caller(key), token);
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
    expect(await refusalOf(read(service, tokenOf(waiting)))).toBe('not found');
    const gone = service.deps.tokens.mint({ passId: newId(NOW), mintedAt: NOW }, 'vs_run');
    expect(await refusalOf(read(service, gone))).toBe('not found');
  });

  it('rule 1: of another company or partition is not found, expired or not', async () => {
    const service = await openTestService();
    const { deps, clock } = service;
    const token = tokenOf(await run(service, 'alice'));
    const other = await createCompany(deps.db, clock, { name: 'Other', actor: 'cli' });
    const stranger = await authenticateV3(deps.db, other.keys.sk_test, { secretOnly: true, nowMs: NOW });
    for (const elapsed of [0, TOKEN_LIFETIME_MS]) {
      clock.set(NOW + elapsed);
      expect(await refusalOf(read(service, token, 'sk_live'))).toBe('not found');
      expect(await refusalOf(readConfirmation(deps, stranger, token))).toBe('not found');
      expect(await refusalOf(lockConfirmation(deps, stranger, token))).toBe('not found');
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

  it('of one person does not affect another', async () => {
    const service = await openTestService();
    const bob = tokenOf(await run(service, 'bob'));
    await lock(service, tokenOf(await run(service, 'alice')));
    expect((await read(service, bob)).verified).toBe(true);
    expect((await run(service, 'bob', NO_SKIP)).result?.verified).toBe(false);
    expect((await passOf(service, await run(service, 'bob', NO_SKIP))).reasons).not.toContain('pass_locked');
  });
});
