/** The problems of this node, for `/readyz`, the metrics, the Door and Settings (decisions §8.5). */
import type { ConditionCode, HealthCondition, HealthState } from '../../contract/console/health.ts';
import { type Condition, conditionsOf, NOT_READY, severityOf } from '../../domain/health/conditions.ts';
import { iso, isoOrNull } from '../wire-values.ts';
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
  /** Calls back after a look that found something else than the one before. */
  onChange(listener: () => void): void;
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
  let listener: () => void = () => undefined;

  function conditions(): Condition[] {
    return conditionsOf({
      ...facts,
      isDamaged: db.isDamaged(),
      refusesWrites: db.refusesWrites(),
      faceWorkers: faces.stats().workers,
    });
  }

  function state(): HealthState {
    const found = conditions();
    const codes = new Set(found.map(({ code }) => code));
    for (const code of firstSeen.keys()) if (!codes.has(code)) firstSeen.delete(code);
    for (const code of codes) if (!firstSeen.has(code)) firstSeen.set(code, clock.now());
    return {
      conditions: found.map((condition) => toWire(condition, firstSeen.get(condition.code) ?? clock.now())),
      last_backup_at: isoOrNull(lastBackupAt()),
    };
  }

  const lastBackupAt = () => facts.backup?.lastGoodAt ?? null;

  async function read(): Promise<void> {
    facts = await gather();
    const now = JSON.stringify(state());
    if (now === shown) return;
    shown = now;
    listener();
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
  shown = JSON.stringify(state());

  return {
    state,
    notReady() {
      const codes = new Set(conditions().map(({ code }) => code));
      return NOT_READY.find((code) => codes.has(code)) ?? null;
    },
    lastBackupAt,
    onChange(next) {
      listener = next;
    },
    look,
    async close() {
      unfollow();
      clearTimeout(soon);
      await looking;
    },
  };
}

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
