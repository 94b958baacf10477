/** Rules for every run and every history (decisions §5; contract, initialize rules 7 and 8). */
import { CAPTURE_TRUSTS } from '../companies/verification-config.ts';
import { GENERATIONS } from '../../contract/operations.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../testing/tier.ts';
import type { Identity } from '../identity.ts';
import { approvedInPool, inPool, poolOf } from './findings.ts';
import { REASONS } from './reasons.ts';
import {
  type Facts,
  type PassFact,
  passToSkipTo,
  type PersonFact,
  type Run,
  settle,
  settleKnown,
} from './settle.ts';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2030, 4, 15, 12);

// Few values each, so that the coincidences that the rules cover are frequent.
const group = fc.constantFrom('g', 'h', 'i');
const groupOrNone = fc.option(group, { nil: null });
const verificationId = fc.constantFrom('v1', 'v2');
const externalId = fc.option(fc.constantFrom('acct-1', 'acct-2'), { nil: null });
const identity: fc.Arbitrary<Identity | null> = fc.option(
  fc.record({
    provider: fc.constantFrom('email', 'phone'),
    identifier: fc.constantFrom('one', 'two'),
  }),
  { nil: null },
);
const generation = fc.constantFrom(...GENERATIONS);
const personId = fc.constantFrom('alice', 'bob');

const approvedPass = fc.record({ status: fc.constant('approved' as const), reasons: fc.constant([]) });
const deniedPass = fc.record({
  status: fc.constant('denied' as const),
  reasons: fc.subarray([...REASONS], { minLength: 1, maxLength: 2 }),
});
const pass: fc.Arbitrary<PassFact> = fc
  .tuple(
    fc.record({
      id: fc.uuid(),
      verificationId,
      generation,
      group: groupOrNone,
      externalId,
      identity,
      settledAt: fc.integer({ min: -1_000, max: 10 }).map((hours) => NOW + hours * HOUR_MS),
      lockedAt: fc.option(fc.constant(NOW - 1), { nil: null, freq: 8 }),
      revokedAt: fc.option(fc.constant(NOW - 1), { nil: null, freq: 8 }),
    }),
    fc.oneof(approvedPass, deniedPass),
  )
  .map(([fields, verdict]) => ({ ...fields, ...verdict }));

const person = (id: string): fc.Arbitrary<PersonFact> =>
  fc.record({
    id: fc.constant(id),
    externalIds: fc.subarray(['acct-1', 'acct-2', 'acct-3']),
    passes: fc.array(pass, { maxLength: 6 }),
  });

const facts: fc.Arbitrary<Facts> = fc.record({
  person: fc.option(person('alice'), { nil: null }),
  near: fc.array(person('bob'), { maxLength: 1 }),
  identityOwnerId: fc.option(personId, { nil: null }),
  externalIdOwnerId: fc.option(personId, { nil: null }),
  capReached: fc.boolean(),
});

const run: fc.Arbitrary<Run> = fc.record({
  nowMs: fc.constant(NOW),
  verificationId,
  generation,
  group: groupOrNone,
  includeGroups: fc.array(group, { maxLength: 3 }),
  externalId,
  identity,
  isTrusted: fc.boolean(),
  declined: fc.boolean(),
  liveness: fc.option(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({ passed: fc.constant(true as const), isDoubtful: fc.boolean() }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          passed: fc.constant(false as const),
          selfMismatch: fc.boolean(),
          spoofSuspected: fc.boolean(),
          attemptsLeftAfter: fc.integer({ min: 0, max: 2 }),
        }),
      },
    ),
    { nil: null },
  ),
  config: fc.record({
    collisionAction: fc.constantFrom('deny', 'flag', 'review'),
    limit: fc.record({
      kind: fc.constantFrom('none', 'total', 'day', 'week', 'month'),
      max: fc.integer({ min: 1, max: 3 }),
    }),
    skipWindowMs: fc.constantFrom(0, HOUR_MS, 24 * HOUR_MS, 720 * HOUR_MS),
    captureTrust: fc.constantFrom(...CAPTURE_TRUSTS),
  }),
});

const RUNS = { numRuns: sized(400, 2_000) };

function withPasses(of: Facts, keep: (pass: PassFact) => boolean): Facts {
  const filtered = (known: PersonFact): PersonFact => ({ ...known, passes: known.passes.filter(keep) });
  return { ...of, person: of.person && filtered(of.person), near: of.near.map(filtered) };
}

