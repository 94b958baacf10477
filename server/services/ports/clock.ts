import { type ClockDoubt, type DeletionTime, doubtOf } from '../../domain/clock.ts';
import { type ClockState, raiseSeen, readClockState } from '../../store/maintenance/time-correction.ts';
import type { Database } from '../../store/sql/port.ts';

/** Epoch milliseconds; a parameter so that tests can move time. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

// The time of the whole service. It never goes back behind the saved time, so what has ended stays ended when the
// machine's clock is set back, even over a restart (decisions §1.5).

/** The most time that a crash can lose. */
const SAVE_EVERY_MS = 15_000;
/** After the clock was set back, service time runs at this rate until the clock has caught up with it. */
const CATCH_UP_RATE = 0.5;

export type DeletionGuard = {
  /** A time that deletions may rely on; null while the machine's clock is in doubt, and then nothing may be deleted. */
  deletionTime(): DeletionTime | null;
  /** Null while the machine’s clock agrees with the last saved time. */
  doubt(): ClockDoubt | null;
};

export type ServiceClock = Clock &
  DeletionGuard & {
    /** Saves the current time, unless it is in doubt, and follows what other processes have saved. */
    sync(): Promise<void>;
    /** Saves and stops. */
    close(): Promise<void>;
  };

type ServiceClockOptions = {
  /** The machine's time. */
  wall: Clock;
  onError: (error: unknown) => void;
  /** Time that never goes back, even if the machine’s clock does. */
  steadyNowMs?: () => number;
};

export async function createServiceClock(
  db: Database,
  { wall, onError, steadyNowMs = () => performance.now() }: ServiceClockOptions,
): Promise<ServiceClock> {
  let state: ClockState = (await readClockState(db)) ?? { seenAt: wall.now(), resets: 0 };
  /** The latest trusted time that was returned, and when. */
  let latest = { ms: state.seenAt, steadyMs: steadyNowMs() };
  const doubt = () => doubtOf(wall.now(), state.seenAt);

  function now(): number {
    const wallMs = wall.now();
    // Followed but not saved: once the clock is corrected, everything is as before.
    if (doubtOf(wallMs, state.seenAt)?.kind === 'clock_ahead') return wallMs;
    const steadyMs = steadyNowMs();
    const runOn = latest.ms + Math.max(0, steadyMs - latest.steadyMs) * CATCH_UP_RATE;
    latest = { ms: Math.max(wallMs, runOn), steadyMs };
    return Math.floor(latest.ms);
  }

  async function sync(): Promise<void> {
    if (doubt() === null) await raiseSeen(db, { seenAt: now(), resets: state.resets });
    const stored = await readClockState(db);
    if (!stored) return;
    if (stored.resets !== state.resets) latest = { ms: stored.seenAt, steadyMs: steadyNowMs() };
    else if (stored.seenAt > latest.ms) latest = { ms: stored.seenAt, steadyMs: steadyNowMs() };
    state = stored;
  }

  await sync();
  const timer = setInterval(() => {
    sync().catch(onError);
  }, SAVE_EVERY_MS);
  timer.unref();
  return {
    now,
    doubt,
    deletionTime: () => (doubt() === null ? (Math.min(wall.now(), now()) as DeletionTime) : null),
    sync,
    async close() {
      clearInterval(timer);
      await sync();
    },
  };
}
