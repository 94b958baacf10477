/** Work that repeats while the service runs, one turn at a time. */
export type Repeating = {
  /** Stops after the current turn. */
  close(): Promise<void>;
};

/** Runs `work` now and every `intervalMs`. A failure is reported, and the next turn tries again. */
export function repeat(
  intervalMs: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Repeating {
  let running: Promise<void> | null = null;
  const turn = () => {
    running ??= work()
      .then(() => undefined, onError)
      .finally(() => {
        running = null;
      });
  };
  turn();
  const timer = setInterval(turn, intervalMs);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
