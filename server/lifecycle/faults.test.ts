import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { handleFaults } from './faults.ts';

function watched() {
  let nowMs = 0;
  const process = new EventEmitter();
  const log = { error: vi.fn(), fatal: vi.fn() };
  const end = vi.fn();
  handleFaults(process, { log, end, now: () => nowMs });
  return { process, log, end, later: (ms: number) => (nowMs += ms) };
}

test('after an exception that nothing caught the service logs it and ends in order', () => {
  const { process, log, end } = watched();
  const err = new Error('broken');
  process.emit('uncaughtException', err);
  expect(log.fatal).toHaveBeenCalledWith({ err }, expect.any(String));
  expect(end).toHaveBeenCalledOnce();
});

test('a rejection that nobody awaits is logged, and the service continues', () => {
  const { process, log, end, later } = watched();
  for (let n = 0; n < 20; n += 1) {
    process.emit('unhandledRejection', new Error('forgotten'));
    later(15_000);
  }
  expect(log.error).toHaveBeenCalledTimes(20);
  expect(end).not.toHaveBeenCalled();
});

test('repeated rejections end the service', () => {
  const { process, end } = watched();
  for (let n = 0; n < 6; n += 1) process.emit('unhandledRejection', new Error('forgotten'));
  expect(end).toHaveBeenCalledOnce();
});
