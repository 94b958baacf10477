import { expect, test, vi } from 'vitest';
import { StoreError } from '../store/sql/port.ts';
import { whenThere } from './installation.ts';

const away = new StoreError('database_unreachable', 'away');

test('a server that starts before its database waits for it', async () => {
  const logger = { warn: vi.fn() };
  const open = vi.fn().mockRejectedValueOnce(away).mockResolvedValue('open');
  await expect(whenThere(open, logger)).resolves.toBe('open');
  expect(logger.warn).toHaveBeenCalledOnce();
});

test('it does not wait for what waiting does not help, and not for ever', async () => {
  const logger = { warn: vi.fn() };
  const damaged = new StoreError('database_damaged', 'damaged');
  await expect(whenThere(() => Promise.reject(damaged), logger)).rejects.toBe(damaged);
  vi.useFakeTimers();
  const waiting = whenThere(() => Promise.reject(away), logger).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await waiting).toBe(away);
  vi.useRealTimers();
});
