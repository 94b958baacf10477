import { describe, expect, it, vi } from 'vitest';
import { repeat } from './turns.ts';

describe('repeated work', () => {
  it('starts immediately, never overlaps, continues after a failure, and stops permanently', async () => {
    vi.useFakeTimers();
    try {
      const errors: unknown[] = [];
      let turns = 0;
      let end: (() => void) | undefined;
      const repeating = repeat(
        1_000,
        () => {
          turns += 1;
          if (turns === 2) return Promise.reject(new Error('once'));
          return new Promise<void>((resolve) => (end = resolve));
        },
        (error) => errors.push(error),
      );
      expect(turns).toBe(1);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(turns).toBe(1);
      end?.();
      await vi.advanceTimersByTimeAsync(2_000);
      expect(turns).toBe(3);
      expect(errors).toHaveLength(1);
      let closed = false;
      const closing = repeating.close().then(() => (closed = true));
      await vi.advanceTimersByTimeAsync(3_000);
      expect(closed).toBe(false);
      end?.();
      await closing;
      await vi.advanceTimersByTimeAsync(5_000);
      expect(turns).toBe(3);
    } finally {
      vi.useRealTimers();
    }
  });
});
