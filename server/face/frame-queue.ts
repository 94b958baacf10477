/** Frames waiting for a worker, taken from each capture in turn, so that a long capture does not block a short one. */
type FrameQueue<Owner, Frame> = {
  readonly size: number;
  push(owner: Owner, frames: readonly Frame[]): void;
  next(): Frame | undefined;
  /** Removes the remaining frames of one capture. */
  remove(owner: Owner): void;
  owners(): Owner[];
};

export function createFrameQueue<Owner, Frame>(): FrameQueue<Owner, Frame> {
  // A Map keeps insertion order: the first entry is next, and moves to the end once served.
  const waiting = new Map<Owner, Frame[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    push(owner, frames) {
      if (frames.length === 0) return;
      waiting.set(owner, [...(waiting.get(owner) ?? []), ...frames]);
      size += frames.length;
    },
    next() {
      const [first] = waiting;
      if (first === undefined) return undefined;
      const [owner, frames] = first;
      waiting.delete(owner);
      const frame = frames.shift();
      if (frames.length > 0) waiting.set(owner, frames);
      size -= 1;
      return frame;
    },
    remove(owner) {
      size -= waiting.get(owner)?.length ?? 0;
      waiting.delete(owner);
    },
    owners: () => [...waiting.keys()],
  };
}
