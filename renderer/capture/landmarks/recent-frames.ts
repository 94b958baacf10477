/** The last frames, kept briefly: a gesture's peak is known only when it is over. */

/** Frames at about 25 a second: longer than a gesture is held before its peak is taken. */
const KEPT = 16;

type RecentFrames<T> = {
  add: (frameId: number, frame: T) => void;
  get: (frameId: number) => T | undefined;
  clear: () => void;
};

/** @param release called once for each released frame */
export function createRecentFrames<T>(release: (frame: T) => void, limit: number = KEPT): RecentFrames<T> {
  const frames = new Map<number, T>();
  const drop = (frameId: number, frame: T) => {
    frames.delete(frameId);
    release(frame);
  };
  return {
    add(frameId, frame) {
      frames.set(frameId, frame);
      for (const [oldest, old] of frames) {
        if (frames.size <= limit) break;
        drop(oldest, old);
      }
    },
    get: (frameId) => frames.get(frameId),
    clear() {
      for (const [frameId, frame] of [...frames]) drop(frameId, frame);
    },
  };
}
