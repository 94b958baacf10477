/** Decisions §5, rule 6, and the contract's initialize rules 7 and 8: which history causes a finding. */
import { describe, expect, it } from 'vitest';
import {
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
import { settle } from './settle.ts';

describe('rule 6: collision', () => {
  it('collision_company for a run without a group, whatever group the history has', () => {
    for (const group of [null, 'g']) {
      expect(settle(run(), facts({ person: alice(pass({ group })) }))).toMatchObject({
        reasons: ['collision_company'],
      });
    }
  });

  it('initialize rule 7: a run with a group is judged only against passes in the same group', () => {
    const elsewhere = alice(pass({ group: 'h' }), pass());
    const here = alice(pass({ group: 'g' }));
    expect(settle(run({ group: 'g' }), facts({ person: elsewhere }))).toEqual(approved());
    expect(settle(run({ group: 'g' }), facts({ person: here }))).toEqual(
      denied(['collision'], { groups: ['g'] }),
    );
  });

  it('history on other verifications of the company counts', () => {
    expect(settle(run(), facts({ person: alice(pass({ verificationId: 'v2' })) }))).toEqual(
      denied(['collision_company']),
    );
  });

  it.each([
    ['the same external_id', { externalId: 'acct' }, { externalId: 'acct' }, true],
    ['the same identity', { identity: ALICE_MAIL }, { identity: { ...ALICE_MAIL } }, true],
    [
      'the same identity under another external_id of the pass',
      { identity: ALICE_MAIL },
      { identity: ALICE_MAIL, externalId: 'acct' },
      true,
    ],
    ['two accounts without a name', {}, {}, false],
    ['another identity', { identity: OTHER_MAIL }, { identity: ALICE_MAIL }, false],
    [
      'the same text from another provider',
      { identity: { provider: 'test', identifier: 'x' } },
      { identity: { provider: 'email', identifier: 'x' } },
      false,
    ],
  ] as const)('same account or not: %s', (_title, ofRun, ofPass, same) => {
    const outcome = settle(run({ ...ofRun }), facts({ person: alice(pass({ ...ofPass })) }));
    expect(outcome).toEqual(same ? approved() : denied(['collision_company']));
  });

  it('a denied pass is not an account that can collide', () => {
    const person = alice(pass({ status: 'denied', reasons: ['liveness_failed'] }));
    expect(settle(run(), facts({ person }))).toEqual(approved());
  });

  it("initialize rule 8: a hit in an included group acts like one in the run's own pool, and names that group", () => {
    const outcome = settle(
      run({ group: 'g', includeGroups: ['h', 'i'] }),
      facts({ person: alice(pass({ group: 'h' }), pass({ group: 'x' })) }),
    );
    expect(outcome).toEqual(denied(['collision'], { groups: ['h'] }));
  });

  it("initialize rule 8: repeats and the run's own group in the list are harmless", () => {
    const outcome = settle(
      run({ group: 'g', includeGroups: ['h', 'g', 'h', 'g'] }),
      facts({ person: alice(pass({ group: 'h' }), pass({ group: 'g' })) }),
    );
    expect(outcome).toEqual(denied(['collision'], { groups: ['g', 'h'] }));
  });

  it('initialize rule 8: without a group the list adds nothing', () => {
    const person = alice(pass({ group: 'x' }));
    expect(settle(run({ includeGroups: ['h'] }), facts({ person }))).toEqual(
      settle(run(), facts({ person })),
    );
    expect(settle(run({ includeGroups: ['h'] }), facts({ person }))).toEqual(
      denied(['collision_company'], { groups: ['x'] }),
    );
  });

  it('`groups` is empty if the earlier history has no group, and also filled for flagged passes', () => {
    const flag = { collisionAction: 'flag' } as const;
    expect(settle(run({ config: flag }), facts({ person: alice(pass()) }))).toMatchObject({ groups: [] });
    expect(settle(run({ group: 'g', config: flag }), facts({ person: alice(pass({ group: 'g' })) }))).toEqual(
      approved({ reasons: ['collision'], groups: ['g'] }),
    );
  });
});

describe('rule 6 and initialize rule 7: duplicate_account', () => {
  it('a second external_id on a known face, in any group', () => {
    const person = knownAs(['acct-1'], pass({ group: 'h', externalId: 'acct-1' }));
    expect(settle(run({ group: 'g', externalId: 'acct-2' }), facts({ person }))).toEqual(
      denied(['duplicate_account'], { groups: ['h'] }),
    );
  });

  it('follows the collision action', () => {
    const person = knownAs(['acct-1'], pass({ group: 'h', externalId: 'acct-1' }));
    const second = { group: 'g', externalId: 'acct-2' };
    expect(settle(run({ ...second, config: { collisionAction: 'flag' } }), facts({ person }))).toEqual(
      approved({ reasons: ['duplicate_account'], groups: ['h'] }),
    );
    expect(settle(run({ ...second, config: { collisionAction: 'review' } }), facts({ person }))).toEqual({
      kind: 'review',
      reasons: ['duplicate_account'],
      groups: ['h'],
      suspectIds: ['alice'],
    });
  });

  it('not for the same external_id, and not for a run without one', () => {
    const person = knownAs(['acct-1'], pass({ externalId: 'acct-1', group: 'h' }));
    expect(
      settle(run({ group: 'g', externalId: 'acct-1' }), facts({ person, externalIdOwnerId: 'alice' })),
    ).toEqual(approved());
    expect(settle(run({ group: 'g' }), facts({ person }))).toEqual(approved());
  });

  it('comes after the collision that accompanies it', () => {
    const person = knownAs(['acct-1'], pass({ externalId: 'acct-1' }));
    expect(settle(run({ externalId: 'acct-2' }), facts({ person }))).toMatchObject({
      reasons: ['collision_company', 'duplicate_account'],
    });
  });
});

describe('rule 6: linked_denial', () => {
  it.each(['spoof_suspected', 'identity_mismatch', 'reviewer_denied'] as const)(
    'an earlier denial for %s in the pool is a finding',
    (reason) => {
      const person = alice(pass({ status: 'denied', reasons: [reason], group: 'g' }));
      expect(settle(run({ group: 'g' }), facts({ person }))).toEqual(
        denied(['linked_denial'], { groups: ['g'] }),
      );
    },
  );

  it.each(['liveness_failed', 'limit_reached', 'usage_cap_exceeded', 'collision', 'pass_locked'] as const)(
    'an earlier denial for %s is not',
    (reason) => {
      const person = alice(pass({ status: 'denied', reasons: [reason] }));
      expect(settle(run(), facts({ person }))).toEqual(approved());
    },
  );

  it('initialize rule 8: denied history covers the included groups only', () => {
    const person = alice(pass({ status: 'denied', reasons: ['spoof_suspected'], group: 'h' }));
    expect(settle(run({ group: 'g' }), facts({ person }))).toEqual(approved());
    expect(settle(run({ group: 'g', includeGroups: ['h'] }), facts({ person }))).toEqual(
      denied(['linked_denial'], { groups: ['h'] }),
    );
  });
});
