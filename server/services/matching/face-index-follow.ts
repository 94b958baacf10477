/** Keeps the index in sync with other processes on this database, even without searches. */
import type { Scope } from '../../domain/scope.ts';
import type { FaceIndex } from './face-index.ts';

/** An erasure by the command line leaves the server's memory within this time. */
const FOLLOW_EVERY_MS = 2_000;
/** Counting everyone takes some 10 ms at 100,000, so it is rare. */
const CHECK_EVERY_MS = 10 * 60_000;

/** Call the returned function to stop. */
export function followFaceIndex(
  faceIndex: FaceIndex,
  {
    onRebuilt,
    onError,
    followEveryMs = FOLLOW_EVERY_MS,
    checkEveryMs = CHECK_EVERY_MS,
  }: {
    onRebuilt: (scopes: Scope[]) => void;
    onError: (error: unknown) => void;
    followEveryMs?: number;
    checkEveryMs?: number;
  },
): () => void {
  let busy = false;
  const unlessBusy = (work: () => Promise<void>) => () => {
    if (busy) return;
    busy = true;
    work()
      .catch(onError)
      .finally(() => {
        busy = false;
      });
  };
  const timers = [
    setInterval(
      unlessBusy(() => faceIndex.catchUpAll()),
      followEveryMs,
    ),
    setInterval(
      unlessBusy(async () => {
        const rebuilt = await faceIndex.check();
        if (rebuilt.length > 0) onRebuilt(rebuilt);
      }),
      checkEveryMs,
    ),
  ];
  for (const timer of timers) timer.unref();
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