describe('rule 7 of initialize: the pool', () => {
  it("passes outside a run's pool never influence a run with a group", () => {
    const grouped = run.filter(({ group: own }) => own !== null);
    fc.assert(
      fc.property(grouped, facts, (of, known) => {
        const pool = poolOf(of.group, of.includeGroups);
        // Locks, and other external IDs of the person, apply to the whole scope.
        const unlocked = withPasses(known, (earlier) => earlier.lockedAt === null);
        const person = unlocked.person && {
          ...unlocked.person,
          externalIds: of.externalId ? [of.externalId] : [],
        };
        const all: Facts = { ...unlocked, person };
        const inside = withPasses(all, (earlier) => inPool(pool, earlier.group));
        expect(settle(of, all)).toEqual(settle(of, inside));
      }),
      RUNS,
    );
  });

  it('passes outside the pool count only through locks and external IDs', () => {
    const grouped = run.filter(({ group: own }) => own !== null);
    fc.assert(
      fc.property(grouped, facts, (of, known) => {
        const pool = poolOf(of.group, of.includeGroups);
        const outside = withPasses(known, (earlier) => !inPool(pool, earlier.group));
        const outcome = settle(of, { ...outside, near: [], identityOwnerId: null, externalIdOwnerId: null });
        if (outcome.kind !== 'settle' && outcome.kind !== 'review') return;
        expect(outcome.reasons).not.toContain('collision');
        expect(outcome.reasons).not.toContain('linked_denial');
        expect(outcome.reasons).not.toContain('limit_reached');
      }),
      RUNS,
    );
  });

  it("rule 8: order and repeats of include_groups, and the run's own group among them, are harmless", () => {
    fc.assert(
      fc.property(run, facts, fc.array(fc.nat(), { maxLength: 6 }), (of, known, picks) => {
        const listed = of.includeGroups;
        const repeats = picks.flatMap((pick) => listed[pick % Math.max(1, listed.length)] ?? []);
        const own = of.group === null ? [] : [of.group];
        const shuffled = [...repeats, ...own, ...listed.toReversed(), ...own];
        expect(settle({ ...of, includeGroups: shuffled }, known)).toEqual(settle(of, known));
      }),
      RUNS,
    );
  });

  it('rule 8: without a group the list adds nothing', () => {
    fc.assert(
      fc.property(run, facts, (of, known) => {
        const ungrouped = { ...of, group: null };
        expect(settle(ungrouped, known)).toEqual(settle({ ...ungrouped, includeGroups: [] }, known));
      }),
      RUNS,
    );
  });
});

