/**
 * Decisions §5, rule 6, and contract, v2 rule 4: what identifies an account in v1 and v2, and joining another
 * region.
 */
import { describe, expect, it } from 'vitest';
import {
  alice,
  approved,
  DAY_MS,
  denied,
  facts,
  HOUR_MS,
  knownAs,
  NOW,
  pass,
  run,
} from '../../../testing/service/settling.ts';
import type { Identity } from '../identity.ts';
import { settle, settleKnown } from './settle.ts';

const PHONE: Identity = { provider: 'phone', identifier: '+999011234567' };
const OTHER_PHONE: Identity = { provider: 'phone', identifier: '+999017654321' };

describe.each(['v1', 'v2'] as const)('rule 6 in %s: an ID names an account within its pool', (generation) => {
  const ofUser = (externalId: string, group: string | null = null) => run({ generation, externalId, group });
  const passOf = (externalId: string, group: string | null = null) => pass({ generation, externalId, group });

  it('one person has an account in each region, under any IDs', () => {
    const person = alice(passOf('user-1', 'spring'));
    expect(settle(ofUser('user-2', 'autumn'), facts({ person }))).toEqual(approved());
  });

  it('a second account of the person in one region is a collision and a duplicate', () => {
    const person = alice(passOf('user-1', 'spring'));
    expect(settle(ofUser('user-2', 'spring'), facts({ person }))).toEqual(
      denied(['collision', 'duplicate_account'], { groups: ['spring'] }),
    );
  });

  it('without a region, one account in the whole integration', () => {
    for (const group of [null, 'spring']) {
      expect(settle(ofUser('user-2'), facts({ person: alice(passOf('user-1', group)) }))).toMatchObject({
        status: 'denied',
        reasons: ['collision_company', 'duplicate_account'],
      });
    }
  });

  it('the same ID in the same region is the same account', () => {
    const person = alice(passOf('user-1', 'spring'));
    expect(settle(ofUser('user-1', 'spring'), facts({ person }))).toEqual(approved());
  });

  it('a number that both accounts have verified does not create a second account in a region', () => {
    const first = pass({ generation, externalId: 'user-1', group: 'spring', identity: PHONE });
    const second = run({ generation, externalId: 'user-2', group: 'spring', identity: { ...PHONE } });
    expect(settle(second, facts({ person: alice(first), identityOwnerId: 'alice' }))).toEqual(
      denied(['duplicate_account'], { groups: ['spring'] }),
    );
  });

  it('an ID that another person has elsewhere is no mismatch', () => {
    expect(settle(ofUser('user-1', 'spring'), facts({ externalIdOwnerId: 'bob' }))).toEqual(approved());
  });

  it('external IDs from v3 are not duplicates of it', () => {
    expect(settle(ofUser('user-1', 'spring'), facts({ person: knownAs(['acct-1']) }))).toEqual(approved());
  });

  it('after disconnecting, the person may have another account', () => {
    const person = alice({ ...passOf('user-1', 'spring'), revokedAt: NOW - 1 });
    expect(settle(ofUser('user-2', 'spring'), facts({ person }))).toEqual(approved());
  });

  it('the same text in another generation is another account', () => {
    for (const other of (['v1', 'v2', 'v3'] as const).filter((each) => each !== generation)) {
      const person = alice(pass({ generation: other, externalId: 'user-1', group: 'spring' }));
      expect(settle(ofUser('user-1', 'spring'), facts({ person }))).toMatchObject({
        reasons: ['collision'],
      });
    }
  });

  it('a verified number is the same account across generations', () => {
    const person = alice(pass({ generation: 'v3', externalId: 'acct', identity: PHONE }));
    expect(settle(run({ generation, externalId: 'user-1', identity: PHONE }), facts({ person }))).toEqual(
      approved(),
    );
  });

  it('rule 2: the same ID skips, the same text of another generation does not', () => {
    const recent = { settledAt: NOW - HOUR_MS, externalId: 'user-1', id: 'recent' };
    const own = alice(pass({ ...recent, generation }));
    expect(settle(ofUser('user-1'), facts({ person: own }))).toEqual({ kind: 'skip', passId: 'recent' });
    const foreign = alice(pass({ ...recent, generation: 'v3' }));
    expect(settle(ofUser('user-1'), facts({ person: foreign }))).toMatchObject({ kind: 'settle' });
  });
});

