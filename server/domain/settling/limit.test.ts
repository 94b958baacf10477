/** Decisions §5, rule 5: hard denials and the limit of a verification. */
import { describe, expect, it } from 'vitest';
import {
  DAY_MS,
  NOW,
  ALICE_MAIL,
  OTHER_MAIL,
  alice,
  approved,
  denied,
  facts,
  knownAs,
  pass,
  run,
} from '../../../testing/service/settling.ts';
import { type Run, settle } from './settle.ts';

describe('rule 5: hard denials', () => {
  it('identity_mismatch: the credential belongs to someone else', () => {
    const outcome = settle(run({ identity: OTHER_MAIL }), facts({ person: alice(), identityOwnerId: 'bob' }));
    expect(outcome).toEqual(denied(['identity_mismatch']));
  });

  it('identity_mismatch: the credential belongs to someone, and the face is unknown', () => {
    expect(settle(run({ identity: ALICE_MAIL }), facts({ identityOwnerId: 'alice' }))).toEqual(
      denied(['identity_mismatch']),
    );
  });

  it("a person's own credential is no mismatch", () => {
    const outcome = settle(
      run({ identity: ALICE_MAIL }),
      facts({ person: alice(), identityOwnerId: 'alice' }),
    );
    expect(outcome).toEqual(approved());
  });

  it.each([null, alice()])('external_identity_mismatch: the external_id is someone else’s (%#)', (person) => {
    expect(settle(run({ externalId: 'acct' }), facts({ person, externalIdOwnerId: 'bob' }))).toEqual(
      denied(['external_identity_mismatch']),
    );
  });

  it('pass_locked: later passes on this verification are denied', () => {
    const person = alice(pass({ lockedAt: NOW - DAY_MS }), pass({ settledAt: NOW - DAY_MS }));
    expect(settle(run(), facts({ person }))).toEqual(denied(['pass_locked']));
  });

  it('pass_locked: whatever the collision action, account and group', () => {
    const person = knownAs(['acct'], pass({ externalId: 'acct', group: 'h', lockedAt: NOW }));
    const outcome = settle(
      run({ externalId: 'acct', group: 'g', config: { collisionAction: 'flag' } }),
      facts({ person, externalIdOwnerId: 'alice' }),
    );
    expect(outcome).toMatchObject({ status: 'denied', reasons: ['pass_locked'] });
  });

  it('a locked pass on another verification does not lock this one', () => {
    const person = knownAs(['acct'], pass({ verificationId: 'v2', externalId: 'acct', lockedAt: NOW }));
    expect(settle(run({ externalId: 'acct' }), facts({ person, externalIdOwnerId: 'alice' }))).toEqual(
      approved(),
    );
  });

  it('all that apply are listed, in order', () => {
    const outcome = settle(
      run({ identity: OTHER_MAIL, externalId: 'theirs', config: { limit: { kind: 'total', max: 1 } } }),
      facts({
        person: alice(pass({ lockedAt: NOW })),
        identityOwnerId: 'bob',
        externalIdOwnerId: 'carol',
      }),
    );
    expect(outcome).toEqual(
      denied(['identity_mismatch', 'external_identity_mismatch', 'pass_locked', 'limit_reached']),
    );
  });

  it('come before findings, and the collision action never softens them', () => {
    for (const collisionAction of ['deny', 'flag', 'review'] as const) {
      const outcome = settle(
        run({ identity: OTHER_MAIL, config: { collisionAction } }),
        facts({ person: alice(pass()), identityOwnerId: 'bob' }),
      );
      expect(outcome).toEqual(denied(['identity_mismatch']));
    }
  });
});

describe('rule 5: the limit of a verification', () => {
  const account = { externalId: 'acct' };
  const owned = { externalIdOwnerId: 'alice' };
  const limited = (
    kind: Run['config']['limit']['kind'],
    settledAt: number,
    { max = 1, ...overrides }: Partial<Run> & { max?: number } = {},
  ) =>
    settle(
      run({ ...account, ...overrides, config: { limit: { kind, max }, skipWindowMs: 0 } }),
      facts({ person: knownAs(['acct'], pass({ ...account, settledAt })), ...owned }),
    );

  it('none: the same account may pass any number of times', () => {
    expect(limited('none', NOW - 1)).toEqual(approved());
  });

  it('total: any earlier pass counts', () => {
    expect(limited('total', 0)).toEqual(denied(['limit_reached']));
  });

  it.each([
    ['day', Date.UTC(2030, 4, 15)],
    ['week', Date.UTC(2030, 4, 13)],
    ['month', Date.UTC(2030, 4, 1)],
  ] as const)('%s: from its first instant UTC, not a millisecond earlier', (kind, start) => {
    expect(limited(kind, start)).toEqual(denied(['limit_reached']));
    expect(limited(kind, start - 1)).toEqual(approved());
  });

  it('week: Sunday belongs to the week that began on Monday', () => {
    const sundayNight = Date.UTC(2030, 4, 19, 23, 59, 59, 999);
    const monday = Date.UTC(2030, 4, 13);
    expect(limited('week', monday, { nowMs: sundayNight })).toEqual(denied(['limit_reached']));
    expect(limited('week', sundayNight, { nowMs: sundayNight + 1 })).toEqual(approved());
  });

  it('setting the clock back does not free a limit that is used up', () => {
    expect(limited('day', NOW + 3 * DAY_MS)).toEqual(denied(['limit_reached']));
  });

  it('max: the n-th pass is the last', () => {
    expect(limited('total', NOW - 1, { max: 2 })).toEqual(approved());
    const twice = knownAs(['acct'], pass(account), pass(account));
    const outcome = settle(
      run({ ...account, config: { limit: { kind: 'total', max: 2 } } }),
      facts({ person: twice, ...owned }),
    );
    expect(outcome).toEqual(denied(['limit_reached']));
  });

  it('counts only approved passes of this verification', () => {
    const person = knownAs(
      ['acct'],
      pass({ ...account, verificationId: 'v2' }),
      pass({ ...account, status: 'denied', reasons: ['liveness_failed'] }),
    );
    const outcome = settle(
      run({ ...account, config: { limit: { kind: 'total', max: 1 } } }),
      facts({ person, ...owned }),
    );
    expect(outcome).toEqual(approved());
  });

  it.each([
    ['its own group', 'g', [], 'g', true],
    ['an included group', 'g', ['h'], 'h', true],
    ['a group outside the pool', 'g', ['h'], 'i', false],
    ['ungrouped history, for a run with a group', 'g', [], null, false],
    ['any group, for a run without one', null, [], 'g', true],
  ])('initialize rule 8: metering covers %s', (_title, group, includeGroups, ofPass, counts) => {
    const person = knownAs(['acct'], pass({ ...account, group: ofPass }));
    const outcome = settle(
      run({ ...account, group, includeGroups, config: { limit: { kind: 'total', max: 1 } } }),
      facts({ person, ...owned }),
    );
    expect(outcome).toMatchObject({ status: counts ? 'denied' : 'approved' });
  });

  it('contract, `groups`: names the groups whose passes used up the limit', () => {
    const person = knownAs(['acct'], pass({ ...account, group: 'h' }));
    const outcome = settle(
      run({ ...account, group: 'g', includeGroups: ['h'], config: { limit: { kind: 'total', max: 1 } } }),
      facts({ person, ...owned }),
    );
    expect(outcome).toEqual(denied(['limit_reached'], { groups: ['h'] }));
  });
});
