/** Decisions §5, rule 2, and the contract's initialize rule 12: when an earlier pass replaces a new check. */
import { describe, expect, it } from 'vitest';
import {
  HOUR_MS,
  DAY_MS,
  NOW,
  OTHER_MAIL,
  alice,
  approved,
  denied,
  facts,
  failed,
  knownAs,
  pass,
  run,
} from '../../../testing/service/settling.ts';
import { settle } from './settle.ts';

describe('rule 2 and initialize rule 12: the skip window', () => {
  const recent = pass({ id: 'recent', settledAt: NOW - HOUR_MS });
  const skip = { kind: 'skip', passId: 'recent' };

  it('returns the earlier pass to a known person', () => {
    expect(settle(run(), facts({ person: alice(recent) }))).toEqual(skip);
  });

  it('also skips before any check, for a seeded identity', () => {
    expect(settle(run({ liveness: null }), facts({ person: alice(recent) }))).toEqual(skip);
  });

  it('lasts until just before its end', () => {
    const atEnd = alice(pass({ id: 'recent', settledAt: NOW - 24 * HOUR_MS }));
    const before = alice(pass({ id: 'recent', settledAt: NOW - 24 * HOUR_MS + 1 }));
    expect(settle(run(), facts({ person: before }))).toEqual(skip);
    expect(settle(run(), facts({ person: atEnd }))).toEqual(denied(['collision_company']));
  });

  it('is off at 0 hours', () => {
    const outcome = settle(run({ config: { skipWindowMs: 0 } }), facts({ person: alice(recent) }));
    expect(outcome).toEqual(denied(['collision_company']));
  });

  it('is off at 0 hours, even if the clock was set back to before the pass', () => {
    const person = alice(pass({ settledAt: NOW + HOUR_MS }));
    expect(settle(run({ config: { skipWindowMs: 0 } }), facts({ person }))).toEqual(
      denied(['collision_company']),
    );
  });

  it('still applies if the clock was set back', () => {
    const person = alice(pass({ id: 'recent', settledAt: NOW + 3 * DAY_MS }));
    expect(settle(run(), facts({ person }))).toEqual(skip);
  });

  it.each([
    ['the same external_id skips', 'acct-1', 'acct-1', true],
    ['no external_id skips', null, 'acct-1', true],
    ['another external_id runs its own check', 'acct-2', 'acct-1', false],
    ['an external_id which the pass lacks runs its own check', 'acct-1', null, false],
  ])('%s', (_title, ofRun, ofPass, skips) => {
    const person = alice({ ...recent, externalId: ofPass });
    const outcome = settle(run({ externalId: ofRun }), facts({ person }));
    expect(outcome.kind).toBe(skips ? 'skip' : 'settle');
  });

  it('rule 12: a changed external_id in the same group is reported according to the collision setting', () => {
    const person = knownAs(['acct-1'], { ...recent, group: 'g', externalId: 'acct-1' });
    const again = { group: 'g', externalId: 'acct-2' };
    expect(settle(run(again), facts({ person }))).toEqual(
      denied(['collision', 'duplicate_account'], { groups: ['g'] }),
    );
    expect(settle(run({ ...again, config: { collisionAction: 'flag' } }), facts({ person }))).toEqual(
      approved({ reasons: ['collision', 'duplicate_account'], groups: ['g'] }),
    );
  });

  it.each([
    [null, 'g'],
    ['g', null],
    ['g', 'h'],
  ])('requires the same group: a run in %s does not skip to a pass in %s', (ofRun, ofPass) => {
    const outcome = settle(run({ group: ofRun }), facts({ person: alice({ ...recent, group: ofPass }) }));
    expect(outcome.kind).toBe('settle');
  });

  it('never skips to a pass of an included group', () => {
    const person = alice({ ...recent, group: 'h' });
    expect(settle(run({ group: 'g', includeGroups: ['h'] }), facts({ person }))).toEqual(
      denied(['collision'], { groups: ['h'] }),
    );
  });

  it('requires the same verification', () => {
    const person = alice({ ...recent, verificationId: 'v2' });
    expect(settle(run(), facts({ person })).kind).toBe('settle');
  });

  it('considers only the latest pass: a denial after the approval ends it', () => {
    const later = pass({ status: 'denied', reasons: ['limit_reached'], settledAt: NOW - 1 });
    expect(settle(run(), facts({ person: alice(recent, later) })).kind).toBe('settle');
    expect(settle(run(), facts({ person: alice(later, recent) })).kind).toBe('settle');
  });

  it('a flagged pass is approved, so a run skips to it', () => {
    const person = alice({ ...recent, reasons: ['collision_company'] });
    expect(settle(run(), facts({ person }))).toEqual(skip);
  });

  it('is not metered and therefore comes before the cap', () => {
    expect(settle(run(), facts({ person: alice(recent), capReached: true }))).toEqual(skip);
  });

  it('does not vouch for a check that failed', () => {
    const outcome = settle(run({ liveness: failed(0) }), facts({ person: alice(recent) }));
    expect(outcome).toEqual(denied(['liveness_failed']));
  });

  it('ends with a lock: the check is made and is denied', () => {
    const person = alice({ ...recent, lockedAt: NOW - 1 });
    expect(settle(run(), facts({ person }))).toEqual(denied(['pass_locked']));
  });

  it('ends with a lock of any pass on the verification, including in another group', () => {
    const locked = pass({ group: 'h', settledAt: NOW - 2 * HOUR_MS, lockedAt: NOW - HOUR_MS });
    const person = alice(locked, { ...recent, group: 'g' });
    expect(settle(run({ group: 'g' }), facts({ person }))).toMatchObject({
      status: 'denied',
      reasons: ['pass_locked'],
    });
  });

  it("never hides that the run's identity belongs to someone else", () => {
    const outcome = settle(
      run({ identity: OTHER_MAIL }),
      facts({ person: alice(recent), identityOwnerId: 'bob' }),
    );
    expect(outcome).toEqual(denied(['identity_mismatch']));
  });
});

