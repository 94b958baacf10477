/** The problems of this node, for `/readyz`, the metrics, the Door and Settings (decisions §8.5). */
import type {
  ConditionCode,
  HealthCheck,
  HealthCondition,
  HealthState,
} from '../../contract/console/health.ts';
import {
  type Check,
  checksOf,
  type Condition,
  conditionsOf,
  type HealthFacts,
  NOT_READY,
  severityOf,
} from '../../domain/health/conditions.ts';
import { iso, isoOrNull } from '../wire/values.ts';
import { factsOf, type GatheredFacts, type HealthDeps } from './facts.ts';

/** A burst of changes is looked at once. */
const GATHER_MS = 200;

export type Health = {
  /** As of the last look; never waits. */
  state(): HealthState;
  /** The first reason to answer 503; null if the node can serve. */
  notReady(): (typeof NOT_READY)[number] | null;
  /** Epoch milliseconds; null if there is none, or on PostgreSQL. */
  lastBackupAt(): number | null;
  /** Calls back after a look that found something else than the one before. Returns a function that stops following. */
  onChange(listener: () => void): () => void;
  /** Looks now. */
  look(): Promise<void>;
  /** Resolves when the current look has ended. */
  close(): Promise<void>;
};

export async function createHealth(deps: HealthDeps, onError: (error: unknown) => void): Promise<Health> {
  const { db, clock, faces } = deps;
  const gather = factsOf(deps);
  const firstSeen = new Map<ConditionCode, number>();
  let facts: GatheredFacts = await gather();
  let shown = '';
  const listeners = new Set<() => void>();

  const factsNow = (): HealthFacts => ({
    ...facts,
    isDamaged: db.isDamaged(),
    refusesWrites: db.refusesWrites(),
    faceWorkers: faces.stats().workers,
  });
  const conditions = (): Condition[] => conditionsOf(factsNow());

  function state(): HealthState {
    const all = factsNow();
    const found = conditionsOf(all);
    const codes = new Set(found.map(({ code }) => code));
    for (const code of firstSeen.keys()) if (!codes.has(code)) firstSeen.delete(code);
    for (const code of codes) if (!firstSeen.has(code)) firstSeen.set(code, clock.now());
    return healthStateOf(all, found, (code) => firstSeen.get(code) ?? clock.now());
  }

  const lastBackupAt = () => facts.backup?.lastGoodAt ?? null;

  /** Free space changes all the time, and is read with the rest when asked for. */
  const compared = () => JSON.stringify({ ...state(), checks: [] });

  async function read(): Promise<void> {
    facts = await gather();
    const now = compared();
    if (now === shown) return;
    shown = now;
    for (const listener of listeners) listener();
  }

  let looking: Promise<void> | null = null;
  const look = (): Promise<void> => {
    looking ??= read()
      .catch(onError)
      .finally(() => {
        looking = null;
      });
    return looking;
  };
  let soon: NodeJS.Timeout | undefined;
  // Disks fill and certificates end without an announcement: the slow look finds it.
  const unfollow = db.follow('health', () => {
    soon ??= setTimeout(() => {
      soon = undefined;
      // The current look may have read the state from before.
      void (looking ?? Promise.resolve()).then(look);
    }, GATHER_MS).unref();
  });
  shown = compared();

  return {
    state,
    notReady() {
      const codes = new Set(conditions().map(({ code }) => code));
      return NOT_READY.find((code) => codes.has(code)) ?? null;
    },
    lastBackupAt,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    look,
    async close() {
      unfollow();
      clearTimeout(soon);
      await looking;
    },
  };
}

/** @param firstSeen when a condition that has no time of its own was first seen, epoch milliseconds */
export const healthStateOf = (
  facts: HealthFacts,
  conditions: readonly Condition[],
  firstSeen: (code: ConditionCode) => number,
): HealthState => ({
  checks: checksOf(facts, conditions).map(checkToWire),
  conditions: conditions.map((condition) => toWire(condition, firstSeen(condition.code))),
  last_backup_at: isoOrNull(facts.backup?.lastGoodAt ?? null),
});

const checkToWire = ({ check, severity, at, count, bytes }: Check): HealthCheck => ({
  check,
  severity,
  at: isoOrNull(at ?? null),
  count: count ?? null,
  bytes: bytes ?? null,
});

/** All facts that a condition can have. */
type Facts = { code: ConditionCode; since?: number | undefined; at?: number | null } & Partial<
  Pick<HealthCondition, 'count' | 'bytes' | 'place' | 'why'>
>;

function toWire(condition: Condition, firstSeenMs: number): HealthCondition {
  const facts: Facts = condition;
  return {
    code: condition.code,
    severity: severityOf(condition.code),
    since: iso(facts.since ?? firstSeenMs),
    at: isoOrNull(facts.at ?? null),
    count: facts.count ?? null,
    bytes: facts.bytes ?? null,
    place: facts.place ?? null,
    why: facts.why ?? null,
  };
}
