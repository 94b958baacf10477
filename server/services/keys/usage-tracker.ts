import type { Scope } from '../../domain/scope.ts';
import { touchKey } from '../../store/keys/keys.ts';
import { recordReads } from '../../store/passes/passes.ts';
import type { Database } from '../../store/sql/port.ts';
import type { Clock } from '../clock.ts';

const FLUSH_MS = 1_000;
const MINUTE_MS = 60_000;

/**
 * Records, without a durable write for each, how often a pass was read and when a key was last used (to the minute).
 * A crash may lose the last second of this, never a result.
 */
export type UsageTracker = {
  count(scope: Scope, passId: string): void;
  keyUsed(keyId: string): void;
  flush(): Promise<void>;
  /** Flushes and stops. */
  close(): Promise<void>;
};

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

  async function flush(): Promise<void> {
    if (reads.size === 0 && usedKeys.size === 0) return;
    const [passes, keys] = [reads, usedKeys];
    reads = new Map();
    usedKeys = new Set();
    const now = clock.now();
    const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
    // One statement each: they add up in any order, and no company waits for another. SQLite commits them together.
    const writing = { run: db.write };
    await Promise.all([
      ...[...passes].map(([passId, { scope, n }]) => recordReads(writing, scope, passId, n, now)),
      ...[...keys].map((keyId) => touchKey(writing, keyId, minute)),
    ]);
  }

  const timer = setInterval(() => {
    flush().catch(onError);
  }, FLUSH_MS);
  timer.unref();

  return {
    count(scope, passId) {
      const entry = reads.get(passId);
      if (entry) entry.n += 1;
      else reads.set(passId, { scope, n: 1 });
    },
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