describe('the way out of an event', () => {
  const OF_EVENT = { group: 'g', settledAt: NOW - 30 * DAY_MS };
  const wayOut = (overrides: Parameters<typeof run>[0] = {}) =>
    run({ group: 'g', isWayOut: true, ...overrides });
  const guest = alice(pass({ ...OF_EVENT, id: 'entry' }));
  const unknown = denied(['not_recognised']);

  it.each([
    ['a guest who passed leaves by that pass, however long ago', guest],
    ['also one who was checked at home', alice(pass({ ...OF_EVENT, id: 'entry', group: 'home:g' }))],
    [
      'also one who is blocked since',
      { ...guest, block: { action: 'refuse' as const, expiresAt: NOW + DAY_MS } },
    ],
    [
      'by the latest that is good',
      alice(pass({ ...OF_EVENT, id: 'entry' }), pass({ group: 'g', lockedAt: NOW })),
    ],
  ])('%s', (_title, person) => {
    const config = { limit: { kind: 'total' as const, max: 1 }, skipWindowMs: 0 };
    expect(settle(wayOut({ config }), facts({ person, capReached: true }))).toEqual({
      kind: 'skip',
      passId: 'entry',
    });
  });

  it.each([
    ['a face that nobody knows', facts()],
    ['a guest of another event', facts({ person: alice(pass({ group: 'other' })) })],
    ['who was only ever denied', facts({ person: alice(pass({ ...OF_EVENT, status: 'denied' })) })],
    ['who disconnected', facts({ person: alice(pass({ ...OF_EVENT, revokedAt: NOW })) })],
    ['a face between two guests', facts({ near: [guest] })],
    ['a face that two guests have', facts({ person: guest, alsoSame: [{ ...guest, id: 'bob' }] })],
  ])('%s is not recognised, never enrolled or reviewed', (_title, of) => {
    for (const collisionAction of ['review', 'flag', 'deny'] as const)
      expect(settle(wayOut({ config: { collisionAction } }), of)).toEqual(unknown);
  });

  it('a doubtful capture recognises nobody, and one that failed may be repeated', () => {
    expect(
      settle(wayOut({ liveness: { passed: true, isDoubtful: true } }), facts({ person: guest })),
    ).toEqual(unknown);
    expect(settle(wayOut({ liveness: failed(1) }), facts({ person: guest }))).toEqual({ kind: 'retry' });
  });
});
