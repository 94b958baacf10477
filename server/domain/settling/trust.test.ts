/** Which captures count: `capture.trust` (docs/explanation/decisions.md), and remaining doubt. */
import { describe, expect, it } from 'vitest';
import {
  alice,
  approved,
  denied,
  facts,
  HOUR_MS,
  NOW,
  pass,
  run,
} from '../../../testing/service/settling.ts';
import { acceptedLiveness, settle } from './settle.ts';

const REVIEWED = { captureTrust: 'review_untrusted' } as const;
const KIOSK = { captureTrust: 'kiosk' } as const;
const FAILED = { passed: false, selfMismatch: false, spoofSuspected: false, attemptsLeftAfter: 0 };

describe('any: every capture counts', () => {
  it.each([true, false])('signed by a kiosk: %s', (isTrusted) => {
    expect(settle(run({ isTrusted }), facts())).toEqual(approved());
  });
});

describe('review_untrusted: a pass from a browser goes to a reviewer', () => {
  it('of a new person, with nobody to compare with', () => {
    expect(settle(run({ config: REVIEWED }), facts())).toEqual({
      kind: 'review',
      reasons: ['capture_untrusted'],
      groups: [],
      suspectIds: [],
    });
  });

  it('of a known person, compared with them; an earlier pass does not vouch for it', () => {
    const person = alice(pass({ settledAt: NOW - HOUR_MS, externalId: 'acct' }));
    const outcome = settle(
      run({ externalId: 'acct', config: REVIEWED }),
      facts({ person, externalIdOwnerId: 'alice' }),
    );
    expect(outcome).toMatchObject({ kind: 'review', reasons: ['capture_untrusted'], suspectIds: ['alice'] });
  });

  it('what would be denied stays denied', () => {
    expect(settle(run({ config: REVIEWED }), facts({ person: alice(pass()) }))).toEqual(
      denied(['collision_company']),
    );
  });

  it('a finding that is only flagged is kept for the reviewer', () => {
    const config = { ...REVIEWED, collisionAction: 'flag' } as const;
    expect(settle(run({ config }), facts({ person: alice(pass()) }))).toMatchObject({
      kind: 'review',
      reasons: ['collision_company', 'capture_untrusted'],
    });
  });

  it('a kiosk’s pass counts immediately', () => {
    expect(settle(run({ isTrusted: true, config: REVIEWED }), facts())).toEqual(approved());
  });
});

describe('a pass in doubt goes to a reviewer', () => {
  const DOUBTFUL = { liveness: { passed: true, isDoubtful: true } } as const;

  it.each([true, false])('wherever it was captured; signed by a kiosk: %s', (isTrusted) => {
    expect(settle(run({ ...DOUBTFUL, isTrusted }), facts())).toEqual({
      kind: 'review',
      reasons: ['capture_doubtful'],
      groups: [],
      suspectIds: [],
    });
  });

  it('an earlier pass does not vouch for it', () => {
    const person = alice(pass({ settledAt: NOW - HOUR_MS, externalId: 'acct' }));
    const known = facts({ person, externalIdOwnerId: 'alice' });
    expect(settle(run({ ...DOUBTFUL, externalId: 'acct' }), known)).toMatchObject({
      kind: 'review',
      reasons: ['capture_doubtful'],
      suspectIds: ['alice'],
    });
  });

  it('both reasons are named if a browser made the capture and staff review those', () => {
    expect(settle(run({ ...DOUBTFUL, config: REVIEWED }), facts())).toMatchObject({
      reasons: ['capture_untrusted', 'capture_doubtful'],
    });
  });

  it('a collision that a reviewer decides also names the doubt', () => {
    const config = { collisionAction: 'review' } as const;
    expect(settle(run({ ...DOUBTFUL, config }), facts({ person: alice(pass()) }))).toMatchObject({
      kind: 'review',
      reasons: ['collision_company', 'capture_doubtful'],
    });
  });
});

describe('kiosk: a pass from anywhere else fails', () => {
  it.each([
    ['a browser', false, FAILED],
    ['a kiosk', true, { passed: true }],
  ] as const)('from %s', (_title, isTrusted, expected) => {
    expect(acceptedLiveness({ passed: true }, run({ isTrusted, config: KIOSK }))).toEqual(expected);
  });

  it('a failed check stays failed', () => {
    const spoof = { ...FAILED, spoofSuspected: true };
    expect(acceptedLiveness(spoof, run({ config: KIOSK }))).toEqual(spoof);
  });
});
