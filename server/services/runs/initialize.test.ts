/** POST /v3/initialize: decisions §3.3 to §3.8, and the contract's initialize rules. */
import { describe, expect, it } from 'vitest';
import type { InitializeRequest } from '../../contract/v3.ts';
import { bindExternalId, bindIdentity } from '../../store/people/people.ts';
import { findSession } from '../../store/runs/sessions.ts';
import { NOW, seedPerson } from '../../../testing/store/rows.ts';
import {
  BASE_URL,
  openTestService,
  refusalOf,
  type TestService,
  type V3KeyType,
} from '../../../testing/service/temp-service.ts';
import { ValidationError } from '../../refusals/refusal.ts';
import { initialize } from './initialize.ts';

const UUID = '019b0000-0000-7000-8000-000000000000';

const call = async (service: TestService, key: V3KeyType, body: InitializeRequest) =>
  initialize(service.deps, await service.caller(key), body);

const refuse = async (key: V3KeyType, body: InitializeRequest, service?: TestService) =>
  refusalOf(call(service ?? (await openTestService()), key, body));

async function minted(service: TestService, key: V3KeyType, body: InitializeRequest) {
  const { session_id: id } = await call(service, key, body);
  return (await findSession(service.deps.db, id ?? ''))!;
}

describe('§3.3: privilege of the key', () => {
  const secretOnly: [keyof InitializeRequest, InitializeRequest][] = [
    ['verification_id', { verification_id: UUID }],
    ['verification_external_id', { verification_external_id: 'flow' }],
    ['email', { email: 'a@example.com' }],
    ['phone', { phone: '+12105550123' }],
    ['external_id', { external_id: 'acct' }],
    ['group', { group: 'g' }],
    ['include_groups', { include_groups: ['g'] }],
    ['redirect_url', { redirect_url: 'https://example.com/' }],
    ['metadata', { metadata: {} }],
  ];

  it.each(secretOnly)('%s needs a secret key, live and test', async (_field, body) => {
    expect(await refuse('pk_live', body)).toBe('identifiers_require_secret_key');
    expect(await refuse('pk_test', body)).toBe('identifiers_require_secret_key');
  });

  it('comes before the meaning of the fields', async () => {
    expect(await refuse('pk_test', { email: 'nonsense' })).toBe('identifiers_require_secret_key');
  });

  it.each(['pk_live', 'sk_live'] as const)('config needs a test key: %s', async (key) => {
    expect(await refuse(key, { config: {} })).toBe('config_requires_test_key');
    expect(await refuse(key, { config: { nonsense: 1 } })).toBe('config_requires_test_key');
  });

  it.each(['pk_test', 'sk_test'] as const)('config with a test key is accepted: %s', async (key) => {
    const session = await minted(await openTestService(), key, { config: { skip: { window_hours: 0 } } });
    expect(session.request.config).toEqual({ skip: { window_hours: 0 } });
  });

  it.each(['pk_live', 'sk_live', 'pk_test', 'sk_test'] as const)(
    'any key may send the rest: %s',
    async (key) => {
      const session = await minted(await openTestService(), key, {
        pass_params: { a: '1' },
        auto_return: true,
        external_tracker: 'x',
      });
      expect(session.request).toMatchObject({ passParams: { a: '1' }, autoReturn: true });
    },
  );
});

