/** Keeps the index in sync with other processes on this database, even without searches. */
import type { FacePool } from '../../domain/matching/face-pool.ts';
import type { Database } from '../../store/sql/port.ts';
import { onAnnouncement } from '../ports/turns.ts';
import type { FaceIndex } from './face-index.ts';

/** Counting everyone takes some 10 ms at 100,000, so it is rare. */
const CHECK_EVERY_MS = 10 * 60_000;

/** Follows the audit log, which has every erasure; other changes come at the slow look. Call the returned function to stop. */
export function followFaceIndex(
  db: Pick<Database, 'follow'>,
  faceIndex: FaceIndex,
  {
    onRebuilt,
    onError,
    checkEveryMs = CHECK_EVERY_MS,
  }: {
    onRebuilt: (pools: FacePool[]) => void;
    onError: (error: unknown) => void;
    checkEveryMs?: number;
  },
): () => void {
  // Never both at once.
  let isCheckDue = false;
  const turns = onAnnouncement(
    db,
    { topic: 'audit' },
    async () => {
      await faceIndex.catchUpAll();
      if (!isCheckDue) return undefined;
      isCheckDue = false;
      const rebuilt = await faceIndex.check();
      if (rebuilt.length > 0) onRebuilt(rebuilt);
      return undefined;
    },
    onError,
  );
  const timer = setInterval(() => {
    isCheckDue = true;
    turns.next();
  }, checkEveryMs).unref();
  return () => {
    turns.stop();
    clearInterval(timer);
  };
}
