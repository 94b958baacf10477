import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HEARTBEAT_EVERY_MS } from '../../../server/contract/kiosk.ts';
import { connect } from './connection.ts';
import { RequestError } from '../../http/request-error.ts';
import type { KioskApi } from './kiosk-api.ts';
import type { Line } from '../../http/line.ts';
import { ORDERS } from './kiosk.fixture.ts';

let cut: (isUp: boolean) => void;
const line: Pick<Line, 'follow'> = {
  follow(listener) {
    cut = listener;
    return () => undefined;
  },
};
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function connected() {
  const heartbeat = vi.fn<KioskApi['heartbeat']>(async () => ORDERS);
  // The stream stays open until the connection is stopped.
  const follow = vi.fn<KioskApi['follow']>(
    (_hooks, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  );
  const hooks = {
    status: () => ({ screen: 'attract', camera: 'ready' }) as const,
    onOrders: vi.fn(),
    onOnline: vi.fn(),
    onUnpaired: vi.fn(),
  };
  const connection = connect({ heartbeat, follow }, line, hooks);
  return { connection, heartbeat, follow, hooks };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('sends heartbeats immediately, in the contract’s interval, and on request', async () => {
  const { connection, heartbeat, hooks } = connected();
  await pass(0);
  expect(heartbeat).toHaveBeenCalledTimes(1);
  expect(hooks.onOnline).toHaveBeenLastCalledWith(true);
  await pass(HEARTBEAT_EVERY_MS);
  expect(heartbeat).toHaveBeenCalledTimes(2);
  connection.beat();
  await pass(0);
  expect(heartbeat).toHaveBeenCalledTimes(3);
  connection.stop();
  await pass(5 * HEARTBEAT_EVERY_MS);
  expect(heartbeat).toHaveBeenCalledTimes(3);
});

test('a silent server is reported once it is noticed, and polled until it answers', async () => {
  const { connection, heartbeat, hooks } = connected();
  await pass(0);
  heartbeat.mockRejectedValue(new RequestError('offline'));
  connection.beat();
  await pass(0);
  expect(hooks.onOnline).toHaveBeenLastCalledWith(false);
  heartbeat.mockResolvedValue(ORDERS);
  await pass(HEARTBEAT_EVERY_MS);
  expect(hooks.onOnline).toHaveBeenLastCalledWith(true);
  connection.stop();
});

test('a token that is no longer valid ends it', async () => {
  const { heartbeat, hooks, connection } = connected();
  await pass(0);
  heartbeat.mockRejectedValue(new RequestError('invalid_kiosk_token'));
  connection.beat();
  await pass(HEARTBEAT_EVERY_MS * 3);
  expect(hooks.onUnpaired).toHaveBeenCalledOnce();
  expect(heartbeat).toHaveBeenCalledTimes(2);
});

test('a stream that ends is reopened, after a heartbeat that finds the reason', async () => {
  const { connection, follow, heartbeat } = connected();
  connection.stop();
  follow.mockResolvedValueOnce();
  const again = connect({ heartbeat, follow }, line, { ...connected().hooks });
  heartbeat.mockClear();
  await pass(HEARTBEAT_EVERY_MS / 2);
  expect(heartbeat.mock.calls.length).toBeGreaterThan(0);
  expect(follow.mock.calls.length).toBeGreaterThan(2);
  again.stop();
});

test('a cut line is offline at once, and its return is a heartbeat', async () => {
  const { connection, heartbeat, hooks } = connected();
  await pass(0);
  cut(false);
  expect(hooks.onOnline).toHaveBeenLastCalledWith(false);
  cut(true);
  await pass(0);
  expect(heartbeat).toHaveBeenCalledTimes(2);
  expect(hooks.onOnline).toHaveBeenLastCalledWith(true);
  connection.stop();
});
