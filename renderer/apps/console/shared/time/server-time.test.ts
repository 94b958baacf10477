import { expect, it } from 'vitest';
import { noteServerTime, serverNowMs, untilNext } from './server-time.ts';

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

it('a query waits for the next known time of the service, a bit longer, and never for longer than a timer can', () => {
  noteServerTime(String(Date.now() + 20 * MINUTE_MS));
  const inMs = (ms: number) => serverNowMs() + ms;
  const near = (ms: number) => {
    expect(ms).toBeGreaterThan(60_000);
    expect(ms).toBeLessThan(61_000);
  };
  near(untilNext([inMs(90_000), new Date(inMs(60_500)).toISOString(), null, undefined, inMs(-5_000)]));
  expect(untilNext([inMs(60_000)], 30_000)).toBe(30_000);
  expect(untilNext([null, 'never'])).toBe(86_400_000);
  expect(untilNext([inMs(40 * 86_400_000)])).toBe(86_400_000);
  // The service’s answer came a moment too early.
  expect(untilNext([inMs(-100)])).toBe(1_000);
});
