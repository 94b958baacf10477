import type { Scope } from '../../domain/scope.ts';
import { touchKey } from '../../store/keys/keys.ts';
import { recordReads } from '../../store/passes/passes.ts';
import type { Database, SqlTx } from '../../store/sql/port.ts';
import type { Clock } from '../ports/clock.ts';

const FLUSH_MS = 1_000;
/** Rows per transaction. A settlement that changes one of them waits for its end. */
const BATCH = 100;
const MINUTE_MS = 60_000;

/**
 * Records how often a pass was read and when a key was last used (to the minute), without a durable write for each. A
 * crash may lose the last second of this, never a result. What could not be written is written later; if only the
 * answer was lost, it is counted twice.
 */
export type UsageTracker = {
  count(scope: Scope, passId: string): void;
  keyUsed(keyId: string): void;
  flush(): Promise<void>;
  /** Flushes and stops. */
  close(): Promise<void>;
};

/** `keep` remembers it for the next flush. */
type Change = { write: (tx: SqlTx) => Promise<unknown>; keep: () => void };

const byId = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

export function createUsageTracker(
  db: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): UsageTracker {
  let reads = new Map<string, { scope: Scope; n: number }>();
  let usedKeys = new Set<string>();
  /** Keys already written in the current minute. */
  let writtenMinute = -1;
  const written = new Set<string>();

  function addReads(scope: Scope, passId: string, n: number): void {
    const entry = reads.get(passId);
    if (entry) entry.n += n;
    else reads.set(passId, { scope, n });
  }

  async function flush(): Promise<void> {
    if (reads.size === 0 && usedKeys.size === 0) return;
    const [passes, keys] = [reads, usedKeys];
    reads = new Map();
    usedKeys = new Set();
    const now = clock.now();
    const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
    // In ID order, so that two nodes never wait for each other's rows.
    const changes: Change[] = [
      ...[...passes].toSorted(byId).map(([passId, { scope, n }]) => ({
        write: (tx: SqlTx) => recordReads(tx, scope, passId, n, now),
        keep: () => addReads(scope, passId, n),
      })),
      ...[...keys].toSorted().map((keyId) => ({
        write: (tx: SqlTx) => touchKey(tx, keyId, minute),
        keep: () => void usedKeys.add(keyId),
      })),
    ];
    let failure: { error: unknown } | undefined;
    for (let start = 0; start < changes.length; start += BATCH) {
      const batch = changes.slice(start, start + BATCH);
      await db
        .tx(
          async (tx) => {
            for (const { write } of batch) await write(tx);
          },
          // The increments commute, so no company needs a lock.
          { companyId: null },
        )
        .catch((error: unknown) => {
          failure ??= { error };
          // For the next flush. Without a database nobody reads, so this does not grow.
          for (const { keep } of batch) keep();
        });
    }
    if (failure) throw failure.error;
  }

  const timer = setInterval(() => {
    flush().catch(onError);
  }, FLUSH_MS);
  timer.unref();

  return {
    count: (scope, passId) => addReads(scope, passId, 1),
    keyUsed(keyId) {
      const minute = Math.floor(clock.now() / MINUTE_MS);
      if (minute !== writtenMinute) {
        written.clear();
        writtenMinute = minute;
      }
      if (written.has(keyId)) return;
      written.add(keyId);
      usedKeys.add(keyId);
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
