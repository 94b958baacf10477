import { expect, test, vi } from 'vitest';
import { StoreError } from '../store/sql/port.ts';
import { environmentRecipients, whenThere } from './installation.ts';

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

test('a slow machine, on which one try takes most of that time, gets three', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const slowly = () => {
    vi.advanceTimersByTime(25_000);
    return Promise.reject(away);
  };
  const start = vi
    .fn()
    .mockImplementationOnce(slowly)
    .mockImplementationOnce(slowly)
    .mockResolvedValue('open');
  await expect(whenThere(start, { warn: vi.fn() })).resolves.toBe('open');
  vi.useRealTimers();
});

test('papers name the machines that the environment sends data to, and no database on this one', () => {
  const recipients = (databaseUrl: string | null, syslog: string | null) =>
    environmentRecipients({
      databaseUrl,
      auditExport: {
        syslog: syslog === null ? null : new URL(syslog),
        https: null,
        token: null,
        format: 'json',
      },
    });
  expect(recipients('postgres://user:pass@db.example:5432/gate', 'tls://siem.example:6514')).toEqual([
    { kind: 'database', host: 'db.example' },
    { kind: 'audit', host: 'siem.example' },
  ]);
  expect(recipients('postgres://user@localhost/gate', null)).toEqual([]);
  expect(recipients('postgres:///gate?host=/run/postgresql', null)).toEqual([]);
});
