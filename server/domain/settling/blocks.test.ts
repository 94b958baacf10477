/** The organiser's block list: whom a block refuses, whom a reviewer sees, and what it never passes over. */
import { expect, it } from 'vitest';
import { alice, DAY_MS, facts, NOW, pass, run } from '../../../testing/service/settling.ts';
import type { BlockAction } from '../../contract/console/blocks.ts';
import { passToSkipTo, settle, settleKnown } from './settle.ts';

const blocked = (action: BlockAction, expiresAt = NOW + DAY_MS, ...passes: ReturnType<typeof pass>[]) => ({
  ...alice(...passes),
  block: { action, expiresAt },
});

it('a blocked person is refused', () => {
  expect(settle(run(), facts({ person: blocked('refuse') }))).toMatchObject({
    kind: 'settle',
    status: 'denied',
    reasons: ['blocked'],
    metered: true,
  });
});

it.each(['deny', 'flag', 'review'] as const)(
  'one to look at goes to a reviewer, with collisions %s',
  (collisionAction) => {
    const outcome = settle(run({ config: { collisionAction } }), facts({ person: blocked('review') }));
    expect(outcome).toMatchObject({ kind: 'review', reasons: ['blocked'], suspectIds: ['alice'] });
  },
);

it.each(['refuse', 'review'] as const)(
  'a face that may be that of a blocked person (%s) goes to a reviewer and is not refused',
  (action) => {
    const outcome = settle(run(), facts({ near: [blocked(action)] }));
    expect(outcome).toMatchObject({ kind: 'review', reasons: ['blocked'], suspectIds: ['alice'] });
  },
);

it('somebody else who is near a blocked person passes', () => {
  const other = { ...alice(), id: 'other' };
  const outcome = settle(run(), facts({ person: other, near: [blocked('refuse')] }));
  expect(outcome).toMatchObject({ kind: 'settle', status: 'approved' });
});

it('somebody whose face is also that of a blocked person goes to a reviewer', () => {
  const other = { ...alice(), id: 'other' };
  const outcome = settle(run(), facts({ person: other, alsoSame: [blocked('refuse')] }));
  expect(outcome).toMatchObject({ kind: 'review', reasons: ['blocked'], suspectIds: ['alice', 'other'] });
});

it('a blocked person with the same face is shown to the reviewer of a collision, too', () => {
  const other = { ...alice(pass()), id: 'other' };
  const found = facts({ person: other, alsoSame: [blocked('refuse')] });
  expect(settle(run({ config: { collisionAction: 'review' } }), found)).toMatchObject({
    kind: 'review',
    reasons: ['collision_company', 'blocked'],
    suspectIds: ['other', 'alice'],
  });
});

it('an expired block counts no longer, from its very end on', () => {
  expect(settle(run(), facts({ person: blocked('refuse', NOW) }))).toMatchObject({ status: 'approved' });
  expect(settle(run(), facts({ person: blocked('refuse', NOW + 1) }))).toMatchObject({ status: 'denied' });
});

it.each(['refuse', 'review'] as const)(
  'an earlier pass does not vouch for a blocked person (%s)',
  (action) => {
    const earlier = pass({ settledAt: NOW - 1 });
    expect(passToSkipTo(run(), alice(earlier))).not.toBeNull();
    expect(passToSkipTo(run(), blocked(action, NOW + 1, earlier))).toBeNull();
    const joins = run({ generation: 'v2', group: 'north', liveness: null });
    const elsewhere = pass({ group: 'south', generation: 'v2' });
    expect(settleKnown(joins, alice(elsewhere))).toMatchObject({ status: 'approved' });
    expect(settleKnown(joins, blocked(action, NOW + 1, elsewhere))).toBeNull();
  },
);
