/** Keeps the index in sync with other processes on this database, even without searches. */
import type { Scope } from '../../domain/scope.ts';
import type { Database } from '../../store/sql/port.ts';
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
    onRebuilt: (scopes: Scope[]) => void;
    onError: (error: unknown) => void;
    checkEveryMs?: number;
  },
): () => void {
  let busy = false;
  let again: (() => void) | undefined;
  const unlessBusy = (work: () => Promise<void>) => {
    const begin = () => {
      if (busy) {
        again = begin;
        return;
      }
      busy = true;
      work()
        .catch(onError)
        .finally(() => {
          busy = false;
          const next = again;
          again = undefined;
          next?.();
        });
    };
    return begin;
  };
  const unfollow = db.follow(
    'audit',
    unlessBusy(() => faceIndex.catchUpAll()),
  );
  const timer = setInterval(
    unlessBusy(async () => {
      const rebuilt = await faceIndex.check();
      if (rebuilt.length > 0) onRebuilt(rebuilt);
    }),
    checkEveryMs,
  ).unref();
  return () => {
    unfollow();
    clearInterval(timer);
  };
}
