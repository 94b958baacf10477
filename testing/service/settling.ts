/** Runs, histories and outcomes for the tests of settling, with default values except for those that a test sets. */
import type { Identity } from '../../server/domain/identity.ts';
import type { Reason } from '../../server/domain/settling/reasons.ts';
import type { Facts, Outcome, PassFact, PersonFact, Run } from '../../server/domain/settling/settle.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** A Wednesday. */
export const NOW = Date.UTC(2030, 4, 15, 12);

export const ALICE_MAIL: Identity = { provider: 'email', identifier: 'alice@example.com' };
export const OTHER_MAIL: Identity = { provider: 'email', identifier: 'other@example.com' };

type Overrides = Omit<Partial<Run>, 'config'> & { config?: Partial<Run['config']> };

export function run({ config, ...overrides }: Overrides = {}): Run {
  return {
    nowMs: NOW,
    verificationId: 'v1',
    generation: 'v3',
    group: null,
    includeGroups: [],
    externalId: null,
    identity: null,
    declined: false,
    liveness: { passed: true },
    isTrusted: false,
    ...overrides,
    config: {
      collisionAction: 'deny',
      limit: { kind: 'none', max: 1 },
      skipWindowMs: 24 * HOUR_MS,
      captureTrust: 'any',
      ...config,
    },
  };
}

let passes = 0;
/** An approved, ungrouped, anonymous pass of two days ago, outside the skip window. */
export function pass(overrides: Partial<PassFact> = {}): PassFact {
  passes += 1;
  return {
    id: `pass-${passes}`,
    verificationId: 'v1',
    group: null,
    status: 'approved',
    reasons: [],
    externalId: null,
    identity: null,
    settledAt: NOW - 2 * DAY_MS,
    lockedAt: null,
    revokedAt: null,
    generation: 'v3',
    ...overrides,
  };
}

export const alice = (...history: PassFact[]): PersonFact => ({
  id: 'alice',
  externalIds: [],
  passes: history,
});
export const knownAs = (externalIds: string[], ...history: PassFact[]): PersonFact => ({
  id: 'alice',
  externalIds,
  passes: history,
});

export function facts(overrides: Partial<Facts> = {}): Facts {
  return {
    person: null,
    near: [],
    identityOwnerId: null,
    externalIdOwnerId: null,
    capReached: false,
    ...overrides,
  };
}

type Settled = Extract<Outcome, { kind: 'settle' }>;
export const approved = (overrides: Partial<Settled> = {}): Settled => ({
  kind: 'settle',
  status: 'approved',
  reasons: [],
  groups: [],
  declined: false,
  metered: true,
  ...overrides,
});
export const denied = (reasons: Reason[], overrides: Partial<Settled> = {}): Settled =>
  approved({ status: 'denied', reasons, ...overrides });

export const failed = (attemptsLeftAfter: number, how: { self?: boolean; spoof?: boolean } = {}) =>
  ({
    passed: false,
    selfMismatch: how.self ?? false,
    spoofSuspected: how.spoof ?? false,
    attemptsLeftAfter,
  }) as const;