describe('every outcome', () => {
  it('a person with a locked pass on the verification is never approved', () => {
    fc.assert(
      fc.property(run, person('alice'), pass, facts, (of, known, locked, rest) => {
        const lockedHere = { ...locked, verificationId: of.verificationId, lockedAt: NOW - 1 };
        const holder = { ...known, passes: [...known.passes, lockedHere] };
        const outcome = settle(of, { ...rest, person: holder });
        expect(outcome.kind === 'settle' || outcome.kind === 'retry').toBe(true);
        expect(outcome).not.toMatchObject({ status: 'approved' });
      }),
      RUNS,
    );
  });

  it('is well-formed: denied has reasons, declined is declined, no reason or group twice', () => {
    fc.assert(
      fc.property(run, facts, (of, known) => {
        const outcome = settle(of, known);
        if (outcome.kind === 'retry') {
          expect(of.liveness).toMatchObject({ passed: false });
          return;
        }
        if (outcome.kind === 'skip') return;
        expect(new Set(outcome.reasons).size).toBe(outcome.reasons.length);
        expect(new Set(outcome.groups).size).toBe(outcome.groups.length);
        expect([...outcome.reasons].sort(byRank)).toEqual(outcome.reasons);
        if (outcome.kind === 'review') {
          const isDoubted = outcome.reasons.some((reason) => reason.startsWith('capture_'));
          expect(isDoubted || of.config.collisionAction === 'review').toBe(true);
          expect(outcome.reasons.length).toBeGreaterThan(0);
          expect(isDoubted || outcome.suspectIds.length > 0).toBe(true);
          return;
        }
        expect(outcome.declined).toBe(of.declined);
        if (outcome.status === 'denied') expect(outcome.reasons.length).toBeGreaterThan(0);
        else if (outcome.reasons.length > 0) expect(of.config.collisionAction).toBe('flag');
        expect(outcome.metered).toBe(!of.declined && !outcome.reasons.includes('usage_cap_exceeded'));
      }),
      RUNS,
    );
  });

  it('a check that failed is never approved, skipped or sent to a reviewer', () => {
    fc.assert(
      fc.property(
        run.filter(({ liveness }) => liveness?.passed === false),
        facts,
        (of, known) => {
          const outcome = settle(of, known);
          expect(outcome.kind === 'retry' || (outcome.kind === 'settle' && outcome.status === 'denied')).toBe(
            true,
          );
        },
      ),
      RUNS,
    );
  });

  it('a skip goes to an approved, unlocked pass of the person on this verification in the same group', () => {
    fc.assert(
      fc.property(run, person('alice'), (of, known) => {
        const skipped = passToSkipTo(of, known);
        if (!skipped) return;
        expect(known.passes).toContain(skipped);
        expect(skipped).toMatchObject({
          status: 'approved',
          lockedAt: null,
          revokedAt: null,
          verificationId: of.verificationId,
          group: of.group,
        });
        expect([null, skipped.externalId]).toContain(of.externalId);
      }),
      RUNS,
    );
  });

  it('does not depend on the order in which history is read', () => {
    fc.assert(
      fc.property(run, facts, (of, known) => {
        const times = (known.person?.passes ?? []).map(({ settledAt }) => settledAt);
        fc.pre(new Set(times).size === times.length);
        const reversed = known.person && { ...known.person, passes: known.person.passes.toReversed() };
        expect(settle(of, { ...known, person: reversed })).toEqual(settle(of, known));
      }),
      RUNS,
    );
  });
});

describe('contract, v2 rule 4: regions', () => {
  const connected = run.filter(({ generation: of, group: own }) => of !== 'v3' && own !== null);

  it('a person who joins has an approved, unlocked, unrevoked pass and none in the region', () => {
    fc.assert(
      fc.property(connected, person('alice'), (of, known) => {
        const outcome = settleKnown(of, known);
        if (outcome?.kind !== 'settle') return;
        expect(outcome).toMatchObject({ status: 'approved', reasons: [], metered: false });
        expect(approvedInPool(poolOf(of.group, of.includeGroups), known)).toEqual([]);
        expect(
          known.passes.some(
            ({ status, lockedAt, revokedAt }) =>
              status === 'approved' && lockedAt === null && revokedAt === null,
          ),
        ).toBe(true);
      }),
      RUNS,
    );
  });

  it('of two accounts of one person in one region, at most one is approved without a finding', () => {
    fc.assert(
      fc.property(connected, person('alice'), (of, known) => {
        const first: PassFact = {
          id: 'first',
          verificationId: of.verificationId,
          generation: of.generation,
          group: of.group,
          status: 'approved',
          reasons: [],
          externalId: 'somebody-else',
          identity: of.identity,
          settledAt: NOW - 1,
          lockedAt: null,
          revokedAt: null,
        };
        const second = { ...of, externalId: 'second', declined: false, liveness: { passed: true } as const };
        const both = { ...known, passes: [...known.passes, first] };
        expect(settleKnown(second, both)).toBeNull();
        const outcome = settle(second, {
          person: both,
          near: [],
          identityOwnerId: null,
          externalIdOwnerId: null,
          capReached: false,
        });
        if (outcome.kind !== 'skip' && outcome.kind !== 'retry') expect(outcome.reasons).not.toEqual([]);
        expect(outcome.kind).not.toBe('skip');
      }),
      RUNS,
    );
  });

  it('IDs of v1 and v2 never cause an external_identity_mismatch', () => {
    fc.assert(
      fc.property(connected, facts, (of, known) => {
        const outcome = settle(of, known);
        if (outcome.kind === 'settle') expect(outcome.reasons).not.toContain('external_identity_mismatch');
      }),
      RUNS,
    );
  });
});

const RANK = new Map(REASONS.map((reason, index) => [reason, index]));
const byRank = (a: (typeof REASONS)[number], b: (typeof REASONS)[number]): number =>
  (RANK.get(a) ?? 0) - (RANK.get(b) ?? 0);