describe('§3.4: combinations of fields', () => {
  it.each<[string, InitializeRequest]>([
    ['one_identifier_only', { email: 'a@example.com', phone: '+12105550123' }],
    ['identifier_unrecognized', { email: 'nonsense' }],
    ['identifier_unrecognized', { phone: '12345' }],
    ['identifier_unrecognized', { email: '' }],
    ['start_path_requires_origin', { start_path: '/x' }],
    ['return_path_requires_origin', { return_path: '/x' }],
    ['invalid_origin', { origin: 'null' }],
    ['invalid_origin', { origin: '*.t.example' }],
    ['invalid_origin', { origin: 'a.example,b.example' }],
    ['invalid_origin', { origin: ' a.example' }],
    ['invalid_origin', { origin: 'a.example/x' }],
    ['invalid_origin', { origin: '' }],
    ['invalid_redirect_url', { redirect_url: 'http://example.com/' }],
    ['invalid_redirect_url', { redirect_url: '/done' }],
    ['invalid_redirect_url', { redirect_url: '' }],
    ['invalid_redirect_url', { redirect_url: 'javascript:alert(1)' }],
    [
      'redirect_url_requires_session',
      { expire_in_days: 1, email: 'a@example.com', redirect_url: 'https://example.com' },
    ],
    ['group_requires_session', { expire_in_days: 1, email: 'a@example.com', group: 'g' }],
    ['group_requires_session', { expire_in_days: 1, email: 'a@example.com', include_groups: ['g'] }],
    ['expire_in_days_requires_email', { expire_in_days: 1 }],
    ['expire_in_days_requires_email', { expire_in_days: 1, phone: '+12105550123' }],
    ['metadata_requires_identifier', { metadata: { a: 'b' } }],
    ['metadata_requires_identifier', { metadata: { a: 'b' }, group: 'g' }],
  ])('%s: %o', async (code, body) => {
    expect(await refuse('sk_live', body)).toBe(code);
  });

  it.each<InitializeRequest>([
    { email: 'a@example.com' },
    { phone: '+12105550123' },
    { external_id: 'acct' },
  ])('rule 11: metadata requires an identifier: %o', async (identifier) => {
    const session = await minted(await openTestService(), 'sk_live', {
      ...identifier,
      metadata: { vip: true, rank: 3, team: 'red' },
    });
    expect(session.request.metadata).toEqual({ vip: true, rank: 3, team: 'red' });
  });

  it('rule 3: redirect_url may be https, or http for local addresses', async () => {
    const service = await openTestService();
    for (const redirectUrl of ['https://example.com/x?y=1#z', 'http://localhost:3000/', 'http://10.0.0.1/']) {
      const session = await minted(service, 'sk_live', { redirect_url: redirectUrl });
      expect(session.request.redirectUrl).toBe(redirectUrl);
    }
  });
});

describe('§3.6: owners of identity and external ID', () => {
  const MAIL = { provider: 'email', identifier: 'alice@example.com' } as const;

  async function withAlice(partition: 'live' | 'test' = 'live'): Promise<TestService> {
    const service = await openTestService();
    const scope = service.scope(partition);
    await seedPerson(service.deps.db, scope, 'alice');
    await seedPerson(service.deps.db, scope, 'bob');
    await service.verification(UUID);
    await service.deps.db.tx(async (tx) => {
      await bindIdentity(tx, scope, 'alice', MAIL, NOW);
      for (const [personId, externalId] of [
        ['alice', 'acct-alice'],
        ['bob', 'acct-bob'],
      ] as const) {
        await bindExternalId(tx, scope, {
          personId,
          externalId,
          verificationId: service.company.default_verification_id,
          at: NOW,
        });
      }
    });
    return service;
  }

  it('identity_already_claimed: an identity that a person has verified, in any notation', async () => {
    const service = await withAlice();
    expect(await refuse('sk_live', { email: ' ALICE@example.com ' }, service)).toBe(
      'identity_already_claimed',
    );
  });

  it('unless the external_id belongs to that same person', async () => {
    const service = await withAlice();
    const body = { email: 'alice@example.com' };
    expect(
      (await call(service, 'sk_live', { ...body, external_id: 'acct-alice' })).session_id,
    ).not.toBeNull();
    expect(await refuse('sk_live', { ...body, external_id: 'acct-bob' }, service)).toBe(
      'identity_already_claimed',
    );
    expect(await refuse('sk_live', { ...body, external_id: 'acct-new' }, service)).toBe(
      'identity_already_claimed',
    );
  });

  it('external_id_already_exists: bound to another verification; the same one is a return visit', async () => {
    const service = await withAlice();
    const body = { external_id: 'acct-alice' };
    expect(await refuse('sk_live', { ...body, verification_id: UUID }, service)).toBe(
      'external_id_already_exists',
    );
    expect((await call(service, 'sk_live', body)).session_id).not.toBeNull();
  });

  it('rule 14: the other partition is unaffected', async () => {
    const service = await withAlice('test');
    const body = { email: 'alice@example.com', external_id: 'acct-bob', verification_id: UUID };
    expect((await call(service, 'sk_live', body)).session_id).not.toBeNull();
    expect(await refuse('sk_test', body, service)).toBe('identity_already_claimed');
  });
});

