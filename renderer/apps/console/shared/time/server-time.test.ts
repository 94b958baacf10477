import { expect, it } from 'vitest';
import { noteServerTime, serverNowMs } from './server-time.ts';

const MINUTE_MS = 60_000;

it.each([20, -20])('is the service’s time where the browser’s clock is %i minutes off', (minutes) => {
  const serverMs = Date.now() + minutes * MINUTE_MS;
  noteServerTime(String(serverMs));
  expect(Math.abs(serverNowMs() - serverMs)).toBeLessThan(MINUTE_MS / 2);
  // A reply of another program says nothing.
  noteServerTime(null);
  noteServerTime('soon');
  expect(Math.abs(serverNowMs() - serverMs)).toBeLessThan(MINUTE_MS / 2);
});
