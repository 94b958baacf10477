/** What a visit of the soak needs, and how callers behave while the server is down: they wait and ask again. */
import type { Clips } from '../../testing/camera/clips.ts';
import type { Gatehouse } from '../../e2e/support/server.ts';
import type { Ledger } from './ledger.ts';

export type Venue = {
  readonly gatehouse: Gatehouse;
  readonly ledger: Ledger;
  /** The people who can be at the camera. */
  readonly people: readonly Clips[];
  /** Resolves once the server is running, at once where it is. */
  readonly running: () => Promise<unknown>;
};

/** More outages than this in one call are no longer the soak's kills. */
const MOST_OUTAGES = 5;

/** `fetch` rejects with a TypeError where the connection failed, and with nothing else. */
export const isOutage = (error: unknown): boolean => error instanceof TypeError;

/** Counts an outage and waits for its end. @throws the error itself where it is none */
export async function sitOut({ ledger, running }: Venue, error: unknown): Promise<void> {
  if (!isOutage(error)) throw error;
  ledger.interrupted += 1;
  await running();
}

/** Makes a call that may be repeated until it is answered. */
export async function patiently<T>(venue: Venue, ask: () => Promise<T>): Promise<T> {
  for (let outages = 0; outages < MOST_OUTAGES; outages++) {
    try {
      return await ask();
    } catch (error) {
      await sitOut(venue, error);
    }
  }
  return ask();
}
