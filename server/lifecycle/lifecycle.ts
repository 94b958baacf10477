/** Registers everything that has been started, so that it can be stopped in reverse order. */
import type { Logger } from 'pino';

export type Lifecycle = {
  /**
   * Registers how to stop a part. Call it where the part is started. @param name completes "… was still running when
   * the service stopped" in the log @param limitMs time within which the part has to stop, counted from the start of
   * `close`
   */
  onStop(name: string, limitMs: number, stop: () => unknown): void;
  /** The same for a part that stops after all others, whenever it was started. */
  onStopLast(name: string, limitMs: number, stop: () => unknown): void;
  /**
   * Stops everything once, in reverse order of registration. A step that fails or exceeds its limit is logged, and the
   * remaining steps still run. @throws the first failure, after all steps have run
   */
  close(): Promise<void>;
};

type Step = { name: string; limitMs: number; stop: () => unknown };

export function createLifecycle(logger: Pick<Logger, 'warn' | 'error'>): Lifecycle {
  const steps: Step[] = [];
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    const startedMs = performance.now();
    const failures: unknown[] = [];
    for (let step = steps.pop(); step; step = steps.pop()) {
      const { name, limitMs, stop } = step;
      try {
        const isInTime = await within(Math.max(0, limitMs - (performance.now() - startedMs)), stop);
        if (!isInTime) logger.warn(`${name} was still running when the service stopped`);
      } catch (error) {
        failures.push(error);
        logger.error({ err: error }, `${name} could not be stopped`);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  return {
    onStop: (name, limitMs, stop) => void steps.push({ name, limitMs, stop }),
    onStopLast: (name, limitMs, stop) => void steps.unshift({ name, limitMs, stop }),
    close: () => (closing ??= closeAll()),
  };
}

/** Whether the work ended in time; rejects if it rejects. */
async function within(limitMs: number, work: () => unknown): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), limitMs);
  try {
    return await Promise.race([Promise.resolve(work()).then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