describe('rule 6 in v3: an external_id names a person in any group', () => {
  it('another v3 external_id is a duplicate anywhere; those of v1 and v2 are not', () => {
    const elsewhere = knownAs(
      ['acct-1'],
      pass({ generation: 'v2', externalId: 'user-1', group: 'h' }),
      pass({ externalId: 'acct-1', group: 'i' }),
    );
    expect(settle(run({ externalId: 'acct-2', group: 'g' }), facts({ person: elsewhere }))).toEqual(
      denied(['duplicate_account'], { groups: ['i'] }),
    );
    const onlyConnected = alice(pass({ generation: 'v2', externalId: 'user-1', group: 'h' }));
    expect(settle(run({ externalId: 'acct-2', group: 'g' }), facts({ person: onlyConnected }))).toEqual(
      approved(),
    );
  });
});

describe('contract, v2 rule 4: a person who is verified elsewhere joins a new region without a check', () => {
  const joining = run({
    generation: 'v2',
    externalId: 'user-2',
    group: 'autumn',
    identity: PHONE,
    liveness: null,
  });
  const inSpring = pass({ generation: 'v2', externalId: 'user-1', group: 'spring', identity: PHONE });
  const joined = approved({ metered: false });

  it.each(['v1', 'v2'] as const)('%s: approved at once, and not metered', (generation) => {
    expect(settleKnown({ ...joining, generation }, alice(inSpring))).toEqual(joined);
  });

  it.each([
    ['an ungrouped pass', { group: null }],
    ['a pass on another verification', { verificationId: 'other' }],
    ['a pass of v3', { generation: 'v3', externalId: null }],
    ['a pass that is years old', { settledAt: NOW - 1_000 * DAY_MS }],
  ] as const)('%s vouches as well', (_title, change) => {
    expect(settleKnown(joining, alice({ ...inSpring, ...change }))).toEqual(joined);
  });

  it.each(['kiosk', 'review_untrusted'] as const)(
    'where captures have to be trusted (%s), only a pass on this verification vouches',
    (captureTrust) => {
      const strict = { ...joining, config: { ...joining.config, captureTrust } };
      expect(settleKnown(strict, alice(inSpring))).toEqual(joined);
      expect(settleKnown(strict, alice({ ...inSpring, verificationId: 'other' }))).toBeNull();
    },
  );

  it.each([
    ['a locked pass', { lockedAt: NOW - 1 }],
    ['a pass that the person withdrew', { revokedAt: NOW - 1 }],
    ['a denied pass', { status: 'denied', reasons: ['liveness_failed'] }],
  ] as const)('%s does not vouch', (_title, change) => {
    expect(settleKnown(joining, alice({ ...inSpring, ...change }))).toBeNull();
  });

  it.each([
    ['another account of the person in this region', { generation: 'v2', externalId: 'user-9' }],
    ['their account in it, past the skip window', { generation: 'v2', externalId: 'user-2' }],
    ['an account of v3 in it', { generation: 'v3' }],
    ['a reviewer’s denial in it', { status: 'denied', reasons: ['reviewer_denied'] }],
  ] as const)('%s leads to the ordinary check', (_title, change) => {
    expect(settleKnown(joining, alice(inSpring, pass({ group: 'autumn', ...change })))).toBeNull();
  });

  it('a locked pass on this verification leads to the ordinary check', () => {
    const locked = pass({ group: 'winter', lockedAt: NOW - 1 });
    expect(settleKnown(joining, alice(inSpring, locked))).toBeNull();
  });

  it('a denial in another region does not matter here', () => {
    const elsewhere = pass({ group: 'winter', status: 'denied', reasons: ['reviewer_denied'] });
    expect(settleKnown(joining, alice(inSpring, elsewhere))).toEqual(joined);
  });

  it('a run without a region, or of v3, joins nothing', () => {
    expect(settleKnown({ ...joining, group: null }, alice(inSpring))).toBeNull();
    expect(settleKnown({ ...joining, generation: 'v3' }, alice(inSpring))).toBeNull();
  });

  it('the same account within the skip window skips the check and does not join again', () => {
    const recent = pass({
      generation: 'v2',
      externalId: 'user-2',
      group: 'autumn',
      id: 'recent',
      settledAt: NOW - HOUR_MS,
    });
    expect(settleKnown(joining, alice(inSpring, recent))).toEqual({ kind: 'skip', passId: 'recent' });
  });

  it('another number changes nothing: the person is what counts', () => {
    expect(settleKnown({ ...joining, identity: OTHER_PHONE }, alice(inSpring))).toEqual(joined);
  });
});
