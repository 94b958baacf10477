/** The contract's "States and transitions" and the rules of decisions §5, one test per rule: 1, 3, 4 and 7. */
import { describe, expect, it } from 'vitest';
import {
  HOUR_MS,
  NOW,
  ALICE_MAIL,
  alice,
  approved,
  denied,
  facts,
  failed,
  knownAs,
  pass,
  run,
} from '../../../testing/service/settling.ts';
import { type PassFact, type PersonFact, settle } from './settle.ts';

describe('contract, states: a run settles', () => {
  it('approved if liveness and uniqueness pass with no findings', () => {
    expect(settle(run(), facts())).toEqual(approved());
  });

  it('approved with reasons (flagged) if it passes with findings', () => {
    const outcome = settle(run({ config: { collisionAction: 'flag' } }), facts({ person: alice(pass()) }));
    expect(outcome).toEqual(approved({ reasons: ['collision_company'] }));
  });

  it('denied with at least one reason if the rules fail', () => {
    expect(settle(run(), facts({ person: alice(pass()) }))).toEqual(denied(['collision_company']));
  });
});

describe('rule 1: declined', () => {
  it('is denied as declined, without a check or metering', () => {
    expect(settle(run({ declined: true, liveness: null }), facts())).toEqual(
      denied(['declined'], { declined: true, metered: false }),
    );
  });

  it('comes before the cap, the skip and every finding', () => {
    const known = alice(pass({ settledAt: NOW - HOUR_MS }));
    expect(
      settle(run({ declined: true, liveness: null }), facts({ person: known, capReached: true })),
    ).toEqual(denied(['declined'], { declined: true, metered: false }));
  });
});

describe('rule 3: the daily cap', () => {
  it('denies as usage_cap_exceeded, and does not count itself', () => {
    expect(settle(run(), facts({ capReached: true }))).toEqual(
      denied(['usage_cap_exceeded'], { metered: false }),
    );
  });

  it('comes before liveness and before hard denials', () => {
    const outcome = settle(
      run({ liveness: failed(2), identity: ALICE_MAIL }),
      facts({ capReached: true, identityOwnerId: 'bob' }),
    );
    expect(outcome).toEqual(denied(['usage_cap_exceeded'], { metered: false }));
  });
});

describe('rule 4: liveness', () => {
  it.each([1, 2])('offers another attempt while %i are left', (left) => {
    expect(settle(run({ liveness: failed(left, { spoof: true }) }), facts())).toEqual({ kind: 'retry' });
  });

  it.each([
    ['liveness_failed', {}],
    ['spoof_suspected', { spoof: true }],
    ['face_self_mismatch', { self: true }],
    ['face_self_mismatch', { self: true, spoof: true }],
  ] as const)('ends as %s after the last attempt (%o), metered', (reason, how) => {
    expect(settle(run({ liveness: failed(0, how) }), facts())).toEqual(denied([reason]));
  });

  it('comes before hard denials: identity is irrelevant if the face may be a picture', () => {
    const person = alice(pass({ lockedAt: NOW - 1 }));
    expect(settle(run({ liveness: failed(0) }), facts({ person }))).toEqual(denied(['liveness_failed']));
  });
});

describe('rule 7: the collision action, and near matches', () => {
  const review = { collisionAction: 'review' } as const;
  const twin = (...history: PassFact[]): PersonFact => ({ id: 'twin', externalIds: [], passes: history });

  it('review: a finding sends the run to a reviewer instead of settling it', () => {
    expect(settle(run({ config: review }), facts({ person: alice(pass({ group: 'g' })) }))).toEqual({
      kind: 'review',
      reasons: ['collision_company'],
      groups: ['g'],
      suspectIds: ['alice'],
    });
  });

  it('review: a clean run is approved at once', () => {
    expect(settle(run({ config: review }), facts())).toEqual(approved());
  });

  it('a near match goes to review if the action is review', () => {
    expect(settle(run({ config: review }), facts({ near: [twin(pass())] }))).toEqual({
      kind: 'review',
      reasons: ['collision_company'],
      groups: [],
      suspectIds: ['twin'],
    });
    expect(
      settle(run({ group: 'g', config: review }), facts({ near: [twin(pass({ group: 'g' }))] })),
    ).toEqual({ kind: 'review', reasons: ['collision'], groups: ['g'], suspectIds: ['twin'] });
  });

  it.each(['deny', 'flag'] as const)('a near match has no effect if the action is %s', (action) => {
    expect(settle(run({ config: { collisionAction: action } }), facts({ near: [twin(pass())] }))).toEqual(
      approved(),
    );
  });

  it('a near match whose passes all are outside the pool has no effect', () => {
    const near = [twin(pass({ group: 'h' }))];
    expect(settle(run({ group: 'g', config: review }), facts({ near }))).toEqual(approved());
    expect(settle(run({ group: 'g', includeGroups: ['h'], config: review }), facts({ near }))).toMatchObject({
      kind: 'review',
      groups: ['h'],
    });
  });

  it('a face that matches a person is not held up by its similarity to another', () => {
    const person = knownAs(['acct'], pass({ externalId: 'acct' }));
    const outcome = settle(
      run({ externalId: 'acct', config: review }),
      facts({ person, externalIdOwnerId: 'alice', near: [twin(pass())] }),
    );
    expect(outcome).toEqual(approved());
  });
});