describe('§3.7: config', () => {
  it('with unknown options is config_incomplete, listing them', async () => {
    const config = { colour: 1, collision: { action: 'deny', mode: 2 } };
    expect(await refuse('sk_test', { config })).toBe('config_incomplete: missing colour, collision.mode');
  });

  it.each([
    [{ collision: { action: 'shrug' } }, ['collision', 'action'], 'literal_error'],
    [{ collision: 'deny' }, ['collision'], 'dict_type'],
    [{ limit: { kind: 'day', max: 0 } }, ['limit', 'max'], 'greater_than_equal'],
    [{ limit: { max: '2' } }, ['limit', 'max'], 'int_type'],
    [{ skip: { window_hours: 'x' } }, ['skip', 'window_hours'], 'float_type'],
    [{ returning: { auto_return: 'yes' } }, ['returning', 'auto_return'], 'bool_type'],
  ])('with an invalid value for an option fails validation: %o', async (config, loc, type) => {
    const service = await openTestService();
    const error: unknown = await call(service, 'sk_test', { config }).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as ValidationError).detail).toEqual([
      expect.objectContaining({ loc: ['body', 'config', ...loc], type }),
    ]);
  });

  it('§1.4: a null in it counts as absent', async () => {
    const config = { collision: { action: null }, limit: null };
    expect((await minted(await openTestService(), 'sk_test', { config })).request.config).toEqual(config);
  });

  it('rule 6: is stored verbatim, never merged', async () => {
    const service = await openTestService();
    await service.verification(UUID, { config: { collision: { action: 'flag' } } });
    const session = await minted(service, 'sk_test', {
      verification_id: UUID,
      config: { limit: { kind: 'day' } },
    });
    expect(session.request.config).toEqual({ limit: { kind: 'day' } });
  });
});

describe('§3.8: the session', () => {
  it('has a hosted link, lives 24 h, and is in the partition of the key', async () => {
    const service = await openTestService();
    for (const [kind, partition] of [
      ['sk', 'live'],
      ['pk', 'test'],
    ] as const) {
      const answer = await call(service, `${kind}_${partition}`, {});
      expect(answer).toEqual({
        url: `${BASE_URL}/verification?vys=${answer.session_id ?? ''}`,
        session_id: expect.any(String) as unknown,
        invite_id: null,
      });
      expect(await findSession(service.deps.db, answer.session_id ?? '')).toMatchObject({
        scope: service.scope(partition),
        state: 'open',
        attemptsLeft: 3,
        createdAt: NOW,
        expiresAt: NOW + 24 * 3_600_000,
      });
    }
  });

  it('§1.6: its ID is never repeated and contains at least 128 random bits', async () => {
    const service = await openTestService();
    const answers = await Promise.all(Array.from({ length: 12 }, () => call(service, 'pk_test', {})));
    const random = answers.map(({ session_id }) => session_id?.slice(-32) ?? '');
    expect(new Set(random).size).toBe(12);
    for (const text of random) expect(text).toMatch(/^[A-Za-z0-9]{32}$/);
  });

  it('keeps every field of its request', async () => {
    const service = await openTestService();
    const session = await minted(service, 'sk_live', {
      origin: 'example.com',
      return_path: '/done',
      start_path: '/start',
      phone: '+1 210 555 0123',
      external_id: 'acct',
      group: 'g',
      include_groups: ['h', 'g', 'h'],
      redirect_url: 'https://example.com/r',
      pass_params: { a: '1' },
      auto_return: false,
      metadata: { m: 1 },
    });
    expect(session.request).toEqual({
      origin: 'example.com',
      returnPath: '/done',
      startPath: '/start',
      identity: { provider: 'phone', identifier: '+12105550123' },
      externalId: 'acct',
      group: 'g',
      includeGroups: ['h', 'g', 'h'],
      redirectUrl: 'https://example.com/r',
      passParams: { a: '1' },
      autoReturn: false,
      config: null,
      metadata: { m: 1 },
    });
  });

  it('rule 5: expire_in_days creates an invite instead, with its own link', async () => {
    const service = await openTestService();
    for (const days of [1, 365]) {
      const answer = await call(service, 'sk_live', { expire_in_days: days, email: `p${days}@example.com` });
      expect(answer).toEqual({
        url: expect.stringMatching(/^https:\/\/gatehouse\.example\/invite\/[A-Za-z0-9]{22,}$/) as unknown,
        session_id: null,
        invite_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      });
    }
  });
});
