/** The connection to the server: heartbeats that report the kiosk's state, and orders in return. */
import { HEARTBEAT_EVERY_MS, type KioskHeartbeat, type KioskOrders } from '../../../server/contract/kiosk.ts';
import type { Line } from '../../http/line.ts';
import { kioskRefusalOf, isUnpaired, type KioskApi } from './kiosk-api.ts';

export type ConnectionHooks = {
  /** Content of the next heartbeat. */
  status: () => KioskHeartbeat;
  onOrders: (orders: KioskOrders) => void;
  /** @param isPortal the network answers in the server's place */
  onOnline: (isOnline: boolean, isPortal?: boolean) => void;
  /** The token is no longer valid; the connection has ended. */
  onUnpaired: () => void;
};

export type Connection = {
  /** Sends a heartbeat immediately. */
  beat: () => void;
  stop: () => void;
};

/** Interval for polling a server that is away: people are waiting at the screen. */
const RETRY_EVERY_MS = 2_000;

export function connect(
  { heartbeat, follow }: Pick<KioskApi, 'heartbeat' | 'follow'>,
  line: Pick<Line, 'follow'>,
  hooks: ConnectionHooks,
): Connection {
  const stopper = new AbortController();
  const { signal } = stopper;
  const isStopped = () => signal.aborted;
  let wake: () => void = () => undefined;
  let isDue = false;

  /** Resolves after `ms`, or immediately if a heartbeat is due. */
  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => wake(), ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (isDue || isStopped()) wake();
    });
  const beat = () => {
    isDue = true;
    wake();
  };
  const unfollow = line.follow((isUp) => {
    if (isUp) beat();
    else hooks.onOnline(false);
  });
  const stop = () => {
    unfollow();
    stopper.abort();
    wake();
  };
  const fail = (error: unknown) => {
    if (isStopped()) return;
    const problem = kioskRefusalOf(error);
    if (isUnpaired(problem)) {
      stop();
      hooks.onUnpaired();
      return;
    }
    if (problem.code === 'portal') hooks.onOnline(false, true);
    else hooks.onOnline(false);
  };

  const beatOn = async () => {
    while (!isStopped()) {
      isDue = false;
      let pauseMs = HEARTBEAT_EVERY_MS;
      try {
        const orders = await heartbeat(hooks.status(), signal);
        if (isStopped()) return;
        hooks.onOnline(true);
        hooks.onOrders(orders);
      } catch (error) {
        fail(error);
        pauseMs = RETRY_EVERY_MS;
      }
      await rest(pauseMs);
    }
  };
  const followOn = async () => {
    const heard = {
      onOrders: (orders: KioskOrders) => {
        if (!isStopped()) hooks.onOrders(orders);
      },
      onRevoked: () => {
        if (isStopped()) return;
        stop();
        hooks.onUnpaired();
      },
    };
    while (!isStopped()) {
      try {
        await follow(heard, signal);
      } catch {
        // The next heartbeat finds the reason.
      }
      if (isStopped()) return;
      // A stream that ends is the first sign that the server is away.
      beat();
      await new Promise((resolve) => setTimeout(resolve, RETRY_EVERY_MS));
    }
  };
  void beatOn();
  void followOn();
  return { beat, stop };
}
